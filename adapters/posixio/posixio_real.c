/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions. */
#include "config.h"

#include "posixio_real.h"

#include <dlfcn.h>
#include <errno.h>

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

/* Lists of operations tell of each. */
static const struct measure_real_version version = {"lio_listio", "GLIBC_2.4", NULL};

#define ROW(type, name, group, role, parameters)                                                   \
	MEASURE_REAL_FILL(                                                                         \
		measure_posixio_real.name, type, parameters, measure_real_find(#name, &version));
/* When it is needed: to load it would change the program. */
#define URING(name, parameters, arguments, before, after)

void measure_posixio_resolve(void)
{
	int saved_errno = errno;

#include "posixio_calls.def"
	dlerror(); /* that newer functions are not there is nothing for the program to hear of */
	errno = saved_errno;
}
