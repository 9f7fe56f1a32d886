/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions that a shared object exports. */
#ifndef MEASURE_WRAP_EXPORTED_H
#define MEASURE_WRAP_EXPORTED_H

#include "wrap_model.h"

struct wrap_export {
	const char *symbol;
	const char *version; /* NULL: none */
	bool is_default;     /* the version that a program gets which is linked now */
};
typedef MEASURE_ARRAY(struct wrap_export) wrap_exports_t;

/* Sorted by symbols. False: it is no shared object, which is said. */
bool wrap_exports_read(const char *path, wrap_exports_t *exports);

/* The first of this symbol, or NULL. */
const struct wrap_export *wrap_export_find(const wrap_exports_t *exports, const char *symbol);

/* What cannot be wrapped: functions that return twice, or that ask who has called them. */
bool wrap_symbol_is_special(const char *symbol);

#endif
