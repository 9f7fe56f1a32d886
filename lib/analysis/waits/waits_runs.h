/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What reading waits is made of. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_RUNS_H
#define MEASURE_ANALYSIS_WAITS_WAITS_RUNS_H

#include <pthread.h>

#include "analysis/fold/fold_stream.h"
#include "candidates.h"
#include "sync/parallel/sync_ranks.h"

struct waits_run {
	size_t first, end; /* in reading order */
	struct measure_trace reader;
	struct measure_ranks ranks;
	struct measure_findings findings;
	struct measure_match *match;
	struct measure_candidates candidates;
	bool is_opened;
};

/* Of a location, until the call paths of all are one tree. */
struct waits_place {
	struct measure_profile profile;
	bool is_read;
};

struct waits_reading {
	struct measure_trace *trace;
	const struct measure_waits_options *options;
	const struct measure_sync_job *job;
	struct measure_waits *waits;
	struct measure_call_table *tables; /* by location */
	struct waits_place *places;        /* in reading order */
	struct waits_run *runs;
	size_t nr_runs;
	size_t first_run, end_run; /* what this process of the job reads */
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

/* Collective in a job: the first process gets the runs of all others, as if it had read them. */
void measure_waits_gather(struct waits_reading *reading);

/* Of a process that has sent all it has read. */
void measure_waits_drop_tables(struct waits_reading *reading);

#endif
