/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values of options that measure-check and measure-sync have in common: the least times that
 * anything takes, --lmin process=0,node=50ns,network=1us; and which relations are looked for. */
#ifndef MEASURE_SYNC_GRAPH_MIN_LATENCY_H
#define MEASURE_SYNC_GRAPH_MIN_LATENCY_H

#include "graph.h"
#include "trace/relations/relation_selection.h"

/* In nanoseconds: 0 between threads, 50 on a node; no network is faster than 500. */
extern const struct measure_sync_latencies measure_min_latencies_usual;

/* Changes what `list` names; in nanoseconds. -1: go on; otherwise the exit status, and what is
 * wrong has been said. */
int measure_min_latencies_parse(const char *list, struct measure_sync_latencies *latencies);

/* --relations: the same. */
int measure_relations_parse(const char *list, struct measure_selection *selection);

/* From nanoseconds to ticks of a trace. */
struct measure_sync_latencies measure_min_latencies_in_ticks(
	const struct measure_sync_latencies *latencies, const struct measure_trace *trace);

#endif
