/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Deciding call by call; see call_filter.h. */
#include "config.h"

#include "call_filter.h"

#include <errno.h>
#include <string.h>

#include "adapter.h"
#include "runtime/definitions/region_filter.h"
#include "runtime/event/drop_interval.h"
#include "filter/filter.h"
#include "filter/open_call.h"
#include "format/filter_area.h"
#include "pages.h"

#define FIRST_CALLS   256
#define MOST_CALLS    (1 << 18) /* within each other; what is deeper is not recorded */
#define FIRST_NUMBERS 512

/* A call that was decided and is open. */
struct call {
	uint64_t frame; /* 0: of no function */
	uint32_t region;
	struct measure_filter_open open; /* `depth`: of the region stack around it */

	/* Of one that is. Its Enter may be taken back while it is the last record, which is so if
	 * `committed` is what it was behind it. */
	const struct measure_segment_frame *entry; /* NULL: not known any more */
	uint64_t committed;
	uint64_t added; /* to that: its Enter, and metrics before it */
	uint8_t *begin; /* of its record */
	uint64_t time;
	uint64_t shortest; /* ticks; 0: it stays */
};

struct measure_calls {
	struct call *items;
	uint32_t nr;
	uint32_t max;
	uint32_t *numbers; /* calls so far, by region */
	uint32_t nr_numbers;
	bool is_shared;             /* others count there, too */
	_Atomic uint64_t *left_out; /* by region */
	double ns_per_tick;
};

static uint64_t begin_time;

void measure_calls_start(uint64_t begin)
{
	begin_time = begin;
}

/* --------------------------------------------------------------------------- room --- */

/* `nr` items with room for `wanted`, or NULL; what is new is zero. */
static cold void *grow(void *items, uint32_t nr, uint32_t wanted, size_t size)
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

static void choose_counters(struct measure_calls *calls, uint32_t location)
{
	calls->is_shared = location >= MEASURE_FILTER_ROWS - 1;
	calls->left_out = measure_region_filter_counters(
		calls->is_shared ? MEASURE_FILTER_ROWS - 1 : location);
}

static cold struct measure_calls *make(struct measure_location *location)
{
	struct measure_calls *calls = grow(NULL, 0, 1, sizeof(*calls));

	if (calls) {
		calls->ns_per_tick = 1e9 / measure_clock_frequency();
		choose_counters(calls, location->index);
	}
	location->calls = calls;
	return calls;
}

static bool make_room(struct measure_calls *calls)
{
	uint32_t room = calls->max ? 2 * calls->max : FIRST_CALLS;
	struct call *grown =
		room > MOST_CALLS ? NULL : grow(calls->items, calls->max, room, sizeof(*grown));

	if (!grown)
		return false;
	calls->items = grown;
	calls->max = room;
	return true;
}

/* ---------------------------------------------------------------------- open calls --- */

/* The region stack around it is still there, or its entry in that. */
static bool is_open(const struct call *call, uint32_t depth)
{
	if (!call->open.is_recorded)
		return depth >= call->open.depth;
	return depth > call->open.depth &&
	       (!call->entry ||
		       (call->entry->frame == call->frame && call->entry->region == call->region));
}

static void drop_gone(struct measure_calls *calls, uint32_t depth)
{
	while (calls->nr && !is_open(&calls->items[calls->nr - 1], depth))
		calls->nr--;
}

/* It returns to the same place, and is not from further up the stack. (A function that calls
 * alloca() is left further down than it was entered.) */
static bool is_exit_of(const struct measure_exit *exit, const struct call *call, uint32_t region)
{
	if (call->region != region)
		return false;
	return !exit || (exit->frame >> MEASURE_FRAME_BITS == call->frame >> MEASURE_FRAME_BITS &&
				(!exit->return_address || exit->frame <= call->frame));
}

static struct call *find(
	struct measure_calls *calls, uint32_t region, const struct measure_exit *exit)
{
	for (uint32_t i = calls->nr; i-- > 0;)
		if (is_exit_of(exit, &calls->items[i], region))
			return &calls->items[i];
	return NULL;
}

bool measure_calls_is_innermost(
	const struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	const struct measure_calls *calls = location->calls;
	const struct call *last = calls && calls->nr ? &calls->items[calls->nr - 1] : NULL;

	return last && is_exit_of(exit, last, region) &&
	       measure_location_depth(location) == last->open.depth + last->open.is_recorded;
}

uint64_t measure_calls_frame(const struct measure_location *location)
{
	const struct measure_calls *calls = location->calls;
	const struct call *last = calls && calls->nr ? &calls->items[calls->nr - 1] : NULL;

	return last && !last->open.is_recorded ? last->frame : 0;
}

void measure_calls_forget(struct measure_location *location)
{
	location->calls->nr--;
}

/* ----------------------------------------------------------------------- decision --- */

/* Nobody else writes to the counter, but for threads beyond those that have one of their own. */
static void count_left_out(struct measure_calls *calls, uint32_t region)
{
	_Atomic uint64_t *counter = &calls->left_out[region];

	if (unlikely(calls->is_shared))
		atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
	else
		atomic_store_explicit(counter,
			atomic_load_explicit(counter, memory_order_relaxed) + 1,
			memory_order_relaxed);
}

/* How often the region was called before, on this location. */
static uint64_t count_call(struct measure_calls *calls, uint32_t region)
{
	if (unlikely(region >= calls->nr_numbers)) {
		uint32_t room = calls->nr_numbers ? calls->nr_numbers : FIRST_NUMBERS;
		while (room <= region)
			room *= 2;
		uint32_t *grown = grow(calls->numbers, calls->nr_numbers, room, sizeof(*grown));
		if (!grown)
			return 0;
		calls->numbers = grown;
		calls->nr_numbers = room;
	}
	return calls->numbers[region]++;
}

