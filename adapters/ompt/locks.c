/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks, and the order of their owners: see locks.h. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "locks.h"

#define BITS 12

/* Chains only grow: a program that makes locks at ever new places keeps them all. */
static _Atomic(struct measure_ompt_lock *) buckets[1 << BITS];
static atomic_uint nr_locks;

static _Atomic(struct measure_ompt_lock *) *bucket_of(uint64_t wait_id)
{
	return &buckets[wait_id * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
}

static struct measure_ompt_lock *chain_find(struct measure_ompt_lock *lock, uint64_t wait_id)
{
	while (lock && lock->wait_id != wait_id)
		lock = lock->next;
	return lock;
}

static __attribute__((noinline)) struct measure_ompt_lock *lock_new(uint64_t wait_id)
{
	int saved_errno = errno;
	_Atomic(struct measure_ompt_lock *) *bucket = bucket_of(wait_id);
	struct measure_ompt_lock *lock = calloc(1, sizeof(*lock)), *found = NULL;
	struct measure_ompt_lock *first = atomic_load_explicit(bucket, memory_order_acquire);

	if (lock) {
		lock->wait_id = wait_id;
		lock->id = atomic_fetch_add_explicit(&nr_locks, 1, memory_order_relaxed) + 1;
		do {
			found = chain_find(first, wait_id);
			lock->next = first;
			/* pairs with the load in measure_ompt_lock_find() */
		} while (!found && !atomic_compare_exchange_weak_explicit(bucket, &first, lock,
					   memory_order_release, memory_order_acquire));
	}
	if (found) {
		free(lock);
		lock = found;
	}
	errno = saved_errno;
	return lock;
}

struct measure_ompt_lock *measure_ompt_lock_find(uint64_t wait_id)
{
	struct measure_ompt_lock *lock = chain_find(
		atomic_load_explicit(bucket_of(wait_id), memory_order_acquire), wait_id);

	return lock ? lock : lock_new(wait_id);
}

/* Notes with the owner before this one, whose release has not been told, that it is over by
 * `now`. Where that owner tells it in between, the clock is read again: its time is before
 * ours. `now` was read before `holder`, so a note that comes too late is older than anything
 * its target is used for by then. */
static uint64_t take_over(struct measure_ompt_lock *lock, struct measure_ompt_hold *hold,
	uint64_t now)
{
	struct measure_ompt_hold *before =
		atomic_load_explicit(&lock->holder, memory_order_acquire);

	if (before)
		atomic_store_explicit(&before->successor, now, memory_order_relaxed);
	/* release: `successor` is there for whoever finds the new holder, in let_go() */
	if (!atomic_exchange_explicit(&lock->holder, hold, memory_order_acq_rel))
		now = measure_clock_now();
	return now;
}

uint32_t measure_ompt_lock_acquired(struct measure_ompt_thread *thread,
	struct measure_ompt_lock *lock, uint64_t *time)
{
	uint32_t order = atomic_load_explicit(&lock->order, memory_order_relaxed) + 1;
	uint64_t now = measure_clock_now();
	struct measure_ompt_hold *hold = NULL;

	for (int i = 0; i < MEASURE_OMPT_HOLDS && !hold; i++)
		if (!thread->holds[i].lock)
			hold = &thread->holds[i];
	atomic_store_explicit(&lock->order, order, memory_order_relaxed);
	if (hold) {
		hold->lock = lock;
		hold->order = order;
		hold->acquired = now;
		atomic_store_explicit(&hold->successor, 0, memory_order_relaxed);
	}
	*time = take_over(lock, hold, now);
	return order;
}

/* A successor's note that is not later than our coming was meant for an earlier hold of ours
 * in the same place, on another lock. */
static uint64_t let_go(struct measure_ompt_lock *lock, struct measure_ompt_hold *hold)
{
	struct measure_ompt_hold *expected = hold;
	uint64_t now = measure_clock_now(), successor;

	if (atomic_compare_exchange_strong_explicit(&lock->holder, &expected, NULL,
		    memory_order_acq_rel, memory_order_acquire))
		return now;
	successor = atomic_load_explicit(&hold->successor, memory_order_relaxed);
	return successor > hold->acquired && successor < now ? successor : now;
}

uint32_t measure_ompt_lock_released(struct measure_ompt_thread *thread,
	struct measure_ompt_lock *lock, uint64_t *time)
{
	for (int i = MEASURE_OMPT_HOLDS - 1; i >= 0; i--) {
		struct measure_ompt_hold *hold = &thread->holds[i];
		if (hold->lock != lock)
			continue;
		*time = let_go(lock, hold);
		hold->lock = NULL;
		return hold->order;
	}
	/* the owner was a task that has moved to this thread */
	*time = measure_clock_now();
	return measure_ompt_lock_order(lock);
}

uint32_t measure_ompt_lock_order(const struct measure_ompt_lock *lock)
{
	return atomic_load_explicit(&lock->order, memory_order_relaxed);
}
