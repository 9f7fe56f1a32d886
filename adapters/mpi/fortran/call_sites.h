/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose call it is, by the address it returns to: the program's, a Fortran binding's, or one that
 * the MPI library makes for itself. Thread-safe; symbols are looked up at the first call from an
 * address, then it takes about 2 ns. */
#ifndef MEASURE_MPI_CALL_SITES_H
#define MEASURE_MPI_CALL_SITES_H

#include <stdbool.h>

#include "../calls/calls.h"

/* Calls from Fortran. Its bindings are functions that turn handles, constants, strings and
 * logicals into C's and then call the PMPI function, which no wrapper of an MPI function sees.
 * So the PMPI functions are wrapped as well, and recorded where a binding calls them. Others
 * call them too: tools, MPI itself, and bindings that want to know a size.
 *
 * Whether the call of a PMPI function that will return to `site` is made by the Fortran binding
 * of the same MPI function, be it for mpif.h, `use mpi` or `use mpi_f08`. */
bool measure_fortran_calls(enum measure_call call, const void *site);

/* Internal calls: parts of an MPI library make some by the names that are meant for programs.
 * ROMIO as a component of Open MPI sets statuses and asks for sizes so. They are not the program's.
 *
 * Whether the call that will return to `site` is made by a component of the MPI library. */
bool measure_internal_calls(const void *site);

/* Before a call that may be an internal one. */
static inline measure_region_t measure_outer_before(enum measure_call call, const void *site)
{
	return measure_internal_calls(site) ? MEASURE_UNDEFINED : measure_plain_before(call);
}

#endif