static bool decide(struct measure_location *location, const struct call *decided,
	const struct measure_filter_outcome *judged, uint64_t *shortest)
{
	struct measure_filter_call call = measure_filter_call_of(&decided->open, location->index);

	if (judged->needs & MEASURE_FILTER_NEEDS_TIME && location->time > begin_time)
		call.time = measure_filter_nanoseconds(
			location->time - begin_time, location->calls->ns_per_tick);
	if (judged->needs & MEASURE_FILTER_NEEDS_COUNT)
		call.number = count_call(location->calls, decided->region);
	return measure_filter_decide(
		measure_region_filter_filter(), judged->outcome, &call, shortest);
}

/* -------------------------------------------------------------------------- enter --- */

static void record(
	struct measure_location *location, struct call *call, uint32_t function, uint64_t shortest)
{
	uint64_t before = measure_location_committed(location);
	uint32_t nr_chunks = measure_location_nr_chunks(location);
	bool has_news = location->has_news;

	location->has_news = false;
	call->begin = measure_attributes_stand(location) ? location->attributes.begin
							 : location->writer.position;
	measure_enter(location, call->region, call->frame, function);
	if (unlikely(location->has_news)) /* it must stay */
		shortest = 0;
	location->has_news |= has_news;
	if (unlikely(location->overflow)) { /* it has no entry, and counts as one of those */
		location->calls->nr--;
		return;
	}
	call->entry = location->top - 1;
	call->committed = measure_location_committed(location);
	call->added = call->committed - before;
	call->time = location->time;
	call->shortest = 0;
	if (shortest && measure_location_nr_chunks(location) == nr_chunks &&
		!measure_gap_is_open(location))
		call->shortest = measure_filter_ticks(shortest, location->calls->ns_per_tick);
}

void measure_calls_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function)
{
	const struct measure_filter_outcome *judged = measure_filter_outcome(region);
	struct measure_calls *calls = location->calls;
	struct call *call;
	uint64_t shortest;

	if (unlikely((!calls && !(calls = make(location))) || location->overflow)) {
		measure_enter(location, region, frame, function);
		return;
	}
	drop_gone(calls, measure_location_depth(location));
	if (unlikely(calls->nr == calls->max) && !make_room(calls)) {
		count_left_out(calls, region);
		return;
	}
	call = &calls->items[calls->nr];
	call->frame = frame;
	call->region = region;
	measure_filter_open_begin(&call->open, calls->nr ? &call[-1].open : NULL,
		measure_location_depth(location), judged->outcome);
	measure_filter_open_end(&call->open, decide(location, call, judged, &shortest));
	calls->nr++;
	if (call->open.is_recorded) {
		record(location, call, function, shortest);
		return;
	}
	count_left_out(calls, region);
}

/* -------------------------------------------------------------------------- leave --- */

/* Takes back the Enter of the innermost region; false: something came behind it, or it was long
 * enough. */
static bool take_back(struct measure_location *location, const struct call *call)
{
	uint64_t committed = measure_location_committed(location);

	if (call->committed != committed || location->time - call->time >= call->shortest ||
		measure_gap_is_open(location) || location->flags & MEASURE_LOCATION_STOPPED)
		return false;
	measure_record_take_back(location, call->begin, committed - call->added);
	return true;
}

/* Entered where there was no memory, or before it was switched off. */
static cold void leave_other(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	struct measure_sought sought = {.region = region};

	if (exit)
		sought = (struct measure_sought){.function = measure_function_asked(exit->function),
			.mark = exit->frame >> MEASURE_FRAME_BITS,
			.is_marked = true};
	measure_leave_other(location, &sought);
}

bool measure_calls_leave(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	struct measure_calls *calls = location->calls;
	uint32_t depth = measure_location_depth(location), around;
	const struct call *call = NULL;

	if (likely(calls && location->overflow == 0)) {
		drop_gone(calls, depth);
		call = find(calls, region, exit);
	}
	if (unlikely(!call)) {
		leave_other(location, region, exit);
		return true;
	}
	calls->nr = (uint32_t)(call - calls->items);
	around = call->open.depth + call->open.is_recorded;
	if (unlikely(depth > around))
		measure_leave_unseen(location, depth - around);
	if (!call->open.is_recorded)
		return false;
	if (!take_back(location, call)) {
		measure_leave_top(location);
		return true;
	}
	count_left_out(calls, region);
	return false;
}

void measure_calls_end(struct measure_location *location)
{
	if (location->calls)
		location->calls->nr = 0;
}

/* ------------------------------------------------------------------ in a forked child --- */

static bool is_open_again(
	const struct call *call, const struct measure_segment_frame *open, uint32_t nr)
{
	return call->frame != 0 &&
	       (!call->open.is_recorded ||
		       (call->open.depth < nr && open[call->open.depth].function != 0));
}

void measure_calls_restart(struct measure_location *location, struct measure_calls *calls,
	const struct measure_segment_frame *open, uint32_t nr)
{
	uint32_t nr_kept = 0, depth = 0, seen = 0;

	location->calls = calls;
	if (!calls)
		return;
	choose_counters(calls, location->index);
	for (uint32_t i = 0; i < calls->nr; i++) {
		struct call call = calls->items[i];

		if (!is_open_again(&call, open, nr))
			continue;
		for (; seen < call.open.depth && seen < nr; seen++)
			depth += open[seen].function != 0;
		call.open.depth = depth;
		call.open.nr_skipped = (nr_kept ? calls->items[nr_kept - 1].open.nr_skipped : 0) +
				       !call.open.is_recorded;
		call.entry = NULL;
		call.shortest = 0;
		calls->items[nr_kept++] = call;
	}
	calls->nr = nr_kept;
}
