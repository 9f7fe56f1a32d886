/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of records and regions: how many, how large, what recording them cost,
 * which were throttled or left out, which ones to leave out. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>

#include "base/figures.h"
#include "base/printable.h"
#include "format/event_chunk.h"
#include "format/run_layout.h"

#define FILTERED_TOLD 10 /* regions of which calls were left out */

static const char *region_name(const struct measure_summary *summary, uint32_t region)
{
	return measure_name_of_region(summary->definitions, region);
}

/* ------------------------------------------------------------------------ filtered --- */

static void print_filtered_by_rules(const struct measure_summary *summary)
{
	uint64_t calls = summary->nr_filtered - summary->nr_polls;
	size_t nr = 0, nr_told = 0;

	for (size_t i = 0; i < summary->filtered.nr; i++)
		nr += summary->filtered.items[i].calls > summary->filtered.items[i].polls;
	if (nr == 0)
		return;
	fprintf(summary->out,
		"excluded    %s call%s of %zu region%s, by filter conditions on calls:\n",
		measure_figure(calls), calls == 1 ? "" : "s", nr, nr == 1 ? "" : "s");
	for (size_t i = 0; i < summary->filtered.nr && nr_told < FILTERED_TOLD; i++) {
		const struct summary_filtered *region = &summary->filtered.items[i];
		if (region->calls == region->polls)
			continue;
		nr_told++;
		fprintf(summary->out, "            %15s  %s\n",
			measure_figure(region->calls - region->polls),
			MEASURE_PRINTABLE(region_name(summary, region->region)));
	}
	if (nr > nr_told)
		fprintf(summary->out, "            and of %zu more\n", nr - nr_told);
}

static void print_polls(const struct measure_summary *summary)
{
	char text[MEASURE_FIGURE_TEXT];

	if (summary->nr_polls == 0)
		return;
	fprintf(summary->out,
		"polls       %s unsuccessful poll%s not recorded: each directly followed "
		"another\n            unsuccessful one (--overhead=off records all)\n",
		measure_figure(summary->nr_polls), summary->nr_polls == 1 ? " was" : "s were");
	for (size_t i = 0; i < summary->filtered.nr; i++) {
		const struct summary_filtered *region = &summary->filtered.items[i];
		if (region->polls)
			fprintf(summary->out, "            %15s  %s, %s in total\n",
				measure_figure(region->polls),
				MEASURE_PRINTABLE(region_name(summary, region->region)),
				measure_figure_seconds(region->poll_seconds, text));
	}
}

void summary_print_filtered_calls(struct measure_summary *summary)
{
	print_filtered_by_rules(summary);
	print_polls(summary);
}

/* ------------------------------------------------------------------------ overhead --- */

static const char *const timing_words[] = {
#define SELF_TIMING(KIND, words) words,
#include "format/self_timings.def"
#undef SELF_TIMING
};

static void print_timing(const struct measure_summary *summary, uint32_t kind)
{
	const struct summary_timing *timing = &summary->timings[kind];
	char median[MEASURE_FIGURE_TEXT], mean[MEASURE_FIGURE_TEXT];

	if (timing->samples)
		fprintf(summary->out, "  %9s %9s %9s  %s\n",
			measure_figure_seconds(
				summary_timing_median(timing) * summary->tick, median),
			measure_figure_seconds(summary_timing_mean(timing) * summary->tick, mean),
			measure_figure(timing->samples), timing_words[kind]);
}

/* Against what the program would have used without being recorded. */
static void print_share(FILE *out, double cost, double processor)
{
	char text[MEASURE_FIGURE_TEXT];

	if (cost > 0.99 * processor)
		fprintf(out, ": nearly all of that");
	else
		fprintf(out, ": %s more than without recording",
			measure_figure_percent(cost / (processor - cost), text));
}

static void print_processor_time(FILE *out, const struct summary_overhead *overhead)
{
	double cost = summary_overhead_sum(overhead);
	char text[MEASURE_FIGURE_TEXT];

	fprintf(out, "  about %s of processor time", measure_figure_seconds(cost, text));
	if (overhead->processor > 0) {
		fprintf(out, ", of %s used by the program",
			measure_figure_seconds(overhead->processor, text));
		print_share(out, cost, overhead->processor);
	}
	fputc('\n', out);
	if (overhead->memory > 0.05 * cost)
		fprintf(out, "  including about %s for allocating event memory\n",
			measure_figure_seconds(overhead->memory, text));
	if (overhead->deciding > 0)
		fprintf(out, "  including about %s for calls that were examined but not recorded\n",
			measure_figure_seconds(overhead->deciding, text));
	if (overhead->keepers > 0)
		fprintf(out, "  and %s in the keepers, which write the events\n",
			measure_figure_seconds(overhead->keepers, text));
	if (overhead->hooks > 0)
		fprintf(out,
			"  Not included: the cost of -finstrument-functions itself, that is, less "
			"inlining\n  and hook calls (about %s).\n",
			measure_figure_seconds(overhead->hooks, text));
}

static void print_overhead(const struct measure_summary *summary)
{
	FILE *out = summary->out;

	fprintf(out, "\nCost of recording\n");
	if (summary->overhead.all_events <= 0) {
		fprintf(out, "  unknown: too few events; none timed itself\n");
		return;
	}
	print_processor_time(out, &summary->overhead);
	fprintf(out, "  Events that timed themselves:\n  %9s %9s %9s\n", "median", "mean", "timed");
	for (uint32_t kind = 0; kind < MEASURE_TIMING_KINDS; kind++)
		print_timing(summary, kind);
}

