/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a report: report.c (sums), report_text.c and report_json.c (what is known without
 * a look at every event), report_stats_text.c and report_stats_json.c (what needs that). */
#ifndef MEASURE_SYNC_REPORT_REPORT_H
#define MEASURE_SYNC_REPORT_REPORT_H

#include "sync/run/sync_run.h"

struct sync_totals {
	uint64_t nr_receives;
	uint64_t nr_reversed[SYNC_NR_STAGES], nr_violated[SYNC_NR_STAGES];
	int64_t worst[SYNC_NR_STAGES]; /* ticks */
	uint64_t nr_jumps;
	uint64_t nr_relaxed, nr_unmatched;
	double seconds; /* of all passes */
};

struct sync_totals sync_report_add_up(const struct sync_run *run);

/* For %llu. */
static inline unsigned long long sync_report_number(uint64_t value)
{
	return value;
}

/* Ticks as seconds, also of sums. */
double sync_report_seconds(const struct sync_run *run, measure_wide_t ticks);

/* 0 to 1; of nothing 0. */
double sync_report_share(measure_wide_t part, measure_wide_t whole);

/* Mean displacement in seconds. */
double sync_report_mean_moved(const struct sync_run *run);

double sync_report_events_per_second(const struct sync_run *run, const struct sync_totals *totals);

/* With run->has_stats only. */
void sync_report_stats_text(const struct sync_run *run, FILE *file);
void sync_report_stats_json(const struct sync_run *run, FILE *file);

/* Of the numbers of events. */
double sync_report_rms_moved(const struct sync_run *run);
double sync_report_worst_share(const struct measure_sync_share *share);

#endif
