/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums for a report, and its units. Whole numbers as long as possible: the same for any number of
 * threads. */
#include "config.h"

#include "report.h"

#include <math.h>

static void add_stage(const struct sync_run *run, enum sync_stage stage, struct sync_totals *totals)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_sync_relation_counts *counts =
			&run->counts[stage].relations[i];

		totals->nr_reversed[stage] += counts->nr_reversed;
		totals->nr_violated[stage] += counts->nr_violated;
		if (counts->worst > totals->worst[stage])
			totals->worst[stage] = counts->worst;
	}
}

struct sync_totals sync_report_add_up(const struct sync_run *run)
{
	struct sync_totals totals = {0};

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		totals.nr_receives += run->counts[SYNC_STAGE_INPUT].relations[i].nr;
		totals.nr_relaxed += run->relaxed.nr[i];
		totals.nr_jumps += run->clocks.jumps[i];
	}
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		add_stage(run, i, &totals);
	for (size_t i = 0; sync_run_unmatched[i] != MEASURE_NR_CHECKS; i++)
		totals.nr_unmatched += run->findings.counts[sync_run_unmatched[i]];
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		totals.seconds += run->seconds[i];
	return totals;
}

double sync_report_seconds(const struct sync_run *run, measure_wide_t ticks)
{
	return (double)ticks * measure_trace_span(run->trace, 1);
}

double sync_report_share(measure_wide_t part, measure_wide_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

double sync_report_mean_moved(const struct sync_run *run)
{
	const struct measure_sync_displacement *moved = &run->displacement;

	return sync_report_share(moved->sum, moved->nr) * measure_trace_span(run->trace, 1);
}

double sync_report_events_per_second(const struct sync_run *run, const struct sync_totals *totals)
{
	double seconds = totals->seconds - run->seconds[SYNC_PASS_STATISTICS];

	return seconds > 0 ? (double)run->scan.nr_events / seconds : 0;
}

double sync_report_rms_moved(const struct sync_run *run)
{
	const struct measure_sync_event_stats *events = &run->stats.events;

	if (events->nr == 0)
		return 0;
	return sqrt((double)events->squares / (double)events->nr) *
	       measure_trace_span(run->trace, 1);
}

double sync_report_worst_share(const struct measure_sync_share *share)
{
	return sync_report_share(share->part, share->whole);
}
