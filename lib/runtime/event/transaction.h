/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transaction: what one event does, from the guard to the commit. It is opened (the thread's
 * location gets the guard), stamped (the time is read), records are encoded at its place, each is
 * committed, and it is closed. Read with format/event_encode.h, which has the bytes of records;
 * what is rare lies out of line in transaction.c. doc/HOTPATH.md has the budget. */
#ifndef MEASURE_EVENT_TRANSACTION_H
#define MEASURE_EVENT_TRANSACTION_H

#include "base/likely.h"
#include "clock/clock_inline.h"
#include "format/event_encode.h"
#include "runtime/event/counters.h"
#include "runtime/event/location.h"
#include "runtime/gate/gate.h"
#include "runtime/select/call_filter.h"

#define cold __attribute__((cold, noinline))

/* ------------------------------------------------------------------------ opening --- */

/* Takes the guard of a location, by a test and a store that no signal handler comes between: that
 * may go on with another context of the program on the same thread, which takes it too. Nothing
 * that other processors must respect. False: such a context has it,
 * and nobody knows on what stack. */
static inline bool measure_transaction_claim(struct measure_location *location, uintptr_t here)
{
	bool was_taken;

	location->opened_at = here;
#if defined(__x86_64__)
	_Static_assert(MEASURE_LOCATION_BUSY == 1, "the guard is bit 0");
	__asm__ volatile("btsl $0, %1" : "=@ccc"(was_taken), "+m"(location->flags) : : "memory");
#else
	was_taken = __atomic_fetch_or(&location->flags, MEASURE_LOCATION_BUSY, __ATOMIC_RELAXED) &
		    MEASURE_LOCATION_BUSY;
#endif
	if (unlikely(was_taken)) {
		location->opened_at = 0;
		return false;
	}
	atomic_signal_fence(memory_order_seq_cst);
	return true;
}

/* The guard of this thread's location, where an event may simply be written; NULL: something is in
 * the way. A signal handler that comes between the test and the guard runs a whole transaction of
 * its own. `here`: a stack address of the caller. */
static inline struct measure_location *measure_transaction_try(bool is_open, uintptr_t here)
{
	struct measure_location *location = measure_location_self;

	if (unlikely(!is_open || !location || location->flags))
		return NULL;
	return likely(measure_transaction_claim(location, here)) ? location : NULL;
}

/* Time never decreases on a location: `now`, or the time of the last record (counted). */
uint64_t measure_transaction_clamp(struct measure_location *location);

static inline void measure_transaction_stamp(struct measure_location *location)
{
	uint64_t now = measure_clock_read();

	location->time = likely(now >= location->time) ? now : measure_transaction_clamp(location);
}

/* Takes the guard and the time; `slow` decides where something is in the way. */
static inline struct measure_location *measure_transaction_open_or(
	bool is_open, struct measure_location *(*slow)(uintptr_t here))
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct measure_location *location = measure_transaction_try(is_open, here);

	if (unlikely(!location))
		return slow(here);
	measure_transaction_stamp(location);
	return location;
}

/* Where the gate is closed, the location is missing or has a flag. Of an event of the process; of
 * an adapter's; of the entry and the exit of a function, which are recorded also where a signal
 * handler has interrupted a transaction. At an exit a deferred action stays deferred. */
struct measure_location *measure_transaction_open_slow(uintptr_t here);
struct measure_location *measure_transaction_open_adapter_slow(uintptr_t here);
struct measure_location *measure_transaction_open_entry(uintptr_t here);
struct measure_location *measure_transaction_open_exit(uintptr_t here);

static inline struct measure_location *measure_transaction_open(void)
{
	return measure_transaction_open_or(measure_gate_is_open(), measure_transaction_open_slow);
}

static inline struct measure_location *measure_transaction_open_adapter(void)
{
	return measure_transaction_open_or(
		measure_gate_adapters_enabled(), measure_transaction_open_adapter_slow);
}

/* ----------------------------------------------------------- records and commit --- */

/* The chunk is full, or it is time to choose an event that times itself. */
uint8_t *measure_transaction_place_slow(struct measure_location *location);

/* Where the next record goes, after its timestamp; NULL: there is no memory left. */
static inline uint8_t *measure_transaction_place(struct measure_location *location)
{
	if (unlikely(location->writer.position > location->writer.limit))
		return measure_transaction_place_slow(location);
	return measure_put_time(&location->writer, location->time);
}

/* How far ahead a line of the chunk is prefetched: nobody has ever touched it, and where memory is
 * slow the store buffer does not last for that long. At the end of a chunk it is a line of another
 * chunk, or none: there is no fault. */
#define MEASURE_AHEAD 512

