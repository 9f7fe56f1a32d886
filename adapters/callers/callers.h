/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose call is it? For adapters of calls that libraries make for themselves as well; each is built
 * with a copy of its own. */
#ifndef MEASURE_CALLERS_H
#define MEASURE_CALLERS_H

#include <stdbool.h>

/* Beginnings of the names of files whose calls are not the program's, up to a NULL: the adapter
 * has them. */
extern const char *const measure_callers_silent[];

/* True where the code at the address belongs to one of these. A few nanoseconds; keeps errno. */
bool measure_caller_is_silent(const void *address);

#endif
