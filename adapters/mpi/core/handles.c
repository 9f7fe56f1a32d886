/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open addressing over pointers to entries. Readers take no lock. Writers (creation and
 * freeing, both slow calls in MPI) take one, and may move entries while readers look: a
 * reader may miss an entry, but never finds a wrong one, and after a miss it looks again if
 * entries were moved meanwhile. Entries and outgrown tables are never returned to the system while
 * a reader could hold them: entries are used again, and outgrown tables together are smaller than
 * the present one. */
#include "config.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"

#define NR_SLOTS_MIN 64u
#define NO_HANDLE    UINT64_MAX /* of no MPI library */

struct measure_handle_slots {
	uint32_t mask;
	struct measure_handle_slots *outgrown;
	_Atomic(struct measure_handle *) items[];
};

static uint32_t home_slot(const struct measure_handle_slots *slots, uint64_t value)
{
	return (uint32_t)((value * 0x9e3779b97f4a7c15u) >> 32) & slots->mask;
}

/* At least half of the slots are empty, but a reader may follow entries that move. */
static struct measure_handle *slots_find(struct measure_handle_slots *slots, uint64_t value)
{
	uint32_t slot = home_slot(slots, value);

	for (uint32_t n = 0; n <= slots->mask; n++) {
		struct measure_handle *handle =
			atomic_load_explicit(&slots->items[slot], memory_order_acquire);

		if (!handle)
			return NULL;
		/* Pairs with the release in measure_handle_add_locked(). */
		if (atomic_load_explicit(&handle->value, memory_order_acquire) == value)
			return handle;
		slot = (slot + 1) & slots->mask;
	}
	return NULL;
}

struct measure_handle *measure_handle_find_locked(struct measure_handles *handles, uint64_t value)
{
	struct measure_handle_slots *slots =
		atomic_load_explicit(&handles->slots, memory_order_relaxed);

	return slots ? slots_find(slots, value) : NULL;
}

/* Who misses an entry because it was moved has read a slot that slots_remove() has written, and so,
 * as slots are read and written by acquire and release, finds another version than before. */
struct measure_handle *measure_handle_lookup(struct measure_handles *handles, uint64_t value)
{
	uint32_t version = atomic_load_explicit(&handles->version, memory_order_acquire), before;
	struct measure_handle_slots *slots;
	struct measure_handle *handle;

	do {
		before = version;
		/* Pairs with the release in handles_grow(). */
		slots = atomic_load_explicit(&handles->slots, memory_order_acquire);
		handle = slots ? slots_find(slots, value) : NULL;
		if (handle)
			return handle;
		if (before & 1)
			sched_yield();
		version = atomic_load_explicit(&handles->version, memory_order_acquire);
	} while (before & 1 || version != before);
	return NULL;
}

static void slots_insert(
	struct measure_handle_slots *slots, struct measure_handle *handle, uint64_t value)
{
	uint32_t slot = home_slot(slots, value);

	while (atomic_load_explicit(&slots->items[slot], memory_order_relaxed))
		slot = (slot + 1) & slots->mask;
	/* Pairs with the acquire in slots_find(): the entry is filled before it is seen. */
	atomic_store_explicit(&slots->items[slot], handle, memory_order_release);
}

/* Empties the entry's slot and moves the following ones up, so that no search meets a gap. */
static void slots_remove(
	struct measure_handle_slots *slots, const struct measure_handle *handle, uint64_t value)
{
	uint32_t gap = home_slot(slots, value);

	while (atomic_load_explicit(&slots->items[gap], memory_order_relaxed) != handle)
		gap = (gap + 1) & slots->mask;
	for (uint32_t next = (gap + 1) & slots->mask;; next = (next + 1) & slots->mask) {
		struct measure_handle *moved =
			atomic_load_explicit(&slots->items[next], memory_order_relaxed);
		uint32_t home;

		if (!moved)
			break;
		home = home_slot(slots, atomic_load_explicit(&moved->value, memory_order_relaxed));
		if (((next - home) & slots->mask) < ((next - gap) & slots->mask))
			continue;
		atomic_store_explicit(&slots->items[gap], moved, memory_order_release);
		gap = next;
	}
	atomic_store_explicit(&slots->items[gap], NULL, memory_order_release);
}

/* Makes room for one more entry. */
static bool handles_grow(struct measure_handles *handles)
{
	struct measure_handle_slots *old =
		atomic_load_explicit(&handles->slots, memory_order_relaxed);
	const uint32_t nr_old = old ? old->mask + 1 : 0;
	const uint32_t nr_slots = old ? 2 * nr_old : NR_SLOTS_MIN;
	struct measure_handle_slots *slots;

	if (2 * (handles->nr_used + 1) <= nr_old)
		return true;
	slots = calloc(1, sizeof(*slots) + nr_slots * sizeof(slots->items[0]));
	if (!slots)
		return false;
	slots->mask = nr_slots - 1;
	slots->outgrown = old;
	for (uint32_t i = 0; i < nr_old; i++) {
		struct measure_handle *handle =
			atomic_load_explicit(&old->items[i], memory_order_relaxed);

		if (handle)
			slots_insert(slots, handle,
				atomic_load_explicit(&handle->value, memory_order_relaxed));
	}
	/* Pairs with the acquire in measure_handle_lookup(). */
	atomic_store_explicit(&handles->slots, slots, memory_order_release);
	return true;
}

static struct measure_handle *handles_take_unused(struct measure_handles *handles)
{
	struct measure_handle *handle = handles->unused;

	if (!handle)
		return calloc(1, handles->entry_size);
	handles->unused = handle->next;
	return handle;
}

/* All but the handle itself is copied first: a reader that still holds this entry from an
 * earlier use must not find the new thing half filled. */
struct measure_handle *measure_handle_add_locked(
	struct measure_handles *handles, const struct measure_handle *filled, uint64_t value)
{
	struct measure_handle *handle;

	if (!handles_grow(handles))
		return NULL;
	handle = handles_take_unused(handles);
	if (!handle)
		return NULL;
	memcpy(handle + 1, filled + 1, handles->entry_size - sizeof(*handle));
	atomic_store_explicit(&handle->value, value, memory_order_release);
	slots_insert(atomic_load_explicit(&handles->slots, memory_order_relaxed), handle, value);
	handles->nr_used++;
	return handle;
}

void measure_handle_remove_locked(struct measure_handles *handles, struct measure_handle *handle)
{
	atomic_fetch_add_explicit(&handles->version, 1, memory_order_relaxed);
	slots_remove(atomic_load_explicit(&handles->slots, memory_order_relaxed), handle,
		atomic_load_explicit(&handle->value, memory_order_relaxed));
	atomic_fetch_add_explicit(&handles->version, 1, memory_order_release);
	atomic_store_explicit(&handle->value, NO_HANDLE, memory_order_relaxed);
	handle->next = handles->unused;
	handles->unused = handle;
	handles->nr_used--;
}
