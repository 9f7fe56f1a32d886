/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums for a report, and its units. Whole numbers as long as possible: the same for any number of
 * threads. */
#include "config.h"

#include "report.h"

#include <math.h>
#include <sys/resource.h>

#define BYTES_PER_KIB 1024

const enum measure_check sync_report_unmatched[] = {MEASURE_CHECK_MESSAGE_UNMATCHED,
	MEASURE_CHECK_COLLECTIVE_INCOMPLETE, MEASURE_CHECK_COLLECTIVE_PAIR,
	MEASURE_CHECK_COLLECTIVE_OPERATION, MEASURE_CHECK_RMA_COLLECTIVE,
	MEASURE_CHECK_TEAM_INCOMPLETE, MEASURE_CHECK_TEAM_FORK, MEASURE_CHECK_BARRIER_INCOMPLETE,
	MEASURE_CHECK_TASK_UNKNOWN, MEASURE_NR_CHECKS};

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

static void add_clock(const struct sync_run *run, uint32_t clock, struct sync_totals *totals)
{
	const struct measure_sync_graph *graph = &run->graph;
	const struct measure_sync_correction *correction = &run->corrections[clock];

	totals->nr_knots += correction->nr_knots;
	totals->nr_binding += correction->nr_binding;
	totals->nr_added += correction->nr_added;
	totals->nr_steps += correction->nr - 1;
	for (size_t k = 0; k < graph->of[clock].nr; k++) {
		const struct measure_sync_record *record = &graph->of[clock].records[k];

		if (record->is_jump)
			totals->jumps[measure_sync_relation_of(graph, record)]++;
	}
}

struct sync_totals sync_report_add_up(const struct sync_run *run)
{
	struct sync_totals totals = {0};

	for (uint32_t i = 0; i < run->graph.nr_domains; i++)
		add_clock(run, i, &totals);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		totals.nr_receives += run->counts[SYNC_STAGE_INPUT].relations[i].nr;
		totals.nr_relaxed += run->relaxed.nr[i];
		totals.nr_jumps += totals.jumps[i];
	}
	for (int i = 0; i < SYNC_NR_STAGES; i++)
		add_stage(run, i, &totals);
	for (size_t i = 0; sync_report_unmatched[i] != MEASURE_NR_CHECKS; i++)
		totals.nr_unmatched += run->findings.counts[sync_report_unmatched[i]];
	for (int i = 0; i < SYNC_NR_PASSES; i++)
		totals.seconds += run->seconds[i];
	totals.slopes = measure_sync_slopes_of(&run->graph, run->corrections);
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

long sync_report_memory(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss * BYTES_PER_KIB : 0;
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
