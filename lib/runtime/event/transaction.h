/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event path: guard, time, write, commit. doc/HOTPATH.md has the budget; what is seldom
 * lies out of line in record.c. */
#ifndef MEASURE_RUNTIME_EVENT_TRANSACTION_H
#define MEASURE_RUNTIME_EVENT_TRANSACTION_H

#include "base/likely.h"
#include "clock/clock_inline.h"
#include "runtime/gate/gate.h"
#include "location.h"
#include "format/event_encode.h"

/* Cold halves. begin_slow: this thread has no location, or a flag is set. place_slow: the chunk
 * is full, or an event is to be chosen that times itself. close_slow: another flag is set. */
struct measure_location *measure_record_begin_slow(uintptr_t here);
uint8_t *measure_record_place_slow(struct measure_location *location);
void measure_bracket_close_slow(struct measure_location *location);
uint64_t measure_time_clamp(struct measure_location *location);

/* There was no memory for it; the region stack goes on. */
void measure_enter_dropped(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function);
void measure_leave_dropped(struct measure_location *location);

/* Records besides those of events.def: the program begins, its name is string 0; a stall from
 * location->time to `end`. */
/* The arguments are strings 1 to `nr`, of at most MEASURE_MOST_ARGUMENTS. */
void measure_write_program_begin(struct measure_location *location, uint32_t nr_arguments);
void measure_write_buffer_flush(struct measure_location *location, uint64_t end);

/* Values of metrics that stand before an Enter or Leave: not yet committed, but there will be room
 * for what they belong to. What they add to the word that is. */
uint64_t measure_meter_put(struct measure_location *location);

/* Of a location without flags; false: a context of the program that came in between has it, and
 * nobody knows on what stack. */
static inline bool measure_bracket_take(struct measure_location *location, uintptr_t here)
{
	location->bracket = here;
	if (unlikely(!measure_location_take(location))) {
		location->bracket = 0;
		return false;
	}
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

/* This thread's location, where an event may simply be written; else NULL. */
static inline struct measure_location *measure_location_ready_if(bool is_open)
{
	struct measure_location *location = measure_location_self;

	if (unlikely(!is_open))
		return NULL;
	return likely(location && !location->flags) ? location : NULL;
}

static inline struct measure_location *measure_location_ready(void)
{
	return measure_location_ready_if(measure_gate_is_plain());
}

static inline void measure_bracket_stamp(struct measure_location *location)
{
	uint64_t now = measure_clock_read();

	location->time = likely(now >= location->time) ? now : measure_time_clamp(location);
}

/* Takes the guard and the time; `slow` decides where something is in the way. A signal handler
 * that comes between the test and the guard runs a whole bracket of its own. */
static inline struct measure_location *measure_bracket_open_or(
	bool is_open, struct measure_location *(*slow)(uintptr_t here))
{
	struct measure_location *location = measure_location_ready_if(is_open);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (unlikely(!location) || !measure_bracket_take(location, here))
		return slow(here);
	measure_bracket_stamp(location);
	return location;
}

static inline struct measure_location *measure_bracket_open(void)
{
	return measure_bracket_open_or(measure_gate_is_open(), measure_record_begin_slow);
}

/* Other flags may have been set inside. */
static inline void measure_bracket_close(struct measure_location *location)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (likely(location->flags == MEASURE_LOCATION_BUSY))
		location->flags = 0;
	else
		measure_bracket_close_slow(location);
}

/* Where the next record goes, behind its timestamp; NULL: there is no memory left. */
static inline uint8_t *measure_record_place(struct measure_location *location)
{
	if (unlikely(location->writer.position > location->writer.limit))
		return measure_record_place_slow(location);
	return measure_put_time(&location->writer, location->time);
}

/* How far ahead a line of the chunk is asked for: nobody has ever touched it, and where memory is
 * slow the stores of the events before do not last for that long. At the end of a chunk it is one
 * of another chunk, or none: there is no fault. */
#define MEASURE_AHEAD 512

/* Publishes the record that ends at `end`, and what it changes. */
static inline void measure_commit(struct measure_location *location, uint64_t change, uint8_t *end)
{
	__builtin_prefetch(end + MEASURE_AHEAD, 1);
	location->writer.position = end;
	atomic_store_explicit(&location->shared->committed,
		measure_location_committed(location) + change, memory_order_release);
}

/* An Enter at a place that it has. The entry must stand before the commit that counts it. */
static inline void measure_enter_at(struct measure_location *location, uint8_t *place,
	uint32_t region, uint64_t frame, uint32_t function, uint64_t change)
{
	location->top->frame = frame;
	location->top->region = region;
	/* pairs with measure_stacks_may_hold(), which may see it at any time */
	__atomic_store_n(&location->top->function, function, __ATOMIC_RELAXED);
	location->top++;
	measure_commit(location, change, measure_put_enter(place, region));
}

static inline void measure_enter(struct measure_location *location, uint32_t region,
	uint64_t frame, uint32_t function)
{
	uint64_t change = MEASURE_COMMIT_ENTER;
	uint8_t *place;

	if (unlikely(location->top == location->ceiling) && !measure_stack_grow(location)) {
		location->overflow++;
		return;
	}
	if (unlikely(measure_gate_is_metered()))
		change += measure_meter_put(location);
	place = measure_record_place(location);
	if (unlikely(!place)) {
		measure_enter_dropped(location, region, frame, function);
		return;
	}
	measure_enter_at(location, place, region, frame, function, change);
}

static inline void measure_leave_at(
	struct measure_location *location, uint8_t *place, uint64_t change)
{
	location->top--;
	measure_commit(location, change, measure_put_leave(place, location->top->region));
}

/* The block of the stack that top lies in is empty, and there is one below. */
static inline bool measure_stack_is_low(const struct measure_location *location)
{
	return location->top == measure_location_floor(location) &&
	       measure_location_depth(location) > 0;
}

/* Leaves the region on top of the stack; there is one. */
static inline void measure_leave_top(struct measure_location *location)
{
	uint64_t change = MEASURE_COMMIT_LEAVE;
	uint8_t *place;

	if (unlikely(measure_gate_is_metered()))
		change += measure_meter_put(location);
	place = measure_record_place(location);
	if (unlikely(!place)) {
		measure_leave_dropped(location);
		return;
	}
	measure_leave_at(location, place, change);
	if (unlikely(measure_stack_is_low(location)))
		measure_stack_shrink(location);
}

#endif
