/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What follows from the counts of events: which regions have most of them, what recording cost, and
 * which functions a filter should leave out. */
#include "config.h"

#include "summary_internal.h"

#include <stdlib.h>
#include <string.h>

#include "format/event_chunk.h"
#include "format/otf2_records.h"

/* A function is worth a rule if it makes this share of all events that are not suggested yet, and a
 * visit typically lasts no longer than this: recording one takes 30 ns and more, and hides what the
 * function itself does. */
#define SHARE_TO_SUGGEST   0.01
#define SECONDS_TO_SUGGEST 1e-6
#define VISITS_TO_SUGGEST  100 /* in each process: fewer are no trouble */

/* What a call of a hook costs that does nothing: `make bench` says 1.7 ns. */
#define HOOK_SECONDS 2e-9

/* What an event of a function costs where too few have timed themselves to say what it costs those
 * that are called all the time. */
#define EVENT_SECONDS 15e-9
#define MANY_SAMPLES  100

/* What a call costs that a filter has looked at and left out, or taken back, in events of
 * functions: doc/HOTPATH.md. */
#define EVENTS_OF_DECISION 3

#define BARE_EVENTS 2 /* ProgramBegin and ProgramEnd of a process */

bool summary_is_bare(const struct measure_summary *summary)
{
	return summary->nr_events &&
	       summary->nr_events <= BARE_EVENTS * summary->definitions->nr_processes;
}

/* Where one is recorded, all are followed. */
uint64_t summary_nr_unfollowed(const struct measure_summary *summary)
{
	const struct measure_definitions *definitions = summary->definitions;

	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		if (definitions->location_groups[i].creator != MEASURE_NONE &&
			!measure_group_is_device(&definitions->location_groups[i]))
			return 0;
	return summary_number(summary, "MEASURE::NOTE::FORKS");
}

double summary_mean_visit(
	const struct measure_summary *summary, const struct summary_region *region)
{
	return region->measured ? summary_seconds(summary, region->ticks) / (double)region->measured
				: -1;
}

double summary_typical_visit(
	const struct measure_summary *summary, const struct summary_region *region)
{
	return region->measured ? summary_seconds(summary, region->typical) : -1;
}

/* ----------------------------------------------------------------------- overhead --- */

/* Seconds of an event; 0: not one timed itself. */
static double cost_of_event(const struct measure_summary *summary, enum measure_timing_kind first,
	enum measure_timing_kind last)
{
	double sum = 0;
	uint64_t nr = 0;

	for (uint32_t kind = first; kind <= last; kind++) {
		const struct summary_timing *timing = &summary->timings[kind];
		sum += summary_timing_typical(timing, kind) * (double)timing->events;
		nr += timing->events;
	}
	return nr ? sum / (double)nr * summary->tick : 0;
}

double summary_overhead_sum(const struct summary_overhead *overhead)
{
	return overhead->all_events + overhead->memory + overhead->deciding;
}

static double deciding_seconds(const struct measure_summary *summary)
{
	uint64_t samples = summary->timings[MEASURE_TIMING_FUNCTION_ENTER].samples +
			   summary->timings[MEASURE_TIMING_FUNCTION_LEAVE].samples;
	double event = samples >= MANY_SAMPLES ? summary->overhead.function_event : EVENT_SECONDS;

	return EVENTS_OF_DECISION * event * (double)summary->nr_filtered;
}

static double property_seconds(const struct measure_summary *summary, const char *name)
{
	const char *text = summary_text(summary, name);

	return text ? strtod(text, NULL) : 0;
}

/* Events are timed one by one, and few of them, by a clock that may count in steps as long as an
 * event: where most of a program's time is recording, their number times such a time may well be
 * more than there was. The processor time that was used is measured as a whole; what the program
 * needed for itself is no part of the cost: at least the calls of empty hooks. Where nobody knows
 * the processor time, that of a thread is at most from its first to its last event. Then an event
 * has taken less than those that timed themselves. */
