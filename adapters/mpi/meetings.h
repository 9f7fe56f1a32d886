/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives in which all ranks of the world meet. They are counted per communicator, since only
 * its collectives have one order on all ranks, and the points that somebody waits for are
 * announced, with a transport of their own (struct measure_points). */
#ifndef MEASURE_MPI_MEETINGS_H
#define MEASURE_MPI_MEETINGS_H

#include "communicators.h"

/* The series of an intracommunicator that has the ranks of the world, in any order; NULL: it has
 * not, or there are no points in this job. free() it. */
struct measure_points *measure_meetings_open(MPI_Comm comm);

/* After the end of a collective that nobody leaves before all have come. On all ranks the same,
 * whether or not it was recorded. */
void measure_meeting_after(MPI_Comm comm);

#endif
