/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Domains that wait for each other in a circle. Where one of them has several locations, these
 * cannot share a clock, since what happened in the program did not wait for itself. */
#ifndef MEASURE_SYNC_GRAPH_CYCLE_H
#define MEASURE_SYNC_GRAPH_CYCLE_H

#include "graph.h"

struct measure_sync_cycle {
	struct measure_sync_graph *graph;
	const size_t *next; /* by domain: the record at which it waits, or their number */
	uint64_t *awaited;  /* by domain: a location that it waits for, or UINT64_MAX */
};

/* Collective. Marks domains of several locations in circles, in the graph. True: there are some.
 * Nobody may be running. */
bool measure_sync_cycle_mark(struct measure_sync_cycle *circle);

#endif
