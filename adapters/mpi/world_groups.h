/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups of processes as the trace knows them: each defined once, however many MPI handles it
 * has. */
#ifndef MEASURE_MPI_WORLD_GROUPS_H
#define MEASURE_MPI_WORLD_GROUPS_H

#include <mpi.h>

#include "adapter.h"

/* MEASURE_UNDEFINED: has members of another world, or no memory. */
measure_group_t measure_world_group(MPI_Group group);

/* Before MPI frees it: afterwards the handle may be another's. */
void measure_world_group_forget(MPI_Group group);

#endif