static void fit_to_time(struct measure_summary *summary)
{
	struct summary_overhead *overhead = &summary->overhead;
	const double used = overhead->processor > 0
				    ? overhead->processor
				    : property_seconds(summary, "MEASURE::THREAD_TIME");
	const double all = summary_overhead_sum(overhead);

	if (used <= 0)
		return;
	if (overhead->hooks > used / 2)
		overhead->hooks = used / 2;
	if (all <= used - overhead->hooks)
		return;
	const double factor = (used - overhead->hooks) / all;
	overhead->function_event *= factor;
	overhead->other_event *= factor;
	overhead->all_events *= factor;
	overhead->memory *= factor;
	overhead->deciding *= factor;
}

/* Events of a cost of their own: values of metrics are in that of the entry or exit behind them. */
static uint64_t nr_costly(const struct measure_summary *summary)
{
	return summary->nr_counted - summary->events.kinds[MEASURE_OTF2_METRIC].events -
	       summary->events.kinds[MEASURE_OTF2_CALLING_CONTEXT_SAMPLE].events;
}

/* Was it compiled with hooks? Functions of compiled modules have these as their descriptions, those
 * of interpreters have none. */
static bool has_hooks(const struct measure_summary *summary, const struct measure_region *region)
{
	return region->paradigm == OTF2_PARADIGM_COMPILER &&
	       *summary_string(summary, region->description);
}

/* Where one of both is not known, it counts as the other. */
static void estimate_overhead(struct measure_summary *summary)
{
	struct summary_overhead *overhead = &summary->overhead;
	double functions = cost_of_event(
		summary, MEASURE_TIMING_FUNCTION_ENTER, MEASURE_TIMING_FUNCTION_LEAVE);
	double others = cost_of_event(summary, MEASURE_TIMING_CALL_ENTER, MEASURE_TIMING_OTHER);
	double sample = cost_of_event(summary, MEASURE_TIMING_SAMPLE, MEASURE_TIMING_SAMPLE);
	uint64_t nr_functions = 0, nr_hooks = 0;

	for (size_t i = 0; i < summary->regions.nr; i++) {
		const struct summary_region *region = &summary->regions.items[i];
		const struct measure_region *definition =
			&summary->definitions->regions[region->region];
		if (definition->paradigm == OTF2_PARADIGM_COMPILER)
			nr_functions += region->events;
		if (has_hooks(summary, definition))
			nr_hooks += region->events;
		if (definition->paradigm == OTF2_PARADIGM_MPI)
			summary->mpi_bytes += region->bytes;
	}
	overhead->processor = property_seconds(summary, "MEASURE::PROCESSOR_TIME");
	overhead->keepers = property_seconds(summary, "MEASURE::KEEPER_TIME");
	overhead->memory = property_seconds(summary, "MEASURE::COST_OF_MEMORY");
	overhead->function_event = functions > 0 ? functions : others;
	overhead->other_event = others > 0 ? others : functions;
	overhead->hooks = HOOK_SECONDS * (double)nr_hooks;
	overhead->deciding = deciding_seconds(summary);
	overhead->all_events =
		overhead->function_event * (double)nr_functions +
		overhead->other_event * (double)(nr_costly(summary) - nr_functions) +
		sample * (double)summary->events.kinds[MEASURE_OTF2_CALLING_CONTEXT_SAMPLE].events;
	fit_to_time(summary);
}

/* --------------------------------------------------------------------- suggestion --- */

/* As a filter knows it: C++ and Fortran modules by the linker's names. */
static uint32_t rule_of(const struct measure_summary *summary, uint32_t region)
{
	const struct measure_region *definition = &summary->definitions->regions[region];

	return definition->canonical_name == MEASURE_NONE ? definition->name
							  : definition->canonical_name;
}

static bool is_suggested(const struct measure_summary *summary, uint32_t region)
{
	for (size_t i = 0; i < summary->suggested.nr; i++)
		if (rule_of(summary, summary->suggested.items[i].region) ==
			rule_of(summary, region))
			return true;
	return false;
}

/* Of a visit without the recording of what it calls, which a filter would leave out as well. */
static double bare_visit(const struct measure_summary *summary, const struct summary_region *region)
{
	return summary_typical_visit(summary, region) -
	       (double)region->nested / (double)region->measured *
		       cost_of_event(summary, MEASURE_TIMING_FUNCTION_ENTER,
			       MEASURE_TIMING_FUNCTION_LEAVE);
}

