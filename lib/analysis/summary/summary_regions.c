/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What summary.txt says of records and regions: how many, how large, what recording them cost,
 * which were throttled, which ones to leave out. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "format/run_layout.h"
#include "base/printable.h"
#include "format/event_chunk.h"
#include "summary.h"

#define LEFT_OUT_TOLD 10 /* regions of which calls were left out */

static int compare_kinds(const void *left, const void *right, void *kinds)
{
	const struct measure_record_statistics_kind *all = kinds;
	uint8_t a = *(const uint8_t *)left, b = *(const uint8_t *)right;

	if (all[a].events != all[b].events)
		return all[a].events < all[b].events ? 1 : -1;
	return (a > b) - (a < b);
}

static void print_kinds(FILE *out, const struct measure_trace_statistics *account)
{
	struct measure_trace_statistics copy = *account;
	uint8_t order[MEASURE_TALLY_KINDS];

	for (uint32_t i = 0; i < MEASURE_TALLY_KINDS; i++)
		order[i] = (uint8_t)i;
	qsort_r(order, MEASURE_TALLY_KINDS, 1, compare_kinds, copy.kinds);
	fprintf(out, "\nRecords%s\n  %15s %17s  kind\n",
		account->is_estimated ? ", estimated from a part of them" : "", "number", "bytes");
	for (uint32_t i = 0; i < MEASURE_TALLY_KINDS; i++) {
		const struct measure_record_statistics_kind *kind = &account->kinds[order[i]];
		if (kind->events == 0)
			break;
		fprintf(out, "  %15s %17s  ", measure_summary_number(kind->events),
			measure_summary_number(kind->bytes));
		if (measure_chunk_type_name(order[i]))
			fprintf(out, "%s\n", measure_chunk_type_name(order[i]));
		else
			fprintf(out, "number %u\n", order[i]);
	}
}

/* Seven columns: "12.3 ns". */
static const char *duration(double seconds, char text[16])
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t unit = 0;
	double value = seconds * 1e9;

	if (seconds < 0)
		return "-";
	for (; unit < 3 && value >= 999.5; unit++)
		value /= 1000;
	snprintf(text, 16, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
	return text;
}

static const char *regions_name_of(const struct measure_unified *unified, uint32_t region)
{
	const struct measure_archive_definitions *definitions = &unified->definitions;

	return measure_intern_key(&definitions->strings, definitions->regions.items[region].name);
}

static void print_left_out_by_rules(FILE *out, const struct measure_unified *unified,
	const struct measure_filtered_calls *left_out)
{
	uint64_t calls = left_out->calls - left_out->polls;
	size_t nr = 0, nr_told = 0;

	for (size_t i = 0; i < left_out->regions.nr; i++)
		nr += left_out->regions.items[i].calls > left_out->regions.items[i].polls;
	if (nr == 0)
		return;
	fprintf(out, "left out    %s call%s of %zu region%s, by rules on single calls:\n",
		measure_summary_number(calls), calls == 1 ? "" : "s", nr, nr == 1 ? "" : "s");
	for (size_t i = 0; i < left_out->regions.nr && nr_told < LEFT_OUT_TOLD; i++) {
		const struct measure_filtered_calls_region *region = &left_out->regions.items[i];
		if (region->calls == region->polls)
			continue;
		nr_told++;
		fprintf(out, "            %15s  %s\n",
			measure_summary_number(region->calls - region->polls),
			MEASURE_PRINTABLE(regions_name_of(unified, region->region)));
	}
	if (nr > nr_told)
		fprintf(out, "            and of %zu more\n", nr - nr_told);
}

static void print_polls(FILE *out, const struct measure_unified *unified,
	const struct measure_filtered_calls *left_out)
{
	char text[16];

	if (left_out->polls == 0)
		return;
	fprintf(out,
		"polls       %s unsuccessful poll%s not recorded: each directly followed "
		"another\n            unsuccessful one (--overhead=off records them all)\n",
		measure_summary_number(left_out->polls), left_out->polls == 1 ? " was" : "s were");
	for (size_t i = 0; i < left_out->regions.nr; i++) {
		const struct measure_filtered_calls_region *region = &left_out->regions.items[i];
		if (region->polls)
			fprintf(out, "            %15s  %s, %s in total\n",
				measure_summary_number(region->polls),
				MEASURE_PRINTABLE(regions_name_of(unified, region->region)),
				duration(region->poll_seconds, text));
	}
}

void measure_summary_print_left_out(FILE *out, const struct measure_unified *unified,
	const struct measure_filtered_calls *left_out)
{
	print_left_out_by_rules(out, unified, left_out);
	print_polls(out, unified, left_out);
}

static void print_top(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account)
{
	char typical[16], mean[16];

	fprintf(out, "\nRegions with the most events%s\n  %15s %17s  %9s %9s  region\n",
		account->is_estimated ? ", estimated" : "", "number", "bytes", "typical", "mean");
	for (uint32_t i = 0; i < account->nr_top; i++) {
		const struct measure_trace_statistics_region *top = &account->top[i];
		fprintf(out, "  %15s %17s  %9s %9s  %s\n", measure_summary_number(top->events),
			measure_summary_number(top->bytes),
			duration(measure_trace_statistics_typical(top), typical),
			duration(measure_trace_statistics_mean(top), mean),
			MEASURE_PRINTABLE(regions_name_of(unified, top->region)));
	}
}

