/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reference events; see reference_event.h. */
#include "config.h"

#include "runtime/event/reference_event.h"

#include "runtime/event/transaction.h"

#define WARMING    8    /* events before those that are timed */
#define MOST_TICKS 8192 /* more is an interruption */

#define NR_EVENTS (WARMING + MEASURE_REFERENCE_EVENTS)

/* A location that nobody reads. */
static struct {
	struct measure_location location;
	struct measure_segment_location shared;
	struct measure_segment_frame frames[3];
	/* with the line that a commit fetches in advance */
	_Alignas(64) uint8_t memory[NR_EVENTS * 16 + MEASURE_AHEAD + MEASURE_RECORD_ROOM];
} reference;

static atomic_flag is_taken = ATOMIC_FLAG_INIT;

static inline void reference_enter(struct measure_location *location)
{
	measure_transaction_claim(location, (uintptr_t)__builtin_frame_address(0));
	measure_transaction_stamp(location);
	measure_enter_at(location, measure_transaction_place(location), 1, 1, 1,
		MEASURE_COMMIT_ENTER);
	measure_transaction_close(location);
}

static inline void reference_leave(struct measure_location *location)
{
	measure_transaction_claim(location, (uintptr_t)__builtin_frame_address(0));
	measure_transaction_stamp(location);
	measure_leave_at(location, measure_transaction_place(location), MEASURE_COMMIT_LEAVE);
	measure_transaction_close(location);
}

static __attribute__((noinline)) void reference_pairs(
	struct measure_location *location, int nr_events)
{
	for (int i = 0; i < nr_events; i += 2) {
		reference_enter(location);
		reference_leave(location);
	}
}

/* No more than a flag: the thread that has it may be gone in a forked child, or wait for a signal
 * handler that comes here. */
uint64_t measure_reference_ticks(void)
{
	struct measure_location *location = &reference.location;
	uint64_t ticks;

	if (atomic_flag_test_and_set_explicit(&is_taken, memory_order_acquire))
		return 0;
	location->shared = &reference.shared;
	location->top = &reference.frames[1];
	location->ceiling = &reference.frames[3];
	location->time = 0;
	location->flags = 0;
	location->writer = (struct measure_otf2_writer){.position = reference.memory,
		.limit = reference.memory + sizeof(reference.memory) - MEASURE_RECORD_ROOM,
		.time = UINT64_MAX};
	reference_pairs(location, WARMING);
	ticks = measure_clock_read();
	reference_pairs(location, MEASURE_REFERENCE_EVENTS);
	ticks = measure_clock_read() - ticks;
	atomic_flag_clear_explicit(&is_taken, memory_order_release);
	return ticks < MOST_TICKS ? ticks : 0;
}
