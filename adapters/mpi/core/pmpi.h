/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of the MPI library itself, and which library that is. This adapter exports PMPI
 * functions too (fortran/call_sites.h), so whatever is inside it calls the library by these
 * pointers: measure_mpi.Send(...) is the PMPI_Send of the library. The adapter is not linked to
 * it. */
#ifndef MEASURE_MPI_PMPI_H
#define MEASURE_MPI_PMPI_H

#include <mpi.h>
#include <stdbool.h>

#include "mpix.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Legal to call at any time, also before MPI_Init and by several threads: the first call of
 * all finds the functions. NULL from then on: the program's MPI library does not have it. */
struct measure_mpi {
#define ENTRY(name, group, region, role, parameters, arguments) __typeof__(PMPI_##name) *name;
#include "../calls/mpi_calls.def"
};
extern struct measure_mpi measure_mpi;

#pragma GCC diagnostic pop

/* What dlsym() finds the program's MPI functions by. Right once the program has loaded its MPI
 * library, so from its first MPI call on. */
void *measure_library_find(void);

/* True where it is the library this adapter was built for; otherwise says so on stderr. */
bool measure_library_is_ours(void);

/* Constants of MPI that are addresses of data in the MPI library, as MPI_COMM_WORLD of Open MPI:
 * gives them their values where the program has loaded its MPI library after this adapter. To be
 * called before any of them is used. `library`: what dlsym() finds that by. Thread-safe. */
void measure_constants_bind(void *library);

#endif
