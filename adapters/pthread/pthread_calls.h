/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of the calls of the table, and records of locks and threads that theirs have besides
 * what ../calls/calls.h writes. */
#ifndef MEASURE_PTHREAD_CALLS_H
#define MEASURE_PTHREAD_CALLS_H

#include <pthread.h>

#include "../common/recorded_calls.h"
#include "pthread_locks.h"

#define ROW(type, name, group, role, parameters) CALL_##name,
enum measure_pthread_call {
#include "pthread_calls.def"
	NR_CALLS
};

/* As a handler of pthread_cleanup_push(): the argument is an enum measure_pthread_call. */
void measure_call_cancelled(void *call);

/* Begins of calls that may wait: for a lock, for the others of a barrier, for a semaphore, for the
 * end of a thread. False: not recorded. */
bool measure_lock_enter(enum measure_pthread_call call, const void *lock, const void *caller);
bool measure_gather_enter(enum measure_pthread_call call, const void *barrier, const void *caller);
bool measure_signal_enter(enum measure_pthread_call call, const void *object, const void *caller);
bool measure_join_enter(enum measure_pthread_call call, pthread_t thread, const void *caller);

void measure_lock_leave(enum measure_pthread_call call, const void *lock, int result);
bool measure_unlock_enter(enum measure_pthread_call call, const void *lock, const void *caller);
void measure_join_leave(enum measure_pthread_call call, pthread_t thread, int result);

/* A wait on a condition; the end is a handler of pthread_cleanup_push() too: also a thread that
 * is cancelled has the lock again then. */
struct measure_condition_wait {
	enum measure_pthread_call call;
	bool has_lock; /* it was seen to be acquired */
	struct measure_hold hold;
};
bool measure_wait_enter(struct measure_condition_wait *wait, const void *lock, const void *caller);
void measure_wait_leave(void *wait);

#endif
