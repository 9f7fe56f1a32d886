/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deciding call by call; see call_filter.h. */
#include "config.h"

#include "runtime/select/call_filter.h"

#include <errno.h>
#include <string.h>

#include "adapter.h"
#include "base/likely.h"
#include "runtime/definitions/region_filter.h"
#include "format/filter_area.h"
#include "pages.h"

#define FIRST_CALLS   256
#define MOST_CALLS    (1 << 18) /* within each other; what is deeper is not recorded */
#define FIRST_NUMBERS 512

struct measure_call_filter {
	struct measure_filtered_call *items;
	uint32_t nr;
	uint32_t max;
	uint32_t *numbers; /* calls so far, by region */
	uint32_t nr_numbers;
	uint32_t location;
	bool is_shared;             /* the counters, with other locations */
	_Atomic uint64_t *nr_filtered; /* by region */
	double ns_per_tick;
};

static uint64_t begin_time;

void measure_call_filter_start(uint64_t begin)
{
	begin_time = begin;
}

/* --------------------------------------------------------------------------- room --- */

/* `nr` items with room for `wanted`, or NULL; what is new is zero. */
static __attribute__((cold)) void *filter_grow(
	void *items, uint32_t nr, uint32_t wanted, size_t size)
{
	int saved = errno;
	void *grown = measure_pages_get(wanted * size);

	if (grown && items) {
		memcpy(grown, items, nr * size);
		measure_pages_return(items, nr * size);
	}
	errno = saved;
	return grown;
}

static void filter_choose_counters(struct measure_call_filter *filter, uint32_t location)
{
	filter->location = location;
	filter->is_shared = location >= MEASURE_FILTER_ROWS - 1;
	filter->nr_filtered = measure_region_filter_counters(
		filter->is_shared ? MEASURE_FILTER_ROWS - 1 : location);
}

struct measure_call_filter *measure_call_filter_make(uint32_t location)
{
	struct measure_call_filter *filter = filter_grow(NULL, 0, 1, sizeof(*filter));

	if (filter) {
		filter->ns_per_tick = 1e9 / measure_clock_frequency();
		filter_choose_counters(filter, location);
	}
	return filter;
}

static bool filter_make_room(struct measure_call_filter *filter)
{
	uint32_t room = filter->max ? 2 * filter->max : FIRST_CALLS;
	struct measure_filtered_call *grown =
		room > MOST_CALLS ? NULL
				  : filter_grow(filter->items, filter->max, room, sizeof(*grown));

	if (!grown)
		return false;
	filter->items = grown;
	filter->max = room;
	return true;
}

/* ---------------------------------------------------------------------- open calls --- */

/* The region stack around it is still there, or its entry in that. */
static bool call_is_open(const struct measure_filtered_call *call, uint32_t depth)
{
	if (!call->open.is_recorded)
		return depth >= call->open.depth;
	return depth > call->open.depth &&
	       (!call->entry ||
		       (call->entry->frame == call->frame && call->entry->region == call->region));
}

static void filter_drop_gone(struct measure_call_filter *filter, uint32_t depth)
{
	while (filter->nr && !call_is_open(&filter->items[filter->nr - 1], depth))
		filter->nr--;
}

/* It returns to the same place, and is not from further up the stack. (A function that calls
 * alloca() is left further down than it was entered.) */
static bool is_exit_of(
	const struct measure_exit *exit, const struct measure_filtered_call *call, uint32_t region)
{
	if (call->region != region)
		return false;
	return !exit || (exit->frame >> MEASURE_FRAME_BITS == call->frame >> MEASURE_FRAME_BITS &&
				(!exit->return_address || exit->frame <= call->frame));
}

static struct measure_filtered_call *filter_find(
	struct measure_call_filter *filter, uint32_t region, const struct measure_exit *exit)
{
	for (uint32_t i = filter->nr; i-- > 0;)
		if (is_exit_of(exit, &filter->items[i], region))
			return &filter->items[i];
	return NULL;
}

static const struct measure_filtered_call *filter_last(const struct measure_call_filter *filter)
{
	return filter && filter->nr ? &filter->items[filter->nr - 1] : NULL;
}

bool measure_call_filter_is_innermost(const struct measure_call_filter *filter, uint32_t region,
	uint32_t depth, const struct measure_exit *exit)
{
	const struct measure_filtered_call *last = filter_last(filter);

	return last && is_exit_of(exit, last, region) &&
	       depth == last->open.depth + last->open.is_recorded;
}

uint64_t measure_call_filter_frame(const struct measure_call_filter *filter)
{
	const struct measure_filtered_call *last = filter_last(filter);

	return last && !last->open.is_recorded ? last->frame : 0;
}

