/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The keeper's thread that samples metrics of its process, and of the node in one keeper per node.
 * It writes the samples itself. */
#ifndef MEASURE_KEEPER_SAMPLING_SAMPLER_H
#define MEASURE_KEEPER_SAMPLING_SAMPLER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "plugin_collector.h"
#include "keeper/process/keeper.h"
#include "format/segment.h"
#include "sampled_metrics.h"

/* One scope. */
struct measure_sampler_scope {
	struct measure_sampled_metrics sampling;
	struct measure_sample_file file;
	bool is_open;
	bool is_off; /* nothing to sample, or it cannot be */
};

struct measure_sampler {
	const struct measure_keeper *keeper;
	const struct measure_segment *segment;
	struct measure_sampler_scope process, node;
	struct measure_collectors plugins;
	bool has_node; /* this keeper does it for the node */
	bool has_job;  /* and what is of the job as a whole */
	bool is_running;
	const char *_Atomic busy; /* the plug-in that is asked; NULL: what Measure reads itself */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	bool is_over; /* under the lock */
	uint64_t end; /* under the lock: ticks when the program was over; 0: not known */
	bool is_replaced;
	bool is_done; /* under the lock: the thread is through */
	bool is_cut;  /* under the lock: it was not in time, and is not to touch the part again */
};

/* Before anything else writes to the keeper's journal, but by `triples`. Samples from when the
 * program records on. `is_second`: after a keeper that has died. Where nothing is to be sampled it
 * does nothing. */
void measure_sampler_start(struct measure_sampler *sampler, const struct measure_keeper *keeper,
	const struct measure_segment *segment, struct measure_clock_snapshots *triples,
	bool is_second);

/* `end`: ticks when the program was over, or has become another one. A plug-in that does not return
 * is said, and its thread left behind: what is in its file is what a killed keeper would leave. */
void measure_sampler_stop(struct measure_sampler *sampler, uint64_t end, bool is_replaced);

#endif
