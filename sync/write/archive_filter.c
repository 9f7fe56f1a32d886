/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deciding call by call; see archive_filter.h. All calls that are open lie in a stack, but for
 * those of regions that are left out altogether, of which nothing asks. What is held are calls of
 * this stack with nothing written behind the first of them. */
#include "config.h"

#include "archive_filter.h"

#include <string.h>

#include "filter/open_call.h"
#include "trace/common/containers.h"

struct archive_filter_call {
	struct measure_filter_open open;
	uint32_t region;
	uint32_t round;    /* in which it was entered: held while that lasts */
	uint64_t begin;    /* raw */
	uint64_t shortest; /* ticks; 0: it stays */
};

struct measure_sync_filter {
	const struct measure_filter *filter;
	const struct measure_sync_graph *graph;
	struct measure_sync_region_filter regions;
	double ns_per_tick;
	uint64_t *nr_filtered; /* by region */
	uint64_t *begins;   /* by process: its first event */
	uint32_t *threads;  /* by location: its number in its process */

	/* the location */
	uint32_t thread;
	uint64_t begin;
	uint64_t *numbers; /* by region: calls so far */
	MEASURE_GROWING(struct archive_filter_call, calls);
	uint32_t nr_recorded; /* of these */
	uint32_t round;       /* ends when something is written */
};

/* -------------------------------------------------------------------- locations --- */

/* Programs begin with the first event of any of their threads. */
static void look_at_locations(struct measure_sync_filter *filter)
{
	const struct measure_definitions *definitions = &filter->graph->trace->definitions;
	const size_t nr_processes = definitions->nr_location_groups;
	uint32_t *nr_threads = measure_zeroed(nr_processes, sizeof(*nr_threads));

	filter->begins = measure_zeroed(nr_processes, sizeof(*filter->begins));
	filter->threads = measure_zeroed(definitions->nr_locations, sizeof(*filter->threads));
	memset(filter->begins, 0xff, nr_processes * sizeof(*filter->begins));
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t process = definitions->locations[i].group;
		const struct measure_sync_span *span = &filter->graph->spans[i];

		if (process == MEASURE_NONE)
			continue;
		filter->threads[i] = nr_threads[process]++;
		if (span->first <= span->last && span->first < filter->begins[process])
			filter->begins[process] = span->first;
	}
	measure_free(nr_threads);
}

struct measure_sync_filter *measure_sync_filter_new(
	const struct measure_filter *rules, const struct measure_sync_graph *graph)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;
	struct measure_sync_filter *filter = measure_zeroed(1, sizeof(*filter));

	filter->filter = rules;
	filter->graph = graph;
	filter->ns_per_tick = 1e9 / (double)definitions->clock.resolution;
	filter->nr_filtered = measure_zeroed(definitions->nr_regions, sizeof(*filter->nr_filtered));
	filter->numbers = measure_zeroed(definitions->nr_regions, sizeof(*filter->numbers));
	measure_sync_region_filter_start(&filter->regions, rules, definitions);
	look_at_locations(filter);
	return filter;
}

void measure_sync_filter_free(struct measure_sync_filter *filter)
{
	if (!filter)
		return;
	measure_sync_region_filter_free(&filter->regions);
	measure_free(filter->nr_filtered);
	measure_free(filter->numbers);
	measure_free(filter->begins);
	measure_free(filter->threads);
	measure_free(filter->calls);
	measure_free(filter);
}

void measure_sync_filter_begin(struct measure_sync_filter *filter, uint32_t location)
{
	const struct measure_definitions *definitions = &filter->graph->trace->definitions;
	const uint32_t process = definitions->locations[location].group;

	measure_sync_region_filter_process(&filter->regions, process);
	filter->thread = filter->threads[location];
	filter->begin = process == MEASURE_NONE ? filter->graph->spans[location].first
						: filter->begins[process];
	memset(filter->numbers, 0, definitions->nr_regions * sizeof(*filter->numbers));
	filter->nr_calls = 0;
	filter->nr_recorded = 0;
}

