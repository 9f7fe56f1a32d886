/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests/races: stands between LLVM's OpenMP library and the adapter, and tells ThreadSanitizer
 * what the library guarantees to happen before what. Told is what the adapter may rely on, and
 * nothing else:
 *
 *	begin of a region -> begin of each implicit task
 *	each thread's coming to a barrier -> each one's going on
 *	a task's creation with its dependences, its leaving a thread -> its begin, its going on,
 *		its late fulfilment
 *	a task's end -> the next one's creation in the same memory; the barrier in which it ran
 *	acquisition of a mutex -> its next acquisition. The release is told when it has happened:
 *		what is done then is not ordered
 *
 * Not told: taskwait, taskgroups, dependences, the end of implicit tasks. What the sanitizer sees
 * by itself: threads are made, and those that sleep are woken under a lock.
 *
 * It is part of the program, so the library finds it first; it is not instrumented. Sync objects
 * are known by their addresses: of a region it is a byte of what the adapter keeps of it, of a task
 * the word that the library keeps for us. */
#include "config.h"

#include <dlfcn.h>
#include <omp-tools.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 64 /* teams in each other */

/* Bytes of a region; nothing else has the same address. Barriers take turns: the next one may begin
 * while somebody has not gone on from this one. */
enum { BEGIN = 1, BARRIERS = 2 };

/* This thread's shares in teams, innermost last. */
struct share {
	char *region; /* NULL: not recorded */
	unsigned nr_barriers;
	char *waits_in; /* sync object of the barrier that it is in */
};
static __thread struct share shares[ROOM];
static __thread unsigned nr_shares;

static struct share *share_of(void)
{
	return nr_shares > 0 && nr_shares <= ROOM ? &shares[nr_shares - 1] : NULL;
}

/* The adapter's. */
static ompt_callback_parallel_begin_t next_parallel_begin;
static ompt_callback_implicit_task_t next_implicit_task;
static ompt_callback_sync_region_t next_sync_region;
static ompt_callback_task_create_t next_task_create;
static ompt_callback_dependences_t next_dependences;
static ompt_callback_task_dependence_t next_task_dependence;
static ompt_callback_task_schedule_t next_task_schedule;
static ompt_callback_mutex_t next_mutex_acquired;

/* -------------------------------------------------------------------- parallel regions --- */

static void edges_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame,
	ompt_data_t *parallel, unsigned requested, int flags, const void *codeptr)
{
	next_parallel_begin(task, frame, parallel, requested, flags, codeptr);
	if (parallel->ptr)
		__tsan_release((char *)parallel->ptr + BEGIN);
}

static void edges_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
	ompt_data_t *task, unsigned size, unsigned number, int flags)
{
	if (endpoint == ompt_scope_begin) {
		char *region = parallel ? parallel->ptr : NULL;
		if (region)
			__tsan_acquire(region + BEGIN);
		if (nr_shares++ < ROOM)
			shares[nr_shares - 1] = (struct share){.region = region};
	} else if (nr_shares > 0) {
		nr_shares--;
	}
	next_implicit_task(endpoint, parallel, task, size, number, flags);
}

/* ---------------------------------------------------------------------------- barriers --- */

static int is_barrier(ompt_sync_region_t kind)
{
	return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
	       kind != ompt_sync_region_reduction;
}

static void barrier_come(struct share *share)
{
	share->waits_in = share->region + BARRIERS + (share->nr_barriers++ & 1);
	__tsan_release(share->waits_in);
}

static void barrier_go(struct share *share)
{
	if (share->waits_in)
		__tsan_acquire(share->waits_in);
	share->waits_in = NULL;
}

static void edges_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
	ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct share *share = is_barrier(kind) ? share_of() : NULL;

	if (share && share->region && endpoint == ompt_scope_end)
		barrier_go(share);
	next_sync_region(kind, endpoint, parallel, task, codeptr);
	if (share && share->region && endpoint == ompt_scope_begin)
		barrier_come(share);
}

/* ------------------------------------------------------------------------------- tasks --- */

static void edges_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task,
	int flags, int has_dependences, const void *codeptr)
{
	__tsan_acquire(task);
	next_task_create(creator, frame, task, flags, has_dependences, codeptr);
	__tsan_release(task);
}

static void edges_dependences(
	ompt_data_t *task, const ompt_dependence_t *dependences, int nr_dependences)
{
	next_dependences(task, dependences, nr_dependences);
	__tsan_release(task);
}

static void edges_task_dependence(ompt_data_t *source, ompt_data_t *sink)
{
	next_task_dependence(source, sink);
	__tsan_release(sink);
}

/* The former one may never have run before: it is thrown away, or fulfilled from elsewhere. */
static void edges_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next)
{
	struct share *share = share_of();

	__tsan_acquire(prior);
	if (next)
		__tsan_acquire(next);
	next_task_schedule(prior, status, next);
	__tsan_release(prior);
	if (share && share->waits_in)
		__tsan_release(share->waits_in);
}

/* ------------------------------------------------------------------- mutual exclusion --- */

static void edges_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *codeptr)
{
	__tsan_acquire((void *)(uintptr_t)id);
	next_mutex_acquired(kind, id, codeptr);
	__tsan_release((void *)(uintptr_t)id);
}

/* -------------------------------------------------------------------------- the tool --- */

static ompt_initialize_t next_initialize;
static ompt_set_callback_t set;
static ompt_get_callback_t get;

/* Takes the adapter's callback of an event away, and puts ours in its place. */
#define STAND_BEFORE(event)                                                                        \
	{                                                                                          \
		ompt_callback_t callback = NULL;                                                   \
		if (get(ompt_callback_##event, &callback) == 1) {                                  \
			memcpy(&next_##event, &callback, sizeof(callback));                        \
			set(ompt_callback_##event, (ompt_callback_t)edges_##event);                \
		}                                                                                  \
	}

/* Of the first thread, right after the tool is known: before that the library does not say what the
 * adapter has asked for. */
static void edges_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
	(void)thread;
	if (kind != ompt_thread_initial)
		return;
	STAND_BEFORE(parallel_begin)
	STAND_BEFORE(implicit_task)
	STAND_BEFORE(sync_region)
	STAND_BEFORE(task_create)
	STAND_BEFORE(dependences)
	STAND_BEFORE(task_dependence)
	STAND_BEFORE(task_schedule)
	STAND_BEFORE(mutex_acquired)
}

static int edges_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	set = (ompt_set_callback_t)lookup("ompt_set_callback");
	get = (ompt_get_callback_t)lookup("ompt_get_callback");
	set(ompt_callback_thread_begin, (ompt_callback_t)edges_thread_begin);
	return next_initialize(lookup, device, data);
}

__attribute__((visibility("default"))) ompt_start_tool_result_t *ompt_start_tool(
	unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t ours;
	ompt_start_tool_result_t *(*start)(unsigned, const char *);
	void *next = dlsym(RTLD_NEXT, "ompt_start_tool");
	ompt_start_tool_result_t *theirs;

	if (!next)
		return NULL;
	memcpy(&start, &next, sizeof(next));
	theirs = start(version, runtime);
	if (!theirs)
		return NULL;
	next_initialize = theirs->initialize;
	ours = *theirs;
	ours.initialize = edges_initialize;
	return &ours;
}
