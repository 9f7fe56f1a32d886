/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting the meetings of a communicator; see meetings.h. */
#include "config.h"

#include <stdlib.h>

#include "meetings.h"
#include "real.h"
#include "world.h"

/* Many communicators are made for a call or two: those are not worth a word. */
#define FIRST 4

struct measure_points *measure_meetings_open(MPI_Comm comm)
{
	struct measure_points *points;

	if (!measure_world_is_all_of(comm))
		return NULL;
	points = calloc(1, sizeof(*points));
	if (points)
		points->left = points->step = comm == MPI_COMM_WORLD ? 1 : FIRST;
	return points;
}

void measure_meeting_after(MPI_Comm comm)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);
	struct measure_points *points = communicator ? communicator->points : NULL;

	if (points && points->left > 0 && --points->left == 0)
		measure_world_meet(communicator->key, points);
}
