/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event path: guard, time, write, commit. doc/HOTPATH.md has the budget; what is seldom
 * lies out of line in record.c. */
#ifndef MEASURE_EVENT_RECORD_INLINE_H
#define MEASURE_EVENT_RECORD_INLINE_H

#include "base/likely.h"
#include "clock/clock_inline.h"
#include "event/gate.h"
#include "event/location.h"
#include "otf2/writer_inline.h"

/* Cold halves. begin_slow: this thread has no location, or a flag is set. */
struct measure_location *measure_record_begin_slow(uintptr_t here);
void measure_record_fail(struct measure_location *location);
uint64_t measure_time_clamp(struct measure_location *location);

/* Takes the guard and the time. A signal handler that comes between the test and the store
 * runs a whole bracket of its own and leaves the flags as they were. */
static inline struct measure_location *measure_bracket_open(void)
{
	struct measure_location *location = measure_location_self;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (unlikely(!measure_gate_is_open()))
		return measure_record_begin_slow(here);
	if (unlikely(!location || location->flags))
		return measure_record_begin_slow(here);

	location->bracket = here;
	location->flags = MEASURE_LOCATION_BUSY;
	atomic_signal_fence(memory_order_seq_cst);
	uint64_t now = measure_clock_read();
	location->time = likely(now >= location->time) ? now : measure_time_clamp(location);
	return location;
}

/* Other flags may have been set inside. */
static inline void measure_bracket_close(struct measure_location *location)
{
	atomic_signal_fence(memory_order_seq_cst);
	location->flags &= ~(uint32_t)MEASURE_LOCATION_BUSY;
}

/* Publishes the record just written and what it changes, or the failure to write it. */
static inline bool measure_commit(struct measure_location *location, uint64_t change,
	bool is_written)
{
	if (unlikely(!is_written)) {
		measure_record_fail(location);
		return false;
	}
	location->committed += change;
	atomic_store_explicit(&location->shared->committed, location->committed,
		memory_order_release);
	return true;
}

/* The entry must stand before the commit that counts it. */
static inline void measure_enter(struct measure_location *location, uint32_t region,
	uint64_t frame, uint32_t function)
{
	if (unlikely(location->top == location->ceiling) && !measure_stack_grow(location)) {
		location->overflow++;
		return;
	}
	*location->top = (struct measure_segment_frame){frame, region, function};
	if (likely(measure_commit(location, MEASURE_COMMIT_ENTER,
		    measure_otf2_enter(location->writer, location->time, region))))
		location->top++;
}

/* Leaves the region on top of the stack; there is one. */
static inline void measure_leave_top(struct measure_location *location)
{
	uint32_t region = location->top[-1].region;

	if (unlikely(!measure_commit(location, MEASURE_COMMIT_LEAVE,
		    measure_otf2_leave(location->writer, location->time, region))))
		return;
	location->top--;
	if (unlikely(location->top == location->block->entries) &&
		measure_location_depth(location) > 0)
		measure_stack_shrink(location);
}

#endif
