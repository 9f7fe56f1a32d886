/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct measure_pthread_real measure_pthread_real;

/* Condition variables are another thing since version 2.3.2 of the C library; RTLD_NEXT alone
 * would find the functions for those before it, where there are any. All other functions are the
 * same in every version that they have. */
static void *find(const char *name)
{
	void *found = NULL;

	if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0)
		found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
	return found ? found : dlsym(RTLD_NEXT, name);
}

#define FIND(type, name, parameters)                                                               \
	atomic_store_explicit(&measure_pthread_real.name, (type (*) parameters)find(#name),        \
		memory_order_relaxed);
#define PLAIN(name, group, role, parameters, arguments)	   FIND(int, name, parameters)
#define POINT(name, group, role, parameters, arguments)	   FIND(int, name, parameters)
#define LOCK(name, group, parameters, arguments, lock)	   FIND(int, name, parameters)
#define UNLOCK(name, group, parameters, arguments, lock)   FIND(int, name, parameters)
#define WAIT(name, group, parameters, arguments, lock)	   FIND(int, name, parameters)
#define DESTROY(type, name, parameters, arguments, lock)   FIND(type, name, parameters)
#define JOIN(name, parameters, arguments, thread)	   FIND(int, name, parameters)
#define OTHER(type, name, role, parameters)		   FIND(type, name, parameters)

void measure_pthread_resolve(void)
{
	int saved_errno = errno;

#include "pthread_calls.def"
	errno = saved_errno;
}
