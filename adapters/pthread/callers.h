/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose call is it? */
#ifndef MEASURE_PTHREAD_CALLERS_H
#define MEASURE_PTHREAD_CALLERS_H

#include <stdbool.h>

/* True where the code at the address belongs to a library of silent.def. A few nanoseconds;
 * keeps errno. */
bool measure_caller_is_silent(const void *address);

#endif
