/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrapper of every row of mpi_calls.def. Nothing but glue: set a breakpoint on the
 * functions of a role (roles.h) to step through what a call does. */
#include "config.h"

#include "calls.h"
#include "roles.h"

/* Programs may still call what the MPI standard has deprecated. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define ENTRY(name, group, role, parameters, arguments)                                            \
	int MPI_##name parameters                                                                  \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		int result;                                                                        \
		BEFORE_##role;                                                                     \
                                                                                                   \
		result = PMPI_##name arguments;                                                    \
		AFTER_##role;                                                                      \
		return result;                                                                     \
	}
#define ENTRY_OF(type, name, group, parameters, arguments)                                         \
	type MPI_##name parameters                                                                 \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		type result;                                                                       \
		BEFORE_PLAIN;                                                                      \
                                                                                                   \
		result = PMPI_##name arguments;                                                    \
		AFTER_PLAIN;                                                                       \
		return result;                                                                     \
	}
#define ENTRY_BY_HAND(name, group)
#include "mpi_calls.def"
