/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

struct measure_pthread_real measure_pthread_real;

static bool are_of_one_object(const void *a, const void *b)
{
	Dl_info of_a, of_b;

	return dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

/* Condition variables are another thing since version 2.3.2 of the C library; without a version
 * the loader of glibc before 2.36 finds the functions for those before it, where there are any.
 * All other functions are the same in every version that they have. What somebody else has put
 * before the C library's (ThreadSanitizer) is in another object, and has no version. */
static void *find(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name), *versioned = NULL;

	if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0)
		versioned = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
	return versioned && are_of_one_object(next, versioned) ? versioned : next;
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