/* Publishes the record that ends at `end`, and what it changes. */
static inline void measure_transaction_commit(
	struct measure_location *location, uint64_t change, uint8_t *end)
{
	__builtin_prefetch(end + MEASURE_AHEAD, 1);
	location->writer.position = end;
	atomic_store_explicit(&location->shared->committed,
		measure_location_committed(location) + change, memory_order_release);
}

/* There was no memory for the record; the region stack is kept all the same. */
void measure_enter_dropped(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function);
void measure_leave_dropped(struct measure_location *location);

/* An Enter at a place that it has. The entry must stand before the commit that counts it. */
static inline void measure_enter_at(struct measure_location *location, uint8_t *place,
	uint32_t region, uint64_t frame, uint32_t function, uint64_t change)
{
	location->top->frame = frame;
	location->top->region = region;
	/* pairs with measure_stacks_may_hold(), which may see it at any time */
	__atomic_store_n(&location->top->function, function, __ATOMIC_RELAXED);
	location->top++;
	measure_transaction_commit(location, change, measure_put_enter(place, region));
}

static inline void measure_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function)
{
	uint64_t change = MEASURE_COMMIT_ENTER;
	uint8_t *place;

	if (unlikely(location->top == location->ceiling) && !measure_stack_grow(location)) {
		location->overflow++;
		return;
	}
	if (unlikely(measure_gate.nr_counters))
		change += measure_counters_put(location);
	place = measure_transaction_place(location);
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
	measure_transaction_commit(
		location, change, measure_put_leave(place, location->top->region));
}

/* Leaves the region on top of the stack; there is one. */
static inline void measure_leave_top(struct measure_location *location)
{
	uint64_t change = MEASURE_COMMIT_LEAVE;
	uint8_t *place;

	if (unlikely(measure_gate.nr_counters))
		change += measure_counters_put(location);
	place = measure_transaction_place(location);
	if (unlikely(!place)) {
		measure_leave_dropped(location);
		return;
	}
	measure_leave_at(location, place, change);
	if (unlikely(measure_stack_is_low(location)))
		measure_stack_shrink(location);
}

/* ------------------------------------------------------------------------ closing --- */

/* Another flag than the guard is set. */
void measure_transaction_close_slow(struct measure_location *location);

static inline void measure_transaction_close(struct measure_location *location)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (likely(location->flags == MEASURE_LOCATION_BUSY))
		location->flags = 0;
	else
		measure_transaction_close_slow(location);
}

/* ----------------------------------------------------------------- off the hot path --- */

/* Runs a deferred action. It opens transactions of its own. */
void measure_run_deferred(struct measure_location *location);

/* A deferred action is all that is in the way of an event, apart from a self-timing. */
static inline bool measure_transaction_is_deferred(const struct measure_location *location)
{
	return (location->flags & ~(uint32_t)MEASURE_LOCATION_CHOSEN) == MEASURE_LOCATION_DEFERRED;
}

static inline bool measure_transaction_has_room(
	const struct measure_location *location, size_t size)
{
	return location->writer.position + size <= location->writer.limit + MEASURE_RECORD_ROOM;
}

/* Makes sure that so many bytes are left in the chunk, with those that are kept free at its end;
 * false: they are not, and the next record is dropped too. */
bool measure_transaction_reserve(struct measure_location *location, size_t size);

/* Takes back the Enter on top of the region stack and the counters before it, which begin at
 * `begin` and are the last records: `committed` becomes what it was before them. */
void measure_transaction_take_back(
	struct measure_location *location, uint8_t *begin, uint64_t committed);

/* Drops attributes that are not committed: their Enter or Leave is not written. */
void measure_attributes_drop(struct measure_location *location);

/* Closes the `above` regions on top of the stack, whose exits were not seen. */
void measure_leave_unseen(struct measure_location *location, uint32_t above);

/* An entry of the region stack to look for: by its region, or where `function` is not 0 by that.
 * `is_marked`: with that mark, and there may be none. */
struct measure_sought {
	uint32_t region;
	uint32_t function;
	uint64_t mark;
	bool is_marked;
};

/* The region left is not the one on top. */
void measure_leave_other(struct measure_location *location, const struct measure_sought *sought);

/* Of a call that the filter decides about (select/call_filter.h): enters the region, or not.
 * `frame` and `function`, as on the region stack: of a function, or 0. */
void measure_filtered_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function);

/* Leaves the region if the call was recorded, or takes it back if that was too short. `exit`:
 * of a function, or NULL. False: nothing was written. */
bool measure_filtered_leave(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit);

/* Records that adapters do not write: the program begins, its name is string 0, its arguments are
 * strings 1 to `nr_arguments`, of at most MEASURE_MOST_ARGUMENTS; a stall from location->time to
 * `end`. */
void measure_write_program_begin(struct measure_location *location, uint32_t nr_arguments);
void measure_write_buffer_flush(struct measure_location *location, uint64_t end);

#endif
