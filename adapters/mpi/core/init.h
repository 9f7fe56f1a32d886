/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of the calls by which MPI begins and ends, MPI_Init and MPI_Finalize or sessions, and what
 * is done there once: agreeing with the other ranks, defining the world, and lending the job's
 * transport to other adapters. */
#ifndef MEASURE_MPI_INIT_H
#define MEASURE_MPI_INIT_H

#include "../calls/calls.h"

/* Before the PMPI call that begins: switches recording of MPI on where it can be. */
measure_region_t measure_init_before(enum measure_call call);
void measure_init_after(measure_region_t region, int result);

/* MPI_Finalize is the last MPI call that is recorded, unless there are sessions. */
measure_region_t measure_finalize_before(enum measure_call call);
void measure_finalize_after(measure_region_t region);

/* Before MPI_Abort, which does not come back: why the job ends is kept. */
measure_region_t measure_abort_before(enum measure_call call, int code);

/* MPI sessions: MPI without MPI_Init. Opening one communicates with nobody, so there is no
 * transport and clocks of different nodes are not compared. The world of a program that only has
 * sessions is the process set mpi://WORLD. The first session switches recording on, the end of the
 * last one off. */
#ifdef HAVE_PMPI_Session_init
void measure_session_init_after(measure_region_t region, int result);
void measure_session_finalize_after(measure_region_t region, int result);
bool measure_sessions_are_open(void);
#else
static inline bool measure_sessions_are_open(void)
{
	return false;
}
#endif

/* Right after PMPI_Init / right before PMPI_Finalize, on every rank of a program that runs
 * under Measure, also where MPI is not recorded: the others wait for it. */
void measure_world_open(void);
void measure_world_close(void);

#endif
