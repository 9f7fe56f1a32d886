/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cold halves of a transaction, in its order: opening it where something is in the way, finding
 * room for records, repairing the region stack, and closing it; see transaction.h. */
#include "config.h"

#include "runtime/event/transaction.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "adapter.h"
#include "runtime/definitions/define.h"
#include "runtime/event/nested_location.h"

/* ------------------------------------------------------------------------ opening --- */

cold uint64_t measure_transaction_clamp(struct measure_location *location)
{
	measure_count(MEASURE_COUNT_TIME_CLAMPED);
	return location->time;
}

/* What analysis tools look for where there are BufferFlush records. Once is enough. */
static cold void define_flush_region(void)
{
	static _Atomic bool is_defined;
	const struct measure_region_info info = {
		.name = "TRACE BUFFER FLUSH",
		.role = OTF2_REGION_ROLE_ARTIFICIAL,
		.paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM,
	};

	if (!atomic_exchange(&is_defined, true))
		measure_region_define(&info);
}

void measure_write_buffer_flush(struct measure_location *location, uint64_t end)
{
	uint8_t *place = measure_transaction_place(location);

	if (place)
		measure_transaction_commit(
			location, MEASURE_COMMIT_EVENT, measure_put_buffer_flush(place, end));
}

/* A wait that was of no use is part of the drop interval that follows. */
static cold void transaction_record_stall(struct measure_location *location)
{
	uint64_t begin = location->stall.begin;

	location->flags &= ~(uint32_t)MEASURE_LOCATION_STALLED;
	if (measure_location_drops(location))
		return;
	define_flush_region();
	if (begin > location->time)
		location->time = begin;
	measure_write_buffer_flush(location, location->stall.end);
}

cold void measure_run_deferred(struct measure_location *location)
{
	location->is_acting = true;
	atomic_signal_fence(memory_order_seq_cst);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_DEFERRED;
	location->action(location->action_data);
	atomic_signal_fence(memory_order_seq_cst);
	location->is_acting = false;
}

/* What an adapter records may need a lock of the adapter's, which the transaction holds. */
static struct measure_location *transaction_lose(struct measure_location *location)
{
	(void)location;
	measure_count(MEASURE_COUNT_LOST_NESTED);
	return NULL;
}

/* Where to record what comes inside a transaction of the location; NULL: nowhere (counted). */
typedef struct measure_location *(*nested_fn)(struct measure_location *location);

static cold struct measure_location *transaction_find_location(uintptr_t here, nested_fn nested)
{
	struct measure_location *location = measure_location_self;

	if (location && location->flags & MEASURE_LOCATION_DETACHED)
		return NULL;
	if (location && location->flags & MEASURE_LOCATION_BUSY) {
		if (measure_nested_is(location, here))
			return nested(location);
		location = measure_nested_leave(location, here);
	}
	return location && !measure_location_is_stale(location) ? location
								: measure_location_create();
}

/* The gate is closed, or the location is missing or has a flag. */
static cold struct measure_location *open_slow(uintptr_t here, nested_fn nested)
{
	struct measure_location *location;

	if (!measure_gate_is_open()) {
		measure_start_lazily();
		if (!measure_gate_is_open())
			return NULL;
	}
	location = transaction_find_location(here, nested);
	if (!location)
		return NULL;
	if (location->flags & MEASURE_LOCATION_STOPPED) {
		measure_count(location->index == MEASURE_UNDEFINED ? MEASURE_COUNT_LOST_AFTER_END
								   : MEASURE_COUNT_LOST_AFTER_STOP);
		return NULL;
	}
	if (!measure_transaction_claim(location, here)) /* another context has come in between */
		return open_slow(here, nested);
	if (location->flags & MEASURE_LOCATION_STALLED)
		transaction_record_stall(location);
	uint64_t now = measure_clock_read();
	location->time = now >= location->time ? now : measure_transaction_clamp(location);
	if (location->flags & MEASURE_LOCATION_CHOSEN)
		measure_timing_begin(location, now);
	return location;
}

cold struct measure_location *measure_transaction_open_exit(uintptr_t here)
{
	return open_slow(here, measure_nested_find);
}

static cold void run_deferred(void)
{
	struct measure_location *location = measure_location_self;

	if (measure_gate_is_open() && location && measure_transaction_is_deferred(location))
		measure_run_deferred(location);
}

cold struct measure_location *measure_transaction_open_entry(uintptr_t here)
{
	run_deferred();
	return open_slow(here, measure_nested_find);
}

cold struct measure_location *measure_transaction_open_slow(uintptr_t here)
{
	run_deferred();
	return open_slow(here, transaction_lose);
}

cold struct measure_location *measure_transaction_open_adapter_slow(uintptr_t here)
{
	if (!measure_gate_adapters_enabled())
		measure_start_lazily();
	return measure_gate_adapters_enabled() ? measure_transaction_open_slow(here) : NULL;
}

/* ---------------------------------------------------------------- room for records --- */

