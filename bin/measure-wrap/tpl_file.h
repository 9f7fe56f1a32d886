/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Descriptions of plug-ins of EZTrace (.tpl), as they are. */
#ifndef MEASURE_WRAP_TPL_FILE_H
#define MEASURE_WRAP_TPL_FILE_H

#include "wrap_model.h"

/* Makes prototypes with annotations of one, and reads these. NAME becomes the name of the module
 * unless it has one. False: a mistake, which is said. */
bool wrap_tpl_read(struct wrap_module *module, const char *path, const char *text);

#endif
