/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the functions of the MPI library. Each pointer leads first to a function that fills
 * the whole table and goes on to where the pointer then leads: so no call has to ask whether the
 * table is filled. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <stddef.h>

#include "calls.h"
#include "constants.h"
#include "library.h"
#include "mpix.h"
#include "real.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static const char *const names[NR_CALLS] = {
#define ENTRY(name, group, role, parameters, arguments)    TEXT(PMPI_##name),
#define ENTRY_OF(type, name, group, parameters, arguments) TEXT(PMPI_##name),
#define ENTRY_BY_HAND(name, group)                         TEXT(PMPI_##name),
#include "mpi_calls.def"
};

_Static_assert(
	sizeof(struct measure_mpi) == NR_CALLS * sizeof(void *), "one pointer for each call");

/* Several threads may come at once: they write the same. */
static void find_functions(void)
{
	void **functions = (void **)&measure_mpi;
	void *library = measure_library_find();

	for (int call = 0; call < NR_CALLS; call++)
		__atomic_store_n(&functions[call], dlsym(library, names[call]), __ATOMIC_RELAXED);
	measure_constants_bind(library);
	dlerror(); /* the program shall not hear of a function that is missing */
}

#define ENTRY(name, group, role, parameters, arguments)                                            \
	static int first_##name parameters                                                         \
	{                                                                                          \
		find_functions();                                                                  \
		return measure_mpi.name arguments;                                                 \
	}
#define ENTRY_OF(type, name, group, parameters, arguments)                                         \
	static type first_##name parameters                                                        \
	{                                                                                          \
		find_functions();                                                                  \
		return measure_mpi.name arguments;                                                 \
	}
#define ENTRY_BY_HAND(name, group)
#include "mpi_calls.def"

static int first_Init(int *argc, char ***argv)
{
	find_functions();
	return measure_mpi.Init(argc, argv);
}

static int first_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	find_functions();
	return measure_mpi.Init_thread(argc, argv, required, provided);
}

static int first_Finalize(void)
{
	find_functions();
	return measure_mpi.Finalize();
}

static int first_Pcontrol(const int level, ...)
{
	find_functions();
	return measure_mpi.Pcontrol(level);
}

struct measure_mpi measure_mpi = {
#define ENTRY(name, group, role, parameters, arguments)    .name = first_##name,
#define ENTRY_OF(type, name, group, parameters, arguments) .name = first_##name,
#define ENTRY_BY_HAND(name, group)                         .name = first_##name,
#include "mpi_calls.def"
};
