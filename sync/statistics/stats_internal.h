/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of the statistics: stats.c (the passes), stats_events.c (displacement, position,
 * distance), stats_edges.c (pairs). */
#ifndef MEASURE_SYNC_STATISTICS_STATS_INTERNAL_H
#define MEASURE_SYNC_STATISTICS_STATS_INTERNAL_H

#include "stats.h"

/* One location's events, one after the other. */
struct stats_location {
	int64_t first_before, first_after; /* times of its first event */
	int64_t last_before, last_after;
	bool has_first;
};

void stats_event(struct measure_sync_event_stats *stats, struct stats_location *location,
	int64_t before, int64_t after);

/* Sides of an instance with their times; reused from instance to instance. */
struct stats_side {
	uint32_t location, rank, party;
	int64_t times[MEASURE_SYNC_NR_WHEN];
};

struct stats_edges {
	const struct measure_sync_graph *graph;
	const struct measure_sync_correction *corrections;
	struct measure_sync_stats *stats;
	struct stats_side *sides;
	size_t nr, room;
};

void stats_edges_start(struct stats_edges *edges, const struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, struct measure_sync_stats *stats);
/* An instance function of the matcher. */
void stats_edges_instance(void *edges, const struct measure_instance *instance);
void stats_edges_end(struct stats_edges *edges);

#endif
