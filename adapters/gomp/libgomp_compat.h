/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs that were linked to a libgomp from before OpenMP 3.0. */
#ifndef MEASURE_LIBGOMP_COMPAT_H
#define MEASURE_LIBGOMP_COMPAT_H

#include <stdbool.h>

/* The object that calls us needs the lock functions of OpenMP 2.5. */
bool measure_gomp_has_old_locks(const void *return_address);

#endif