/* `left`: events that are not suggested yet. */
static bool is_worth_a_rule(
	const struct measure_summary *summary, const struct summary_region *region, uint64_t left)
{
	return summary->definitions->regions[region->region].paradigm == OTF2_PARADIGM_COMPILER &&
	       region->measured &&
	       region->visits >= VISITS_TO_SUGGEST * summary->definitions->nr_location_groups &&
	       (double)region->events >= SHARE_TO_SUGGEST * (double)left &&
	       bare_visit(summary, region) < SECONDS_TO_SUGGEST;
}

/* Rules are by name, and regions of other files may have the same one. */
static measure_status_t suggest_one(
	struct measure_summary *summary, const struct summary_region *suggested)
{
	const uint32_t rule = rule_of(summary, suggested->region);

	if (is_suggested(summary, suggested->region))
		return MEASURE_OK;
	for (size_t i = 0; i < summary->regions.nr; i++) {
		const struct summary_region *region = &summary->regions.items[i];
		if (rule_of(summary, region->region) != rule)
			continue;
		summary->saved.events += region->events;
		summary->saved.bytes += region->bytes;
	}
	return measure_array_push(&summary->suggested, *suggested);
}

/* What is left when the first ones are gone has other shares: until nothing is found any more, so
 * that the next recording suggests nothing. What was switched off has no events left, maybe. */
static measure_status_t suggest(struct measure_summary *summary)
{
	measure_status_t status = MEASURE_OK;
	size_t before;

	for (size_t i = 0; i < summary->regions.nr && status == MEASURE_OK; i++)
		if (summary_find_throttled(summary, summary->regions.items[i].region))
			status = suggest_one(summary, &summary->regions.items[i]);
	do {
		before = summary->suggested.nr;
		for (size_t i = 0; i < summary->regions.nr && status == MEASURE_OK; i++)
			if (is_worth_a_rule(summary, &summary->regions.items[i],
				    summary->nr_counted - summary->saved.events))
				status = suggest_one(summary, &summary->regions.items[i]);
	} while (status == MEASURE_OK && summary->suggested.nr > before);
	return status;
}

/* ------------------------------------------------------------------------ regions --- */

static int compare_regions(const void *left, const void *right)
{
	const struct summary_region *a = left, *b = right;

	if (a->events != b->events)
		return a->events < b->events ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

static measure_status_t list_regions(struct measure_summary *summary)
{
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < summary->definitions->nr_regions && status == MEASURE_OK; i++) {
		struct summary_region *region = &summary->events.regions[i];
		region->region = i;
		if (region->events || summary_find_throttled(summary, i))
			status = measure_array_push(&summary->regions, *region);
	}
	if (summary->regions.nr)
		qsort(summary->regions.items, summary->regions.nr, sizeof(*summary->regions.items),
			compare_regions);
	for (size_t i = 0; i < SUMMARY_KINDS; i++)
		summary->nr_counted += summary->events.kinds[i].events;
	return status;
}

const struct summary_throttled *summary_find_throttled(
	const struct measure_summary *summary, uint32_t region)
{
	for (size_t i = 0; i < summary->throttled.nr; i++)
		if (summary->throttled.items[i].region == region)
			return &summary->throttled.items[i];
	return NULL;
}

static int compare_throttled(const void *left, const void *right)
{
	const struct summary_throttled *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

/* The calls that are in the archive; not below what the processes themselves had seen where a part
 * of the events was looked at. */
static void count_throttled(struct measure_summary *summary)
{
	for (size_t i = 0; i < summary->throttled.nr; i++) {
		struct summary_throttled *throttled = &summary->throttled.items[i];
		uint64_t visits = summary->events.regions[throttled->region].visits;
		if (visits > throttled->calls)
			throttled->calls = visits;
	}
	if (summary->throttled.nr)
		qsort(summary->throttled.items, summary->throttled.nr,
			sizeof(*summary->throttled.items), compare_throttled);
}

measure_status_t summary_add_up(struct measure_summary *summary)
{
	measure_status_t status = list_regions(summary);

	count_throttled(summary);
	if (status == MEASURE_OK)
		status = suggest(summary);
	estimate_overhead(summary);
	return status;
}
