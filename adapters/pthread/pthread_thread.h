/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The threads of the process as this adapter knows them. */
#ifndef MEASURE_PTHREAD_THREAD_H
#define MEASURE_PTHREAD_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <threads.h>

#include "adapter.h"
#include "pthread_locks.h"

#define MEASURE_SEQUENCE_UNKNOWN UINT64_MAX

/* From the call that creates a thread until it has ended and was joined or detached; or, of one
 * that was created without our seeing it, from its first lock to its end. */
struct measure_thread {
	void *(*start)(void *); /* one of the two */
	thrd_start_t c11_start;
	void *data;
	uint64_t sequence; /* from 1; MEASURE_SEQUENCE_UNKNOWN: not seen to be created */
	pthread_t handle;
	uint32_t location;
	uint32_t recording; /* measure_recording_number() of what is known of it */
	bool is_older;      /* it was created in an earlier one */
	bool has_ended;
	bool is_detached;
	struct measure_thread *next; /* in its bucket, or among the free ones */
	struct measure_held held;
};

/* All threads of the process. */
extern measure_comm_t measure_contingent;

/* One that is about to be created, with the next number. NULL: no memory. */
struct measure_thread *measure_thread_new(void);
void measure_thread_free(struct measure_thread *thread);

/* What a created thread runs in place of the program's function. */
void *measure_thread_run(void *thread);
int measure_thread_run_c11(void *thread);

/* The calling thread's; NULL: no memory. */
struct measure_thread *measure_thread_self(void);

/* The calling thread is about to be gone. */
void measure_thread_gone(void);

/* A thread was joined, or is about to be detached: forgets it when it has ended. Its number. */
uint64_t measure_thread_joined(pthread_t handle);
void measure_thread_detached(pthread_t handle);

/* Location of a thread; MEASURE_UNDEFINED: not known. */
uint32_t measure_thread_location(pthread_t handle);

#endif
