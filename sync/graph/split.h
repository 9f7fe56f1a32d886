/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations that were taken to share a clock, and do not: what they wait for shows it. A node
 * comes apart into its processes, a process into its locations. */
#ifndef MEASURE_SYNC_GRAPH_SPLIT_H
#define MEASURE_SYNC_GRAPH_SPLIT_H

#include "graph.h"

/* Why a domain has come apart. Made of marks, which name a domain by its number. */
struct measure_sync_split {
	uint32_t a_location;   /* of the node or process */
	bool is_node;          /* into processes; otherwise into locations */
	bool has_offsets;      /* which differ, so its tool said that clocks do */
	bool is_in_circle;     /* it would have to wait for itself */
	uint64_t nr_relations; /* receives that were before a send of theirs on that clock */
};

/* Before anything is read: where clock offsets differ. */
void measure_sync_split_offsets(struct measure_sync_graph *graph);

/* By the raw times of sends and receives, which are in graph->values. */
void measure_sync_split_relations(struct measure_sync_graph *graph, unsigned nr_threads);

/* The domains that were marked as in a circle; what the forward pass has done is forgotten. */
void measure_sync_split_circles(struct measure_sync_graph *graph, unsigned nr_threads);

#endif
