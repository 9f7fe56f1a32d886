/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which functions are wrapped, and their types. */
#ifndef MEASURE_WRAP_SELECT_H
#define MEASURE_WRAP_SELECT_H

#include "wrap_model.h"

/* Fills module->functions, by what declares them or by the library alone. `directory` is for files
 * of its own. False: something is wrong, which is said. */
bool wrap_select(struct wrap_module *module, const char *directory);

#endif
