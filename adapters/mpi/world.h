/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is done once between MPI_Init and MPI_Finalize: agreeing with the other ranks,
 * defining the world, and lending the job's transport to whoever registered for it. */
#ifndef MEASURE_MPI_WORLD_H
#define MEASURE_MPI_WORLD_H

#include <mpi.h>

#include "adapter.h"

/* Right after PMPI_Init / right before PMPI_Finalize, on every rank of a program that runs
 * under Measure, also where recording is off: the others wait for it. */
void measure_world_open(void);
void measure_world_close(void);

/* True where all ranks of the world record: what is to be agreed on can be. */
bool measure_world_is_whole(void);

/* Whether an intracommunicator has the ranks of the world, in any order; false where not all of
 * them record. Local. */
bool measure_world_is_all_of(MPI_Comm comm);

/* All ranks are at a point of the series of the communicator of this key: announces it. */
void measure_world_meet(struct measure_comm_key key, struct measure_points *points);

#endif
