/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which locations of an archive share a clock, and so are one domain of the graph. */
#ifndef MEASURE_SYNC_CLOCKS_H
#define MEASURE_SYNC_CLOCKS_H

#include "sync/graph.h"

/* Sets domains, processes, hosts and the locations of graph->of, in which nothing may be yet. */
void measure_sync_clocks_sort(struct measure_sync_graph *graph, enum measure_sync_domain domain);

/* Spans of the domains from those of their locations. */
void measure_sync_clocks_span(struct measure_sync_graph *graph);

/* Are ends, `nr` of them, all of one domain? */
bool measure_sync_clocks_are_one(const struct measure_sync_graph *graph, size_t first, size_t nr);

/* Least time from one location to another. */
int64_t measure_sync_latency(const struct measure_sync_graph *graph,
	const struct measure_sync_latencies *latencies, uint32_t from, uint32_t to);

#endif