static void print_cost(FILE *out, uint32_t kind, const struct measure_cost *cost, double tick)
{
	char median[16], mean[16];

	if (cost->samples)
		fprintf(out, "  %9s %9s %9s  %s\n",
			duration(measure_cost_median(cost) * tick, median),
			duration(measure_cost_mean(cost) * tick, mean),
			measure_summary_number(cost->samples), measure_cost_words(kind));
}

/* Against what the program would have used without being recorded. */
static void print_share(FILE *out, double cost, double processor)
{
	double without = processor - cost;

	if (cost > 0.99 * processor)
		fprintf(out, ": nearly all of it");
	else if (cost < 0.0995 * without)
		fprintf(out, ": %.1f %% more than without", 100 * cost / without);
	else
		fprintf(out, ": %s %% more than without",
			measure_summary_number((uint64_t)(100 * cost / without + 0.5)));
}

static void print_processor_time(FILE *out, const struct measure_trace_statistics *account)
{
	double cost = measure_trace_statistics_cost(account);
	char text[16];

	fprintf(out, "  about %s of processor time", duration(cost, text));
	if (account->processor_seconds > 0) {
		fprintf(out, ", of %s that the program used",
			duration(account->processor_seconds, text));
		print_share(out, cost, account->processor_seconds);
	}
	fputc('\n', out);
	if (account->memory_seconds > 0.05 * cost)
		fprintf(out, "  including about %s for new memory of events\n",
			duration(account->memory_seconds, text));
	if (account->deciding_seconds > 0)
		fprintf(out, "  including about %s for calls that were examined but not recorded\n",
			duration(account->deciding_seconds, text));
	if (account->keeper_seconds > 0)
		fprintf(out, "  and %s in processes of Measure, which write the events meanwhile\n",
			duration(account->keeper_seconds, text));
	if (account->hook_seconds > 0)
		fprintf(out,
			"  Not included: what -finstrument-functions costs without measure, too: "
			"less\n  inlining, and calls of empty hooks (about %s).\n",
			duration(account->hook_seconds, text));
}

static void print_costs(FILE *out, const struct measure_trace_statistics *account, double tick)
{
	fprintf(out, "\nCost of recording\n");
	if (account->recording_seconds <= 0) {
		fprintf(out, "  not known: there were too few events for one to time itself\n");
		return;
	}
	print_processor_time(out, account);
	fprintf(out, "  Events that timed themselves:\n  %9s %9s %9s\n", "median", "mean", "timed");
	for (uint32_t kind = 0; kind < MEASURE_PROBE_KINDS; kind++)
		print_cost(out, kind, &account->costs[kind], tick);
}

static void print_one_throttled(
	FILE *out, const struct measure_unified *unified, const struct measure_throttled *throttled)
{
	char mean[16];

	fprintf(out, "  %15s %9s ", measure_summary_number(throttled->calls),
		duration(measure_throttled_mean(throttled), mean));
	if (isfinite(throttled->after))
		fprintf(out, "%9.4f s  ", throttled->after);
	else
		fprintf(out, "%11s  ", "-");
	fprintf(out, "%s", MEASURE_PRINTABLE(regions_name_of(unified, throttled->region)));
	if (unified->job->processes.nr > 1)
		fprintf(out, ", in %u process%s", throttled->nr_processes,
			throttled->nr_processes == 1 ? "" : "es");
	fputc('\n', out);
}

static void print_throttled(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account)
{
	const char *percent = measure_throttled_option(unified->job);
	const measure_throttled_list_t *throttled = &account->throttled;

	if (!percent && throttled->nr == 0)
		return;
	fprintf(out, "\nThrottling, --overhead=%s\n", percent ? percent : "?");
	if (throttled->nr == 0) {
		fprintf(out, "  no function had to be switched off\n");
		return;
	}
	fprintf(out,
		"  %zu function%s switched off while the program ran. These calls are recorded, "
		"later ones\n  are not:\n"
		"  %15s %9s %11s  function\n",
		throttled->nr, throttled->nr == 1 ? " was" : "s were", "calls", "mean", "until");
	for (size_t i = 0; i < throttled->nr; i++)
		print_one_throttled(out, unified, &throttled->items[i]);
}

static void print_suggestion(
	FILE *out, const struct measure_trace_statistics *account, const struct measure_run *run)
{
	char text[16];

	fprintf(out,
		"\n  " MEASURE_SUGGESTION_NAME
		" leaves out %u function%s that %s entered often and "
		"left soon:\n  %s events (%.1f %%) and %s bytes fewer",
		(unsigned)account->suggested.nr, account->suggested.nr == 1 ? "" : "s",
		account->suggested.nr == 1 ? "is" : "are",
		measure_summary_number(account->saved.events),
		100 * (double)account->saved.events / (double)account->nr_events,
		measure_summary_number(account->saved.bytes));
	if (account->function_seconds > 0)
		fprintf(out, ",\n  and about %s less processor time",
			duration(account->function_seconds * (double)account->saved.events, text));
	fprintf(out, ":\n  measure --filter=%s/" MEASURE_SUGGESTION_NAME "\n",
		MEASURE_PRINTABLE(run->name));
}

void measure_summary_print_account(FILE *out, const struct measure_unified *unified,
	const struct measure_trace_statistics *account, const struct measure_run *run, double tick)
{
	if (!account->is_known) {
		print_throttled(out, unified, account);
		return;
	}
	print_costs(out, account, tick);
	print_throttled(out, unified, account);
	print_kinds(out, account);
	if (account->nr_top)
		print_top(out, unified, account);
	if (account->suggested.nr)
		print_suggestion(out, account, run);
}
