/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the C library's own functions; see real_functions.h. */
#define _GNU_SOURCE
#include "config.h"

#include "real_functions.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "next_function.h"

static bool are_of_one_object(const void *a, const void *b)
{
	Dl_info of_a, of_b;

	return dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

/* The C library's other ports are younger than such versions, and have one function of each name: a
 * search for another would find none, and allocate memory of the program's to say so. */
#if defined(__x86_64__)
#define HAS_OLD_VERSIONS true
#else
#define HAS_OLD_VERSIONS false
#endif

/* What is in another object than the C library's has no version. */
void *measure_real_find(const char *name, const struct measure_real_version *version)
{
	void *next = measure_next_function(name), *versioned = NULL;

	/* where Measure is attached it is the default version already */
	if (HAS_OLD_VERSIONS && !measure_is_attached() &&
		strncmp(name, version->beginning, strlen(version->beginning)) == 0 &&
		!(version->newer && strcmp(name, version->newer) == 0))
		versioned = dlvsym(RTLD_NEXT, name, version->version);
	return versioned && are_of_one_object(next, versioned) ? versioned : next;
}
