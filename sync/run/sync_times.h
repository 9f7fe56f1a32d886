/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A correction that is written nowhere: what measure-sync would write, for who reads the same
 * archive again. */
#ifndef MEASURE_SYNC_RUN_SYNC_TIMES_H
#define MEASURE_SYNC_RUN_SYNC_TIMES_H

#include "sync_run.h"
#include "trace/archive/event_clock.h"

struct sync_times {
	struct measure_sync_correction *corrections; /* by domain */
	size_t nr_corrections;
	struct measure_sync_correction *by_location; /* the same, not to be freed one by one */
	struct measure_event_clock *clocks;          /* by location */
	size_t nr_locations;
	struct measure_clock clock; /* properties of the clock that all have now */
};

/* Collective, and all ranks get the same. Reads options->input and corrects it; on any other status
 * than MEASURE_OK measure_trace_error() says why not, and there is nothing to be freed. The memory
 * of arrays is bounded as it was before. */
measure_status_t sync_times_find(struct sync_times *times, const struct measure_sync_job *job,
	const struct sync_options *options, measure_sync_progress_fn progress);

/* From now on events of the trace, and of readers that are opened then, have the corrected times.
 * `times` must outlive it. */
void sync_times_use(const struct sync_times *times, struct measure_trace *trace);

void sync_times_free(struct sync_times *times);

#endif
