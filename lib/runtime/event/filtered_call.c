/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enters and Leaves of calls that the filter decides about one by one: what it decides is written,
 * left out, or taken back. */
#include "config.h"

#include "adapter.h"
#include "runtime/event/transaction.h"

/* -------------------------------------------------------------------------- enter --- */

static void call_record(struct measure_location *location, struct measure_filtered_call *call,
	uint32_t function, uint64_t shortest)
{
	uint64_t before = measure_location_committed(location);
	uint32_t nr_chunks = measure_location_nr_chunks(location);
	bool has_news = location->has_news;

	location->has_news = false;
	call->begin = measure_attributes_wait(location) ? location->attributes.begin
							: location->writer.position;
	measure_enter(location, call->region, call->frame, function);
	if (unlikely(location->has_news)) /* it must stay */
		shortest = 0;
	location->has_news |= has_news;
	if (unlikely(location->overflow)) { /* it has no entry, and counts as one of those */
		measure_call_filter_forget(location->calls);
		return;
	}
	call->entry = location->top - 1;
	call->committed = measure_location_committed(location);
	call->added = call->committed - before;
	call->time = location->time;
	call->shortest = 0;
	if (shortest && measure_location_nr_chunks(location) == nr_chunks &&
		!measure_location_drops(location))
		call->shortest = measure_call_filter_ticks(location->calls, shortest);
}

void measure_filtered_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function)
{
	struct measure_filtered_call *call;
	uint64_t shortest;

	if (unlikely(!location->calls))
		location->calls = measure_call_filter_make(location->index);
	if (unlikely(!location->calls || location->overflow)) {
		measure_enter(location, region, frame, function);
		return;
	}
	call = measure_call_filter_enter(location->calls, region, frame,
		measure_location_depth(location), location->time, &shortest);
	if (call && call->open.is_recorded)
		call_record(location, call, function, shortest);
}

/* -------------------------------------------------------------------------- leave --- */

/* Takes back the Enter of the innermost region; false: something came after it, or it was long
 * enough. */
static bool call_take_back(
	struct measure_location *location, const struct measure_filtered_call *call)
{
	uint64_t committed = measure_location_committed(location);

	if (call->committed != committed || location->time - call->time >= call->shortest ||
		measure_location_drops(location) || location->flags & MEASURE_LOCATION_STOPPED)
		return false;
	measure_transaction_take_back(location, call->begin, committed - call->added);
	return true;
}

/* Entered where there was no memory, or before it was switched off. */
static cold void call_leave_undecided(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	struct measure_sought sought = {.region = region};

	if (exit)
		sought = (struct measure_sought){
			.function = measure_function_filtered(exit->function),
			.mark = exit->frame >> MEASURE_FRAME_BITS,
			.is_marked = true};
	measure_leave_other(location, &sought);
}

bool measure_filtered_leave(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	uint32_t depth = measure_location_depth(location), around;
	const struct measure_filtered_call *call = NULL;

	if (likely(location->calls && location->overflow == 0))
		call = measure_call_filter_leave(location->calls, region, depth, exit);
	if (unlikely(!call)) {
		call_leave_undecided(location, region, exit);
		return true;
	}
	around = call->open.depth + call->open.is_recorded;
	if (unlikely(depth > around))
		measure_leave_unseen(location, depth - around);
	if (!call->open.is_recorded)
		return false;
	if (!call_take_back(location, call)) {
		measure_leave_top(location);
		return true;
	}
	measure_call_filter_count(location->calls, region);
	return false;
}