/* ---------------------------------------------------------------------- throttled --- */

static void print_one_throttled(
	const struct measure_summary *summary, const struct summary_throttled *throttled)
{
	const size_t nr_processes = summary->definitions->nr_processes;
	char mean[MEASURE_FIGURE_TEXT];

	fprintf(summary->out, "  %15s %9s ", measure_figure(throttled->calls),
		measure_figure_seconds(throttled->mean, mean));
	if (throttled->mean >= 0)
		fprintf(summary->out, "%9.4f s  ", throttled->after);
	else
		fprintf(summary->out, "%11s  ", "-");
	fprintf(summary->out, "%s", MEASURE_PRINTABLE(region_name(summary, throttled->region)));
	if (nr_processes > 1)
		fprintf(summary->out, ", in %u process%s", throttled->nr_processes,
			throttled->nr_processes == 1 ? "" : "es");
	fputc('\n', summary->out);
}

static void print_throttled(const struct measure_summary *summary)
{
	const char *percent = summary_process_text(summary, "MEASURE::OVERHEAD");
	const size_t nr = summary->throttled.nr;

	if (!*percent && nr == 0)
		return;
	fprintf(summary->out, "\nThrottling, --overhead=%s\n", *percent ? percent : "?");
	if (nr == 0) {
		fprintf(summary->out, "  no function was disabled\n");
		return;
	}
	fprintf(summary->out,
		"  %zu function%s disabled while the program ran. Only these calls are "
		"recorded:\n  %15s %9s %11s  function\n",
		nr, nr == 1 ? " was" : "s were", "calls", "mean", "until");
	for (size_t i = 0; i < nr; i++)
		print_one_throttled(summary, &summary->throttled.items[i]);
}

/* ------------------------------------------------------------------------- records --- */

static int compare_kinds(const void *left, const void *right, void *kinds)
{
	const struct summary_kind *all = kinds;
	uint8_t a = *(const uint8_t *)left, b = *(const uint8_t *)right;

	if (all[a].events != all[b].events)
		return all[a].events < all[b].events ? 1 : -1;
	return (a > b) - (a < b);
}

static void print_kinds(struct measure_summary *summary)
{
	struct summary_kind *kinds = summary->events.kinds;
	uint8_t order[SUMMARY_KINDS];

	for (uint32_t i = 0; i < SUMMARY_KINDS; i++)
		order[i] = (uint8_t)i;
	qsort_r(order, SUMMARY_KINDS, 1, compare_kinds, kinds);
	fprintf(summary->out, "\nRecords%s\n  %15s %17s  kind\n",
		summary_is_estimated(summary) ? ", estimated from a part of them" : "", "number",
		"bytes");
	for (uint32_t i = 0; i < SUMMARY_KINDS && kinds[order[i]].events; i++) {
		const struct summary_kind *kind = &kinds[order[i]];
		fprintf(summary->out, "  %15s %17s  ", measure_figure(kind->events),
			measure_figure(kind->bytes));
		if (measure_chunk_type_name(order[i]))
			fprintf(summary->out, "%s\n", measure_chunk_type_name(order[i]));
		else
			fprintf(summary->out, "number %u\n", order[i]);
	}
}

static void print_top(const struct measure_summary *summary)
{
	char typical[MEASURE_FIGURE_TEXT], mean[MEASURE_FIGURE_TEXT];

	fprintf(summary->out, "\nRegions with the most events%s\n  %15s %17s  %9s %9s  region\n",
		summary_is_estimated(summary) ? ", estimated" : "", "number", "bytes", "typical",
		"mean");
	for (size_t i = 0; i < summary->regions.nr && i < SUMMARY_TOP; i++) {
		const struct summary_region *top = &summary->regions.items[i];
		if (top->events == 0)
			break;
		fprintf(summary->out, "  %15s %17s  %9s %9s  %s\n", measure_figure(top->events),
			measure_figure(top->bytes),
			measure_figure_seconds(summary_typical_visit(summary, top), typical),
			measure_figure_seconds(summary_mean_visit(summary, top), mean),
			MEASURE_PRINTABLE(region_name(summary, top->region)));
	}
}

static void print_suggestion(const struct measure_summary *summary)
{
	const size_t nr = summary->suggested.nr;
	char text[MEASURE_FIGURE_TEXT];

	fprintf(summary->out,
		"\n  " MEASURE_SUGGESTION_NAME
		" excludes %zu function%s that %s short and called often:\n  %s events (%.1f %%) "
		"and %s bytes fewer",
		nr, nr == 1 ? "" : "s", nr == 1 ? "is" : "are",
		measure_figure(summary->saved.events),
		100 * (double)summary->saved.events / (double)summary->nr_counted,
		measure_figure(summary->saved.bytes));
	if (summary->overhead.function_event > 0)
		fprintf(summary->out, ",\n  and about %s less processor time",
			measure_figure_seconds(
				summary->overhead.function_event * (double)summary->saved.events,
				text));
	fprintf(summary->out, ":\n  measure --filter=%s/" MEASURE_SUGGESTION_NAME "\n",
		MEASURE_PRINTABLE(summary->run.name));
}

void summary_print_events(struct measure_summary *summary)
{
	const bool is_known = summary->profile.nr_events > 0;

	if (is_known)
		print_overhead(summary);
	print_throttled(summary);
	if (!is_known)
		return;
	print_kinds(summary);
	if (summary->regions.nr && summary->regions.items[0].events)
		print_top(summary);
	if (summary->suggested.nr)
		print_suggestion(summary);
}
