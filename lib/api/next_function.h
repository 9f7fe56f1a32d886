/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The function that one which interposes it stands before: of a preloaded object, that of the next
 * object in the loader's order. Where Measure was loaded into a running program (measure --attach),
 * the loader's order says nothing, and lib/runtime/attach knows it. */
#ifndef MEASURE_API_NEXT_FUNCTION_H
#define MEASURE_API_NEXT_FUNCTION_H

#include <dlfcn.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Is this a process that Measure was loaded into while it ran? */
bool measure_is_attached(void);

/* The function behind that of the object in which `caller` lies; NULL: there is none. Takes the
 * loader's lock. */
void *measure_function_behind(const char *name, const void *caller);

#pragma GCC visibility pop

/* For constructors, and first calls. As dlsym(), which finds out by itself who calls it: therefore
 * inline. */
__attribute__((unused)) static void *measure_next_function(const char *name)
{
	if (measure_is_attached())
		return measure_function_behind(name, (const void *)measure_next_function);
	return dlsym(RTLD_NEXT, name);
}

#ifdef __cplusplus
}
#endif
#endif
