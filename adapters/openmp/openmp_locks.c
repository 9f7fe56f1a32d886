/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks by their addresses: see openmp_locks.h. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "openmp_locks.h"

#define BITS 12

/* Chains only grow: a program that makes locks at ever new places keeps them all. */
static _Atomic(struct measure_omp_lock *) buckets[1 << BITS];
static atomic_uint nr_locks;

static _Atomic(struct measure_omp_lock *) *bucket_of(uint64_t key)
{
	return &buckets[key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS)];
}

static struct measure_omp_lock *chain_find(struct measure_omp_lock *lock, uint64_t key)
{
	while (lock && lock->key != key)
		lock = lock->next;
	return lock;
}

static __attribute__((noinline)) struct measure_omp_lock *lock_new(uint64_t key)
{
	int saved_errno = errno;
	_Atomic(struct measure_omp_lock *) *bucket = bucket_of(key);
	struct measure_omp_lock *lock = calloc(1, sizeof(*lock)), *found = NULL;
	struct measure_omp_lock *first = atomic_load_explicit(bucket, memory_order_acquire);

	if (lock) {
		lock->key = key;
		lock->id = atomic_fetch_add_explicit(&nr_locks, 1, memory_order_relaxed) + 1;
		do {
			found = chain_find(first, key);
			lock->next = first;
			/* pairs with the load in measure_omp_lock_find() */
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

struct measure_omp_lock *measure_omp_lock_find(uint64_t key)
{
	struct measure_omp_lock *lock =
		chain_find(atomic_load_explicit(bucket_of(key), memory_order_acquire), key);

	return lock ? lock : lock_new(key);
}
