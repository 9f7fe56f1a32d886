/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of the MPI library itself. This adapter exports PMPI functions too (see
 * fortran.h), so whoever is inside it calls the library by these pointers:
 * measure_mpi.Send(...) is the PMPI_Send of the library. The adapter is not linked to it. */
#ifndef MEASURE_MPI_REAL_H
#define MEASURE_MPI_REAL_H

#include <mpi.h>

#include "mpix.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Legal to call at any time, also before MPI_Init and by several threads: the first call of
 * all finds the functions. NULL from then on: the program's MPI library does not have it. */
struct measure_mpi {
#define ENTRY(name, group, role, parameters, arguments)    __typeof__(PMPI_##name) *name;
#define ENTRY_OF(type, name, group, parameters, arguments) __typeof__(PMPI_##name) *name;
#define ENTRY_BY_HAND(name, group)                         __typeof__(PMPI_##name) *name;
#include "mpi_calls.def"
};
extern struct measure_mpi measure_mpi;

#pragma GCC diagnostic pop

#endif
