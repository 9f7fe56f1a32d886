/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "pthread_real.h"

#include <errno.h>

struct measure_pthread_real measure_pthread_real;

/* Condition variables. */
static const struct measure_real_version version = {"pthread_cond_", "GLIBC_2.3.2"};

#define FIND(type, name, parameters)                                                               \
	MEASURE_REAL_FILL(                                                                         \
		measure_pthread_real.name, type, parameters, measure_real_find(#name, &version));
#define PLAIN(name, group, role, parameters, arguments)  FIND(int, name, parameters)
#define POINT(name, group, role, parameters, arguments)  FIND(int, name, parameters)
#define LOCK(name, group, parameters, arguments, lock)   FIND(int, name, parameters)
#define UNLOCK(name, group, parameters, arguments, lock) FIND(int, name, parameters)
#define WAIT(name, group, parameters, arguments, lock)   FIND(int, name, parameters)
#define DESTROY(type, name, parameters, arguments, lock) FIND(type, name, parameters)
#define JOIN(name, parameters, arguments, thread)        FIND(int, name, parameters)
#define OTHER(type, name, role, parameters)              FIND(type, name, parameters)

void measure_pthread_resolve(void)
{
	int saved_errno = errno;

#include "pthread_calls.def"
	errno = saved_errno;
}
