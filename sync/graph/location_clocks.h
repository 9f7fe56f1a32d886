/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which locations of an archive share a clock, and so are one domain of the graph. */
#ifndef MEASURE_SYNC_GRAPH_LOCATION_CLOCKS_H
#define MEASURE_SYNC_GRAPH_LOCATION_CLOCKS_H

#include "graph.h"

/* Sets domains, processes, hosts and the locations of graph->of, in which nothing may be yet. */
void measure_sync_clocks_sort(struct measure_sync_graph *graph, enum measure_sync_domain domain);

/* Spans of the domains from those of their locations. */
void measure_sync_clocks_span(struct measure_sync_graph *graph);

/* Who two locations are to each other. */
enum measure_sync_nearness measure_sync_nearness(
	const struct measure_sync_graph *graph, uint32_t from, uint32_t to);

/* Least time from one location to another. */
int64_t measure_sync_latency_of(
	const struct measure_sync_latencies *latencies, enum measure_sync_nearness nearness);
int64_t measure_sync_latency(const struct measure_sync_graph *graph,
	const struct measure_sync_latencies *latencies, uint32_t from, uint32_t to);

#endif
