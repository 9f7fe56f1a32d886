/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls of the table as regions, and whether they are recorded. */
#ifndef MEASURE_PTHREAD_CALLS_H
#define MEASURE_PTHREAD_CALLS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "adapter.h"
#include "locks.h"

#define PLAIN(name, group, role, parameters, arguments)	   CALL_##name,
#define POINT(name, group, role, parameters, arguments)	   CALL_##name,
#define LOCK(name, group, parameters, arguments, lock)	   CALL_##name,
#define UNLOCK(name, group, parameters, arguments, lock)   CALL_##name,
#define WAIT(name, group, parameters, arguments, lock)	   CALL_##name,
#define DESTROY(type, name, parameters, arguments, lock)
#define JOIN(name, parameters, arguments, thread)	   CALL_##name,
#define OTHER(type, name, role, parameters)		   CALL_##name,
enum measure_call {
#include "pthread_calls.def"
	NR_CALLS
};
#undef PLAIN
#undef POINT
#undef LOCK
#undef UNLOCK
#undef WAIT
#undef DESTROY
#undef JOIN
#undef OTHER

/* Begins to record the groups that the option's text names. */
void measure_calls_choose(const char *groups);

/* Anything is recorded at all. */
bool measure_calls_are_on(void);

/* The halves of a recorded call. Before it: true, if it is to be recorded; its region is
 * entered then. `caller`: an address in the code that calls. */
bool measure_call_is_on(enum measure_call call, const void *caller);
bool measure_call_enter(enum measure_call call, const void *caller);
void measure_call_leave(enum measure_call call);

/* As a handler of pthread_cleanup_push(): the argument is an enum measure_call. */
void measure_call_cancelled(void *call);

void measure_lock_leave(enum measure_call call, const void *lock, int result);
bool measure_unlock_enter(enum measure_call call, const void *lock, const void *caller);
void measure_join_leave(enum measure_call call, pthread_t thread, int result);

/* A wait on a condition; the end is a handler of pthread_cleanup_push() too: also a thread that
 * is cancelled has the lock again then. */
struct measure_wait {
	enum measure_call call;
	bool has_lock; /* it was seen to be acquired */
	struct measure_hold hold;
};
bool measure_wait_enter(struct measure_wait *wait, const void *lock, const void *caller);
void measure_wait_leave(void *wait);

/* The region of a call; made when it is first needed. Not inside a bracket. */
measure_region_t measure_call_region(enum measure_call call);

#endif