void measure_call_filter_forget(struct measure_call_filter *filter)
{
	filter->nr--;
}

void measure_call_filter_clear(struct measure_call_filter *filter)
{
	filter->nr = 0;
}

uint64_t measure_call_filter_ticks(const struct measure_call_filter *filter, uint64_t ns)
{
	return measure_filter_ticks(ns, filter->ns_per_tick);
}

/* ----------------------------------------------------------------------- decision --- */

/* Nobody else writes to the counter, except for threads beyond those that have one of their own. */
void measure_call_filter_count(struct measure_call_filter *filter, uint32_t region)
{
	_Atomic uint64_t *counter = &filter->nr_filtered[region];

	if (unlikely(filter->is_shared))
		atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
	else
		atomic_store_explicit(counter,
			atomic_load_explicit(counter, memory_order_relaxed) + 1,
			memory_order_relaxed);
}

/* How often the region was called before, on this location. */
static uint64_t filter_count_call(struct measure_call_filter *filter, uint32_t region)
{
	if (unlikely(region >= filter->nr_numbers)) {
		uint32_t room = filter->nr_numbers ? filter->nr_numbers : FIRST_NUMBERS;
		while (room <= region)
			room *= 2;
		uint32_t *grown =
			filter_grow(filter->numbers, filter->nr_numbers, room, sizeof(*grown));
		if (!grown)
			return 0;
		filter->numbers = grown;
		filter->nr_numbers = room;
	}
	return filter->numbers[region]++;
}

static bool filter_decide(struct measure_call_filter *filter,
	const struct measure_filtered_call *decided, const struct measure_filter_outcome *matched,
	uint64_t time, uint64_t *shortest)
{
	struct measure_filter_call call = measure_filter_call_of(&decided->open, filter->location);

	if (matched->needs & MEASURE_FILTER_NEEDS_TIME && time > begin_time)
		call.time = measure_filter_nanoseconds(time - begin_time, filter->ns_per_tick);
	if (matched->needs & MEASURE_FILTER_NEEDS_COUNT)
		call.number = filter_count_call(filter, decided->region);
	return measure_filter_decide(
		measure_region_filter_filter(), matched->outcome, &call, shortest);
}

struct measure_filtered_call *measure_call_filter_enter(struct measure_call_filter *filter,
	uint32_t region, uint64_t frame, uint32_t depth, uint64_t time, uint64_t *shortest)
{
	const struct measure_filter_outcome *matched = measure_filter_outcome(region);
	struct measure_filtered_call *call;

	filter_drop_gone(filter, depth);
	if (unlikely(filter->nr == filter->max) && !filter_make_room(filter)) {
		measure_call_filter_count(filter, region);
		return NULL;
	}
	call = &filter->items[filter->nr];
	call->frame = frame;
	call->region = region;
	measure_filter_open_begin(
		&call->open, filter->nr ? &call[-1].open : NULL, depth, matched->outcome);
	measure_filter_open_end(&call->open, filter_decide(filter, call, matched, time, shortest));
	filter->nr++;
	if (!call->open.is_recorded)
		measure_call_filter_count(filter, region);
	return call;
}

const struct measure_filtered_call *measure_call_filter_leave(struct measure_call_filter *filter,
	uint32_t region, uint32_t depth, const struct measure_exit *exit)
{
	const struct measure_filtered_call *call;

	filter_drop_gone(filter, depth);
	call = filter_find(filter, region, exit);
	if (call)
		filter->nr = (uint32_t)(call - filter->items);
	return call;
}

/* ------------------------------------------------------------------ in a forked child --- */

static bool call_is_open_again(const struct measure_filtered_call *call,
	const struct measure_segment_frame *open, uint32_t nr)
{
	return call->frame != 0 &&
	       (!call->open.is_recorded ||
		       (call->open.depth < nr && open[call->open.depth].function != 0));
}

void measure_call_filter_restart(struct measure_call_filter *filter, uint32_t location,
	const struct measure_segment_frame *open, uint32_t nr)
{
	uint32_t nr_kept = 0, depth = 0, seen = 0;

	filter_choose_counters(filter, location);
	for (uint32_t i = 0; i < filter->nr; i++) {
		struct measure_filtered_call call = filter->items[i];

		if (!call_is_open_again(&call, open, nr))
			continue;
		for (; seen < call.open.depth && seen < nr; seen++)
			depth += open[seen].function != 0;
		call.open.depth = depth;
		call.open.nr_skipped = (nr_kept ? filter->items[nr_kept - 1].open.nr_skipped : 0) +
				       !call.open.is_recorded;
		call.entry = NULL;
		call.shortest = 0;
		filter->items[nr_kept++] = call;
	}
	filter->nr = nr_kept;
}
