/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

struct measure_posixio_real measure_posixio_real;

/* Another library may have opened it for itself alone. */
void *measure_posixio_find_uring(const char *name)
{
	void *library = dlopen("liburing.so.2", RTLD_LAZY | RTLD_NOLOAD);
	void *found = library ? dlsym(library, name) : NULL;

	if (library)
		dlclose(library);
	return found;
}

/* A list of operations tells of each since version 2.4 of the C library; without a version the
 * loader of glibc before 2.36 finds the function for those before it, where there is one. All other
 * functions are the same in every version that they have. */
static void *find(const char *name)
{
	void *versioned = NULL;

	if (strncmp(name, "lio_listio", strlen("lio_listio")) == 0)
		versioned = dlvsym(RTLD_NEXT, name, "GLIBC_2.4");
	return versioned ? versioned : dlsym(RTLD_NEXT, name);
}

#define ROW(type, name, group, role, parameters)                                                   \
	atomic_store_explicit(&measure_posixio_real.name, (type(*) parameters)find(#name),         \
		memory_order_relaxed);
/* When it is needed: to load it would change the program. */
#define URING(name, parameters, arguments)

void measure_posixio_resolve(void)
{
	int saved_errno = errno;

#include "posixio_calls.def"
	dlerror(); /* that newer functions are not there is nothing for the program to hear of */
	errno = saved_errno;
}
