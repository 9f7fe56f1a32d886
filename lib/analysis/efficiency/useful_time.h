/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long a location computed in windows of time: what is left of them without the calls of its
 * table. No event is read again for that. */
#ifndef MEASURE_ANALYSIS_EFFICIENCY_USEFUL_TIME_H
#define MEASURE_ANALYSIS_EFFICIENCY_USEFUL_TIME_H

#include "analysis/waits/call_table.h"
#include "replay.h"

struct measure_useful_time {
	uint64_t useful; /* ticks outside of parallel runtimes, with those of files */
	uint64_t io;     /* ticks of files */
	uint64_t tests;  /* in MPI_Test and the like */
};

/* The part of a window from the first event of a location to its last. */
struct measure_interval measure_window_there(
	const struct measure_interval *window, const struct measure_call_table *table);

/* Windows are in order, and do not overlap. */
void measure_useful_time_find(const struct measure_call_table *table,
	const struct measure_interval *windows, size_t nr, struct measure_useful_time *times);

#endif
