/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Least times that anything takes, as tools take them: --lmin process=0,node=50ns,network=1us. */
#ifndef MEASURE_BIN_LATENCIES_H
#define MEASURE_BIN_LATENCIES_H

#include "sync/graph.h"

/* In nanoseconds: 0 between threads, 50 on a node; no network is faster than 500. */
extern const struct measure_sync_latencies measure_latencies_usual;

/* Changes what `list` names; in nanoseconds. -1: go on; otherwise the exit status, and what is
 * wrong has been said. */
int measure_latencies_parse(const char *list, struct measure_sync_latencies *latencies);

/* From nanoseconds to ticks of a trace. */
struct measure_sync_latencies measure_latencies_in_ticks(
	const struct measure_sync_latencies *latencies, const struct measure_trace *trace);

#endif
