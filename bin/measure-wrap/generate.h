/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the C source of a library of wrappers. */
#ifndef MEASURE_WRAP_GENERATE_H
#define MEASURE_WRAP_GENERATE_H

#include <stdio.h>

#include "wrap_model.h"

/* False: an annotation is wrong, which is said. */
bool wrap_generate(FILE *file, const struct wrap_module *module);

/* The versions of symbols that it defines, as a script for the linker; NULL: none. */
char *wrap_version_script(const struct wrap_module *module);

#endif
