/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks, and the order of their owners. The library tells of a release after it has happened:
 * by then the next owner may have come, and gone. So the next one notes with its predecessor
 * when it came, and the release is recorded with that time: never after the next acquisition.
 * Nobody waits for anybody. The lock's `owner` is the hold whose release has not been told. */
#ifndef MEASURE_OMPT_LOCKS_H
#define MEASURE_OMPT_LOCKS_H

#include "../openmp/openmp_locks.h"
#include "ompt_thread.h"

/* The calling thread has acquired the lock: returns its order, and when that was. */
uint32_t measure_ompt_lock_acquired(
	struct measure_ompt_thread *thread, struct measure_omp_lock *lock, uint64_t *time);

/* The lock was released, by whoever: returns the order of that owner, and when it was. */
uint32_t measure_ompt_lock_released(
	struct measure_ompt_thread *thread, struct measure_omp_lock *lock, uint64_t *time);

/* The order of the current owner. */
uint32_t measure_ompt_lock_order(const struct measure_omp_lock *lock);

#endif