/* One event in some thousand comes by: functions may be switched off, for all threads. */
static void transaction_look_at_overhead(struct measure_location *location)
{
	const struct measure_recorded recorded = {
		.timings = location->timing.histograms,
		.position = location->writer.position,
		.last_time = location->writer.time,
		.now = location->time,
		.events = measure_committed_events(measure_location_committed(location)),
		.is_dropped = measure_location_drops(location),
	};

	measure_throttle_look(&location->throttle, &recorded);
}

/* The writer's limit was reached. False: the chunk is full, and there is no other one just now, or
 * never again. */
static cold bool transaction_find_room(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_STOPPED || location->drop.is_wanted)
		return false;
	transaction_look_at_overhead(location);
	if (measure_timing_choose(location)) {
		measure_location_populate(location);
		return true;
	}
	if (measure_location_drops(location))
		return measure_drop_end(location);

	uint32_t news = measure_pool_news();
	if (measure_location_next_chunk(location))
		return true;
	measure_drop_begin(location, news);
	return false;
}

bool measure_transaction_reserve(struct measure_location *location, size_t size)
{
	while (!measure_transaction_has_room(location, size)) {
		if (transaction_find_room(location))
			continue;
		location->writer.position = location->writer.limit + 1; /* nor for the record */
		return false;
	}
	return true;
}

cold uint8_t *measure_transaction_place_slow(struct measure_location *location)
{
	if (transaction_find_room(location))
		return measure_put_time(&location->writer, location->time);
	measure_drop_count(location);
	return NULL;
}

cold void measure_enter_dropped(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function)
{
	if (!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_drop_enter(location, frame, region, function);
}

cold void measure_leave_dropped(struct measure_location *location)
{
	if (!(location->flags & MEASURE_LOCATION_STOPPED))
		measure_drop_leave(location);
}

/* Whoever reads `committed`, the keeper after the end or anybody before, counts on the records up
 * to it. So it goes back before a byte of them changes, which is when the next record is
 * written: a process that dies in between leaves an archive without the Enter. */
void measure_transaction_take_back(
	struct measure_location *location, uint8_t *begin, uint64_t committed)
{
	struct measure_segment_location *shared = location->shared;

	atomic_store_explicit(&shared->nr_taken_back,
		atomic_load_explicit(&shared->nr_taken_back, memory_order_relaxed) + 1,
		memory_order_relaxed);
	location->top--;
	atomic_store_explicit(&shared->committed, committed, memory_order_release);
	atomic_thread_fence(memory_order_release);
	location->writer.position = begin;
	location->writer.time = UINT64_MAX;
	if (location->throttle.from > begin)
		measure_throttle_note_place(&location->throttle, begin, UINT64_MAX);
	if (unlikely(measure_stack_is_low(location)))
		measure_stack_shrink(location);
}

void measure_attributes_drop(struct measure_location *location)
{
	const struct measure_attributes *attributes = &location->attributes;

	if (!measure_attributes_wait(location) || measure_location_drops(location))
		return;
	location->writer.position = attributes->begin;
	location->writer.time = UINT64_MAX;
	location->attributes.begin = NULL;
}

/* --------------------------------------------------------------- the region stack --- */

cold void measure_leave_unseen(struct measure_location *location, uint32_t above)
{
	while (above-- > 0 && !(location->flags & MEASURE_LOCATION_STOPPED)) {
		if (location->top[-1].function == 0)
			measure_region_unbalanced(location->top[-1].region, MEASURE_NOT_LEFT);
		measure_leave_top(location);
		measure_count(MEASURE_COUNT_LEAVE_SYNTHESISED);
	}
}

static bool entry_is_sought(
	const struct measure_segment_frame *entry, const struct measure_sought *sought)
{
	if (sought->function == 0)
		return entry->region == sought->region;
	return entry->function == sought->function &&
	       (!sought->is_marked || entry->frame >> MEASURE_FRAME_BITS == sought->mark);
}

/* How many entries lie above the innermost one that is sought; the depth of the stack if there is
 * none. */
static cold uint32_t entries_above(
	const struct measure_location *location, const struct measure_sought *sought)
{
	struct measure_location view = *location;
	uint32_t depth = measure_location_depth(location), above = 0;

	for (; above < depth; above++) {
		if (view.top == measure_location_floor(&view))
			measure_stack_shrink(&view);
		view.top--;
		if (entry_is_sought(view.top, sought))
			break;
	}
	return above;
}

cold void measure_leave_other(
	struct measure_location *location, const struct measure_sought *sought)
{
	if (location->overflow > 0) {
		location->overflow--;
		return;
	}
	uint32_t above = entries_above(location, sought);
	if (above == measure_location_depth(location)) {
		if (!sought->is_marked)
			measure_count(MEASURE_COUNT_LEAVE_DROPPED);
		if (sought->function == 0)
			measure_region_unbalanced(sought->region, MEASURE_NOT_ENTERED);
		return;
	}
	measure_leave_unseen(location, above);
	measure_leave_top(location);
}

/* ------------------------------------------------------------------------ closing --- */

cold void measure_transaction_close_slow(struct measure_location *location)
{
	if (location->flags & MEASURE_LOCATION_TIMED)
		measure_timing_end(location);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_BUSY;
}
