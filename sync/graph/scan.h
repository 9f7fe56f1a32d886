/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads all events of an archive once, by way of the matcher, into a graph. */
#ifndef MEASURE_SYNC_GRAPH_SCAN_H
#define MEASURE_SYNC_GRAPH_SCAN_H

#include "status.h"
#include "graph.h"

struct measure_sync_scan {
	uint64_t nr_events;
	uint32_t nr_damaged; /* locations that cannot be read to their end */
	uint32_t damaged;    /* the first of them */
};

/* Called now and then with the share of the work that is done, 0 to 1, by one thread at a time; may
 * be NULL. */
typedef void (*measure_sync_progress_fn)(double share);

/* Collective; the counts are those of all ranks. What has no partner goes to the trace's findings.
 * MEASURE_ERROR_FORMAT: times that go backwards or cannot be corrected; measure_trace_error() says
 * where. MEASURE_ERROR_IO: too many files are open. */
measure_status_t measure_sync_scan_read(struct measure_sync_graph *graph, unsigned nr_threads,
	measure_sync_progress_fn progress, struct measure_sync_scan *scan);

#endif
