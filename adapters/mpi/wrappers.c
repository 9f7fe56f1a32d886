/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers of every row of mpi_calls.def: of the MPI function, and of the PMPI function
 * for calls from Fortran (fortran.h). Nothing but glue: set a breakpoint on the functions of a
 * role (roles.h) to step through what a call does. */
#include "config.h"

#include "calls.h"
#include "fortran.h"
#include "mpix.h"
#include "real.h"
#include "roles.h"

/* Programs may still call what the MPI standard has deprecated. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Another name of a wrapper: MPI_X may lead to a tool that was preloaded before us. */
#define OWN(name)                                                                                  \
	extern __typeof__(MPI_##name) own_##name                                                   \
		__attribute__((alias(TEXT(MPI_##name)), visibility("hidden")))

#define ENTRY(name, group, role, parameters, arguments)                                            \
	int MPI_##name parameters                                                                  \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		int result;                                                                        \
		BEFORE_##role;                                                                     \
                                                                                                   \
		result = measure_mpi.name arguments;                                               \
		AFTER_##role;                                                                      \
		return result;                                                                     \
	}                                                                                          \
	OWN(name);                                                                                 \
	int PMPI_##name parameters                                                                 \
	{                                                                                          \
		if (!measure_fortran_calls(CALL_##name, __builtin_return_address(0)))              \
			return measure_mpi.name arguments;                                         \
		return own_##name arguments;                                                       \
	}
/* No wrapper of the PMPI functions: bindings call them for their own ends, to translate handles,
 * or as their last act, so that the call does not return to them (fortran_symbols.c). */
#define ENTRY_OF(type, name, group, parameters, arguments)                                         \
	type MPI_##name parameters                                                                 \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		type result;                                                                       \
		BEFORE_PLAIN;                                                                      \
                                                                                                   \
		result = measure_mpi.name arguments;                                               \
		AFTER_PLAIN;                                                                       \
		return result;                                                                     \
	}
#define ENTRY_BY_HAND(name, group)

/* Open MPI's declarations say so already, MPICH's do not. */
#pragma GCC visibility push(default)
#include "mpi_calls.def"
#pragma GCC visibility pop
