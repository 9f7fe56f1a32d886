/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the functions of the MPI library. Each pointer leads first to a function that fills
 * the whole table and goes on to where the pointer then leads: so no call has to ask whether the
 * table is filled. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <stddef.h>

#include "pmpi.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static const char *const names[] = {
#define ENTRY(name, group, region, role, parameters, arguments) TEXT(PMPI_##name),
#include "../calls/mpi_calls.def"
};
#define NR_NAMES (sizeof(names) / sizeof(names[0]))

_Static_assert(
	sizeof(struct measure_mpi) == NR_NAMES * sizeof(void *), "one pointer for each call");

/* Several threads may come at once: they write the same. */
static void find_functions(void)
{
	void **functions = (void **)&measure_mpi;
	void *library = measure_library_find();

	for (size_t call = 0; call < NR_NAMES; call++)
		__atomic_store_n(&functions[call], dlsym(library, names[call]), __ATOMIC_RELAXED);
	measure_constants_bind(library);
	dlerror(); /* the program shall not hear of a function that is missing */
}

#define ENTRY_OF(type, name, group, parameters, arguments)                                         \
	static type first_##name parameters                                                        \
	{                                                                                          \
		find_functions();                                                                  \
		return measure_mpi.name arguments;                                                 \
	}
#define ENTRY(name, group, region, role, parameters, arguments)                                    \
	ENTRY_OF(int, name, group, parameters, arguments)
#include "../calls/mpi_calls.def"

struct measure_mpi measure_mpi = {
#define ENTRY(name, group, region, role, parameters, arguments) .name = first_##name,
#include "../calls/mpi_calls.def"
};
