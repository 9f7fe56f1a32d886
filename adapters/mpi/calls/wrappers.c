/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wrappers of every row of mpi_calls.def: of the MPI function, and of the PMPI function
 * for calls from Fortran (fortran/call_sites.h). Nothing but glue: set a breakpoint on the
 * functions of a role to step through what a call does. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "../coll/coll_roles.h"
#include "../comm/comm_roles.h"
#include "../core/init.h"
#include "../core/mpix.h"
#include "../core/pmpi.h"
#include "../fortran/call_sites.h"
#include "../io/io_roles.h"
#include "../p2p/p2p_roles.h"
#include "../rma/rma_roles.h"
#include "calls.h"

/* Programs may still call what the MPI standard has deprecated. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define BEFORE_PLAIN const measure_region_t region = measure_plain_before(call)
#define AFTER_PLAIN  measure_plain_after(region)

/* Components of MPI libraries make some calls by the names that are meant for programs. */
#define BEFORE_PLAIN_OUTER                                                                         \
	const measure_region_t region = measure_outer_before(call, __builtin_return_address(0))
#define AFTER_PLAIN_OUTER measure_plain_after(region)

/* The call's flag tells whether it has found anything. */
#define BEFORE_POLL const measure_region_t region = measure_plain_before(call)
#define AFTER_POLL  measure_plain_poll_after(region, result, flag)

#define BEFORE_INIT const measure_region_t region = measure_init_before(call)
#define AFTER_INIT  measure_init_after(region, result)

#define BEFORE_FINALIZE const measure_region_t region = measure_finalize_before(call)
#define AFTER_FINALIZE  measure_finalize_after(region)

#define BEFORE_ABORT const measure_region_t region = measure_abort_before(call, errorcode)
#define AFTER_ABORT  measure_plain_after(region)

#define BEFORE_SESSION_INIT const measure_region_t region = measure_init_before(call)
#define AFTER_SESSION_INIT  measure_session_init_after(region, result)

#define BEFORE_SESSION_FINALIZE const measure_region_t region = measure_plain_before(call)
#define AFTER_SESSION_FINALIZE  measure_session_finalize_after(region, result)

/* Another name of a wrapper: MPI_X may lead to a tool that was preloaded before us. */
#define OWN(name)                                                                                  \
	extern __typeof__(MPI_##name) own_##name                                                   \
		__attribute__((alias(TEXT(MPI_##name)), visibility("hidden")))

#define ENTRY(name, group, region_role, role, parameters, arguments)                               \
	int MPI_##name parameters                                                                  \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		int result;                                                                        \
                                                                                                   \
		if (!measure_call_is_on(call))                                                     \
			return measure_mpi.name arguments;                                         \
		BEFORE_##role;                                                                     \
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
 * or as their last act, so that the call does not return to them (fortran/bindings.c). */
#define ENTRY_OF(type, name, group, parameters, arguments)                                         \
	type MPI_##name parameters                                                                 \
	{                                                                                          \
		const enum measure_call call = CALL_##name;                                        \
		type result;                                                                       \
                                                                                                   \
		if (!measure_call_is_on(call))                                                     \
			return measure_mpi.name arguments;                                         \
		BEFORE_PLAIN;                                                                      \
		result = measure_mpi.name arguments;                                               \
		AFTER_PLAIN;                                                                       \
		return result;                                                                     \
	}

/* Open MPI's declarations say so already, MPICH's do not. */
#pragma GCC visibility push(default)
#include "mpi_calls.def"
#pragma GCC visibility pop
