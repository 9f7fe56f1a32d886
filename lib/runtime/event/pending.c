/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What threads are about to wait for, in the segment; see lib/api/pending.h. A few stores, in a
 * transaction: a signal handler that comes between them notes nothing. */
#include "config.h"

#include "adapter.h"
#include "runtime/event/location.h"

/* Both pair with the loads in lib/live/live_rollcall.c. */
static inline uint32_t pending_begin(struct measure_segment_pending *pending)
{
	const uint32_t sequence =
		atomic_load_explicit(&pending->sequence, memory_order_relaxed) | 1;

	atomic_store_explicit(&pending->sequence, sequence, memory_order_relaxed);
	atomic_thread_fence(memory_order_release);
	return sequence;
}

static inline void pending_end(struct measure_segment_pending *pending, uint32_t sequence,
	const struct measure_location *location)
{
	pending->depth = measure_location_depth(location);
	pending->time = location->time;
	atomic_store_explicit(&pending->sequence, sequence + 1, memory_order_release);
}

void measure_pending_note(struct measure_location *location, struct measure_pending_item item)
{
	struct measure_segment_pending *pending = &location->shared->pending;
	const uint32_t sequence = pending_begin(pending);

	pending->nr_items = 1;
	pending->is_any = false;
	pending->items[0] = item;
	pending_end(pending, sequence, location);
}

void measure_pending_note_all(struct measure_location *location, uint32_t nr,
	const struct measure_pending_item *items, bool is_any)
{
	struct measure_segment_pending *pending = &location->shared->pending;
	const uint32_t sequence = pending_begin(pending);

	pending->nr_items = nr;
	pending->is_any = is_any;
	for (uint32_t i = 0; i < nr && i < MEASURE_PENDING_ITEMS; i++)
		pending->items[i] = items[i];
	pending_end(pending, sequence, location);
}

static uint64_t lock_word(uint32_t paradigm, uint32_t lock)
{
	return (uint64_t)paradigm << 32 | (lock + 1);
}

static void lock_replace(struct measure_location *location, uint64_t from, uint64_t to)
{
	_Atomic uint64_t *locks = location->shared->locks;

	for (uint32_t i = 0; i < MEASURE_HELD_LOCKS; i++)
		if (atomic_load_explicit(&locks[i], memory_order_relaxed) == from) {
			atomic_store_explicit(&locks[i], to, memory_order_relaxed);
			return;
		}
}

void measure_lock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock)
{
	lock_replace(location, 0, lock_word(paradigm, lock));
}

void measure_unlock_note(struct measure_location *location, uint32_t paradigm, uint32_t lock)
{
	lock_replace(location, lock_word(paradigm, lock), 0);
}

void measure_thread_note(uint64_t handle)
{
	struct measure_location *location = measure_location_self;

	if (location)
		location->shared->thread_handle = handle;
}

uint32_t measure_collective_count(measure_comm_t comm, uint8_t operation, uint32_t root)
{
	struct measure_segment_header *header = measure_locations_header();
	uint32_t number, place;

	if (!header || comm >= MEASURE_COUNTED_COMMS)
		return 0;
	number = atomic_fetch_add_explicit(&header->collectives[comm], 1, memory_order_relaxed) + 1;
	place = atomic_fetch_add_explicit(&header->nr_begun, 1, memory_order_relaxed) %
		MEASURE_BEGUN_COLLECTIVES;
	header->begun[place] = (struct measure_segment_collective){
		comm, number & ~MEASURE_COUNT_DOUBTFUL, root, operation};
	return number & MEASURE_COUNT_DOUBTFUL ? 0 : number;
}

void measure_collective_doubt(measure_comm_t comm)
{
	struct measure_segment_header *header = measure_locations_header();

	if (header && comm < MEASURE_COUNTED_COMMS)
		atomic_fetch_or_explicit(
			&header->collectives[comm], MEASURE_COUNT_DOUBTFUL, memory_order_relaxed);
}
