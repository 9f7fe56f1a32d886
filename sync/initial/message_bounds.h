/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Presynchronisation of a graph from what its relations tell of its clocks:
 * sync/initial/estimate.h. */
#ifndef MEASURE_SYNC_INITIAL_MESSAGE_BOUNDS_H
#define MEASURE_SYNC_INITIAL_MESSAGE_BOUNDS_H

#include "status.h"
#include "sync/graph/graph.h"

struct measure_sync_estimated {
	uint32_t nr_clocks;     /* that have messages both ways with others */
	uint32_t nr_references; /* whose times were left alone, of these; all: nothing is certain */
	bool is_bound_known;
	int64_t bound; /* ticks that times are wrong at most, if no clock changes its rate */
};

/* Collective: by the raw times of sends and receives, which the graph's values must be (of the
 * input), with graph->far.is_whole. Sets `presync` of every location, unless nothing is certain;
 * the functions are the caller's. MEASURE_ERROR_MEMORY. */
measure_status_t measure_sync_messages_estimate(const struct measure_sync_graph *graph,
	struct measure_clock_function *presync, struct measure_sync_estimated *estimated);

#endif
