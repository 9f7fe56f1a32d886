/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which locks there are, how often each was acquired, and which of them a thread holds. */
#ifndef MEASURE_PTHREAD_LOCKS_H
#define MEASURE_PTHREAD_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct measure_lock;

/* A lock that a thread holds. */
struct measure_hold {
	struct measure_lock *lock;
	uint32_t order; /* how manieth acquisition of the lock, from 1 */
	uint32_t depth; /* times that it must be released; more than 1 if it is recursive */
};

/* Those of a thread, in order of acquisition; what does not fit is not recorded. */
#define MEASURE_HELD_MOST 24
struct measure_held {
	struct measure_hold items[MEASURE_HELD_MOST];
	uint32_t nr;
};

/* The calling thread has acquired the lock at this address. False: it had it already, or it
 * cannot be told; nothing is to be recorded. */
bool measure_lock_acquired(
	struct measure_held *held, const void *address, struct measure_hold *hold);

/* It is about to release it. False: it keeps it, or has not been seen to acquire it. */
bool measure_lock_released(
	struct measure_held *held, const void *address, struct measure_hold *hold);

/* It is about to wait without it, however often it has acquired it; false: as above. After that
 * it has it again: a further acquisition. */
bool measure_lock_given_up(
	struct measure_held *held, const void *address, struct measure_hold *hold);
void measure_lock_taken_back(struct measure_held *held, struct measure_hold *hold);

/* The lock is destroyed: another one may come to lie at the address. */
void measure_lock_forget(const void *address);

/* The id of the lock at this address, without making one; UINT32_MAX: nobody has had it yet. */
uint32_t measure_lock_number(const void *address);

/* Tells locks apart in records. */
uint32_t measure_lock_id(const struct measure_lock *lock);

#endif
