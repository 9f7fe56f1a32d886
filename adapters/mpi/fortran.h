/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls from Fortran. Its bindings are functions that turn handles, constants, strings and
 * logicals into C's and then call the PMPI function, which no wrapper of an MPI function sees.
 * So the PMPI functions are wrapped as well, and recorded where a binding calls them. Others
 * call them too: tools, MPI itself, and bindings that want to know a size. */
#ifndef MEASURE_MPI_FORTRAN_H
#define MEASURE_MPI_FORTRAN_H

#include <stdbool.h>

#include "calls.h"

/* Whether the call of a PMPI function that will return to `site` is made by the Fortran binding
 * of the same MPI function, be it for mpif.h, `use mpi` or `use mpi_f08`. Thread-safe; looks up
 * symbols at the first call from a site, then takes about 2 ns. */
bool measure_fortran_calls(enum measure_call call, const void *site);

#endif
