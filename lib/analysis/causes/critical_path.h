/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The critical path: from the last event of a run back in time, at each wait changing to the
 * location that the wait was for. It determines how long the run takes. Its segments have no gaps,
 * so that it is as long as the run. doc/waits.md has the definitions. */
#ifndef MEASURE_ANALYSIS_CAUSES_CRITICAL_PATH_H
#define MEASURE_ANALYSIS_CAUSES_CRITICAL_PATH_H

#include "timeline.h"

struct measure_path_segment {
	uint64_t from, until;
	uint32_t location;
};

/* A call path on the critical path; ticks. */
struct measure_critical_row {
	uint32_t path;
	uint64_t ticks;
	uint64_t imbalance; /* gain if all locations did the same; rounded down */
	uint64_t impact;    /* time that other locations lost meanwhile */
	uint64_t inter;     /* part of that: on locations that are never in the path */
};

struct measure_critical_path {
	uint64_t first, last;                                   /* events */
	uint32_t nr_locations;                                  /* with events */
	MEASURE_GROWING(struct measure_path_segment, segments); /* by time */
	MEASURE_GROWING(struct measure_critical_row, rows);     /* by path */
	uint64_t *locations;                                    /* ticks on it, by location */
	/* sums over locations and paths that add up to nr_locations * (last - first): on the path
	 * or at the same time in the same paths; in other paths; neither */
	unsigned __int128 activities, others, impact;
};

void measure_critical_path_find(
	struct measure_critical_path *critical, const struct measure_timelines *timelines);
void measure_critical_path_free(struct measure_critical_path *critical);

#endif
