/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "pthread_real.h"

#include <errno.h>

struct measure_pthread_real measure_pthread_real;

/* Condition variables. */
static const struct measure_real_version version = {
	"pthread_cond_", "GLIBC_2.3.2", "pthread_cond_clockwait"};

#define FIND(type, name, parameters)                                                               \
	MEASURE_REAL_FILL(                                                                         \
		measure_pthread_real.name, type, parameters, measure_real_find(#name, &version));
#define ROW(type, name, group, role, parameters) FIND(type, name, parameters)
#define NO_ROW(type, name, parameters)           FIND(type, name, parameters)

void measure_pthread_resolve(void)
{
	int saved_errno = errno;

#include "pthread_calls.def"
	errno = saved_errno;
}
