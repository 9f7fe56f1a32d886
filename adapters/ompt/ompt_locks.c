/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks, and the order of their owners: see ompt_locks.h. */
#include "config.h"

#include "ompt_locks.h"
#include "ordered.h"

/* Notes with the owner before this one, whose release has not been told, that it is over by
 * `now`. Where that owner tells it in between, the clock is read again: its time is before
 * ours. `now` was read before `holder`, so a note that comes too late is older than anything
 * its target is used for by then. */
static uint64_t lock_take_over(
	struct measure_omp_lock *lock, struct measure_ompt_hold *hold, uint64_t now)
{
	struct measure_ompt_hold *before = atomic_load_explicit(&lock->owner, memory_order_acquire);

	if (before)
		atomic_store_explicit(&before->successor, now, memory_order_relaxed);
	/* release: `successor` is there for whoever finds the new owner, in lock_let_go() */
	if (atomic_exchange_explicit(&lock->owner, hold, memory_order_acq_rel))
		return now;
	measure_order_clock();
	return measure_clock_now();
}

uint32_t measure_ompt_lock_acquired(
	struct measure_ompt_thread *thread, struct measure_omp_lock *lock, uint64_t *time)
{
	uint32_t order = atomic_load_explicit(&lock->order, memory_order_relaxed) + 1;
	struct measure_ompt_hold *hold = NULL;
	uint64_t now;

	measure_order_clock();
	now = measure_clock_now();
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
	*time = lock_take_over(lock, hold, now);
	return order;
}

/* A successor's note that is not later than our coming was meant for an earlier hold of ours
 * in the same place, on another lock. */
static uint64_t lock_let_go(struct measure_omp_lock *lock, struct measure_ompt_hold *hold)
{
	void *expected = hold;
	uint64_t now = measure_clock_now(), successor;

	if (atomic_compare_exchange_strong_explicit(
		    &lock->owner, &expected, NULL, memory_order_acq_rel, memory_order_acquire))
		return now;
	successor = atomic_load_explicit(&hold->successor, memory_order_relaxed);
	return successor > hold->acquired && successor < now ? successor : now;
}

uint32_t measure_ompt_lock_released(
	struct measure_ompt_thread *thread, struct measure_omp_lock *lock, uint64_t *time)
{
	for (int i = MEASURE_OMPT_HOLDS - 1; i >= 0; i--) {
		struct measure_ompt_hold *hold = &thread->holds[i];
		if (hold->lock != lock)
			continue;
		*time = lock_let_go(lock, hold);
		hold->lock = NULL;
		return hold->order;
	}
	/* the owner was a task that has moved to this thread */
	*time = measure_clock_now();
	return measure_ompt_lock_order(lock);
}

uint32_t measure_ompt_lock_order(const struct measure_omp_lock *lock)
{
	return atomic_load_explicit(&lock->order, memory_order_relaxed);
}