void measure_sync_filter_settle(struct measure_sync_filter *filter)
{
	filter->round++;
}

uint64_t *measure_sync_filter_counts(struct measure_sync_filter *filter)
{
	return filter->nr_filtered;
}

/* ------------------------------------------------------------------------ calls --- */

static bool archive_filter_decide(struct measure_sync_filter *filter,
	const struct archive_filter_call *decided, const struct measure_filter_outcome *matched,
	uint64_t *shortest)
{
	struct measure_filter_call call = measure_filter_call_of(&decided->open, filter->thread);

	if (matched->needs & MEASURE_FILTER_NEEDS_TIME && decided->begin > filter->begin)
		call.time = measure_filter_nanoseconds(
			decided->begin - filter->begin, filter->ns_per_tick);
	if (matched->needs & MEASURE_FILTER_NEEDS_COUNT)
		call.number = filter->numbers[decided->region]++;
	return measure_filter_decide(filter->filter, matched->outcome, &call, shortest);
}

enum measure_sync_verdict measure_sync_filter_enter(
	struct measure_sync_filter *filter, uint32_t region, uint64_t raw)
{
	const struct measure_filter_outcome *matched =
		measure_sync_region_filter(&filter->regions, region);
	struct archive_filter_call *call;
	uint64_t shortest = 0;
	bool is_recorded;

	if (matched->outcome == MEASURE_FILTER_OFF)
		return MEASURE_SYNC_DROP;
	filter->calls = measure_grow(
		filter->calls, filter->nr_calls, &filter->room_calls, sizeof(*filter->calls));
	call = &filter->calls[filter->nr_calls];
	call->region = region;
	call->round = filter->round;
	call->begin = raw;
	measure_filter_open_begin(&call->open, filter->nr_calls ? &call[-1].open : NULL,
		filter->nr_recorded, matched->outcome);
	is_recorded = !matched->outcome || archive_filter_decide(filter, call, matched, &shortest);
	measure_filter_open_end(&call->open, is_recorded);
	call->shortest = measure_filter_ticks(shortest, filter->ns_per_tick);
	filter->nr_calls++;
	filter->nr_recorded += is_recorded;
	if (is_recorded)
		return call->shortest ? MEASURE_SYNC_HOLD : MEASURE_SYNC_KEEP;
	filter->nr_filtered[region]++;
	return MEASURE_SYNC_DROP;
}

/* The innermost call of the region; NULL: its Enter is missing. */
static struct archive_filter_call *archive_filter_find(
	struct measure_sync_filter *filter, uint32_t region)
{
	for (size_t i = filter->nr_calls; i-- > 0;)
		if (filter->calls[i].region == region)
			return &filter->calls[i];
	return NULL;
}

/* Where events are not in each other, as those of tasks, calls inside of it go on. */
static void archive_filter_forget(
	struct measure_sync_filter *filter, struct archive_filter_call *call)
{
	struct archive_filter_call *last = &filter->calls[--filter->nr_calls];

	filter->nr_recorded -= call->open.is_recorded;
	memmove(call, call + 1, (size_t)(last - call) * sizeof(*call));
}

enum measure_sync_verdict measure_sync_filter_leave(
	struct measure_sync_filter *filter, uint32_t region, uint64_t raw)
{
	struct archive_filter_call *call;
	bool is_recorded, is_too_short;

	if (measure_sync_region_filter(&filter->regions, region)->outcome == MEASURE_FILTER_OFF)
		return MEASURE_SYNC_DROP;
	call = archive_filter_find(filter, region);
	if (!call)
		return MEASURE_SYNC_KEEP;
	is_recorded = call->open.is_recorded;
	is_too_short = is_recorded && call->shortest && call->round == filter->round &&
		       call == &filter->calls[filter->nr_calls - 1] &&
		       raw - call->begin < call->shortest;
	archive_filter_forget(filter, call);
	if (!is_too_short)
		return is_recorded ? MEASURE_SYNC_KEEP : MEASURE_SYNC_DROP;
	filter->nr_filtered[region]++;
	return MEASURE_SYNC_TAKE_BACK;
}
