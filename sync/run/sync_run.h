/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One correction of one archive, from reading to writing, and what came of it. */
#ifndef MEASURE_SYNC_RUN_SYNC_RUN_H
#define MEASURE_SYNC_RUN_SYNC_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sync_rules.h"
#include "sync/clc/violations.h"
#include "sync/write/emit.h"
#include "sync/compensation/compensation.h"
#include "sync/initial/message_bounds.h"
#include "sync/initial/presync.h"
#include "sync/clc/replay.h"
#include "sync/graph/scan.h"
#include "sync/clc/rate_statistics.h"
#include "sync/statistics/stats.h"
#include "trace/relations/relation_selection.h"

struct sync_options {
	const char *input, *output; /* output: NULL with is_in_place */
	bool is_in_place, is_quiet, is_json;
	const char *report; /* or NULL */
	unsigned nr_threads;
	uint64_t memory; /* bytes: what arrays have at most; more lies in a file */
	enum measure_sync_domain domain;
	enum measure_presync presync;
	bool is_presync_chosen;
	enum measure_presync_ends ends;
	enum measure_sync_backward_rule rule;
	enum measure_sync_emit_kind emit;
	struct measure_sync_rate rate;
	/* nanoseconds */
	struct measure_sync_latencies latencies;
	struct measure_selection selection;
	bool has_full_statistics;
	struct measure_sync_window window;
	struct sync_rules rules;
	enum measure_compensation_method compensation;
	const char *costs; /* file with what events cost; NULL: as the archive says */
};

/* As the manual says what is usual, of one thread. */
void sync_options_start(struct sync_options *options);

enum sync_pass {
	SYNC_PASS_SCAN,
	SYNC_PASS_FORWARD,
	SYNC_PASS_BACKWARD,
	SYNC_PASS_COUNT,
	SYNC_PASS_COMPENSATION,
	SYNC_PASS_EMIT,
	SYNC_PASS_STATISTICS,
	SYNC_NR_PASSES
};

extern const char *const sync_pass_words[SYNC_NR_PASSES];

/* Times at which the relations are counted. */
enum sync_stage {
	SYNC_STAGE_INPUT,
	SYNC_STAGE_PRESYNC,
	SYNC_STAGE_FORWARD,
	SYNC_STAGE_RESULT,
	SYNC_NR_STAGES
};

extern const char *const sync_stage_words[SYNC_NR_STAGES];

struct sync_clock_totals {
	/* Receives that the forward pass put behind their sends. */
	uint64_t jumps[MEASURE_NR_RELATIONS];
	uint64_t nr_knots, nr_binding, nr_added, nr_steps;
	struct measure_sync_rates slopes;
};

struct sync_run {
	const struct sync_options *options;
	const struct measure_sync_job *job;
	struct measure_findings findings;
	struct measure_trace *trace;
	struct measure_clock_function *presync; /* by location */
	bool is_estimated;               /* from messages, instead of clock offsets */
	struct measure_sync_estimated estimated;
	uint64_t nr_dropped; /* clock offsets that turn time back */
	struct measure_sync_graph graph;
	struct measure_sync_correction *corrections; /* by domain */
	struct measure_sync_scan scan;
	struct measure_sync_relaxed relaxed;
	struct measure_sync_counts counts[SYNC_NR_STAGES];
	struct measure_sync_displacement displacement;
	struct sync_clock_totals clocks;
	struct measure_event_costs *costs; /* or NULL */
	struct measure_compensation compensation;
	struct measure_sync_emission emission;
	bool has_stats;
	struct measure_sync_stats stats;
	double seconds[SYNC_NR_PASSES];
	/* bytes: the most that each rank had, added up; spilled: in files */
	uint64_t memory, spilled;
};

/* Collective. Reads and corrects: run->corrections are those of this rank. run->graph refers to the
 * options. */
measure_status_t sync_run_correct(struct sync_run *run, const struct measure_sync_job *job,
	const struct sync_options *options, measure_sync_progress_fn progress);

/* Collective. The same, and writes the archive to `directory`. measure_trace_error() tells why
 * not, on all ranks. What has been counted is in the run of the first rank. */
measure_status_t sync_run(struct sync_run *run, const struct measure_sync_job *job,
	const struct sync_options *options, const char *directory,
	measure_sync_progress_fn progress);
void sync_run_free(struct sync_run *run);

/* What tells of events without a partner; MEASURE_NR_CHECKS ends it. */
extern const enum measure_check sync_run_unmatched[];

/* True where nothing is left that contradicts what the archive says of its events. */
bool sync_run_is_clean(const struct sync_run *run);

/* sync_costs.c: run->costs, as options, archive or machine say. */
measure_status_t sync_costs_find(struct sync_run *run);

/* sync_inspect.c: whether anything can be made of the archive, once it is open, and once it is
 * read. */
measure_status_t sync_inspect(const struct sync_run *run);
measure_status_t sync_inspect_events(const struct sync_run *run);

/* report_text.c, report_json.c */
void sync_report_text(const struct sync_run *run, FILE *file);
void sync_report_json(const struct sync_run *run, FILE *file);

/* report_compensation.c: as part of these, where there is one */
void sync_report_compensation_text(const struct sync_run *run, FILE *file);
void sync_report_compensation_head(const struct sync_run *run, FILE *file); /* alone: sums */
void sync_report_compensation_json(const struct sync_run *run, FILE *file);

/* report_clocks.c: presynchronisation, and clocks that came apart, as part of these */
void sync_report_clocks_text(const struct sync_run *run, FILE *file);
void sync_report_clocks_json(const struct sync_run *run, FILE *file);

#endif
