/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks by address; see pthread_locks.h. A lock's order is counted by the thread that has it, so
 * the lock itself keeps the counter; looking it up takes no lock of ours. Entries are never freed:
 * that of a lock which is destroyed is used for the next one in its bucket. */
#include "config.h"

#include "pthread_locks.h"

#include <stdatomic.h>
#include <stddef.h>

#include "mutex.h"
#include "pages.h"

#define BUCKET_BITS 16
#define BLOCK       (64 * 1024) /* of memory, bytes */

struct measure_lock {
	_Atomic uintptr_t address; /* 0: destroyed */
	_Atomic uint32_t order;    /* of the last acquisition */
	uint32_t id;
	struct measure_lock *next; /* never changes */
};

static _Atomic(struct measure_lock *) buckets[1 << BUCKET_BITS];

static struct measure_mutex mutex; /* for new entries */
static struct measure_lock *block;
static size_t nr_in_block;
static uint32_t nr_locks;

uint32_t measure_lock_id(const struct measure_lock *lock)
{
	return lock->id;
}

static _Atomic(struct measure_lock *) *bucket_of(uintptr_t address)
{
	return &buckets[((uint64_t)address >> 2) * UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - BUCKET_BITS)];
}

/* Acquire pairs with the releases in lock_add(): the entry is whole. */
static struct measure_lock *lock_find(uintptr_t address, uintptr_t wanted)
{
	struct measure_lock *lock = atomic_load_explicit(bucket_of(address), memory_order_acquire);

	while (lock && atomic_load_explicit(&lock->address, memory_order_acquire) != wanted)
		lock = lock->next;
	return lock;
}

/* Not by malloc(): it may be its lock. */
static struct measure_lock *have_entry(void)
{
	if (!block || nr_in_block == BLOCK / sizeof(*block)) {
		void *memory = measure_pages_get(BLOCK);
		if (!memory)
			return NULL;
		block = memory;
		nr_in_block = 0;
	}
	return &block[nr_in_block++];
}

static void lock_add(struct measure_lock *lock, uintptr_t address, bool is_new)
{
	_Atomic(struct measure_lock *) *bucket = bucket_of(address);

	lock->id = nr_locks++;
	atomic_store_explicit(&lock->order, 0, memory_order_relaxed);
	atomic_store_explicit(&lock->address, address, memory_order_release);
	if (!is_new)
		return;
	lock->next = atomic_load_explicit(bucket, memory_order_relaxed);
	atomic_store_explicit(bucket, lock, memory_order_release);
}

uint32_t measure_lock_number(const void *address)
{
	const struct measure_lock *lock = lock_find((uintptr_t)address, (uintptr_t)address);

	return lock ? lock->id : UINT32_MAX;
}

static __attribute__((noinline)) struct measure_lock *lock_make(uintptr_t address)
{
	struct measure_lock *lock, *unused;

	measure_mutex_lock(&mutex);
	lock = lock_find(address, address);
	if (!lock) {
		unused = lock_find(address, 0);
		lock = unused ? unused : have_entry();
		if (lock)
			lock_add(lock, address, !unused);
	}
	measure_mutex_unlock(&mutex);
	return lock;
}

void measure_lock_forget(const void *address)
{
	struct measure_lock *lock = lock_find((uintptr_t)address, (uintptr_t)address);

	if (lock)
		atomic_store_explicit(&lock->address, 0, memory_order_release);
}

/* ------------------------------------------------------------------------ held --- */

static struct measure_hold *find_held(struct measure_held *held, uintptr_t address)
{
	for (uint32_t i = held->nr; i-- > 0;)
		if (atomic_load_explicit(&held->items[i].lock->address, memory_order_relaxed) ==
			address)
			return &held->items[i];
	return NULL;
}

static void lock_drop(struct measure_held *held, struct measure_hold *hold)
{
	held->nr--;
	for (; hold < held->items + held->nr; hold++)
		hold[0] = hold[1];
}

/* Only the thread that has the lock counts. */
static void lock_keep(struct measure_held *held, struct measure_hold *hold)
{
	hold->order = atomic_load_explicit(&hold->lock->order, memory_order_relaxed) + 1;
	atomic_store_explicit(&hold->lock->order, hold->order, memory_order_relaxed);
	held->items[held->nr++] = *hold;
}

bool measure_lock_acquired(
	struct measure_held *held, const void *address, struct measure_hold *hold)
{
	struct measure_hold *known = find_held(held, (uintptr_t)address);
	struct measure_lock *lock;

	if (known) {
		known->depth++;
		return false;
	}
	if (held->nr == MEASURE_HELD_MOST)
		return false;
	lock = lock_find((uintptr_t)address, (uintptr_t)address);
	if (!lock)
		lock = lock_make((uintptr_t)address);
	if (!lock)
		return false;
	*hold = (struct measure_hold){.lock = lock, .depth = 1};
	lock_keep(held, hold);
	return true;
}

bool measure_lock_released(
	struct measure_held *held, const void *address, struct measure_hold *hold)
{
	struct measure_hold *known = find_held(held, (uintptr_t)address);

	if (!known || --known->depth > 0)
		return false;
	*hold = *known;
	lock_drop(held, known);
	return true;
}

bool measure_lock_given_up(
	struct measure_held *held, const void *address, struct measure_hold *hold)
{
	struct measure_hold *known = find_held(held, (uintptr_t)address);

	if (!known)
		return false;
	*hold = *known;
	lock_drop(held, known);
	return true;
}

void measure_lock_taken_back(struct measure_held *held, struct measure_hold *hold)
{
	lock_keep(held, hold);
}
