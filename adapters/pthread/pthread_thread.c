/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads by their handles; see pthread_thread.h. A handle can be that of a new thread before we
 * have seen the old one's end, so of several threads with one handle the one created first is
 * meant. */
#include "config.h"

#include "pthread_thread.h"

#include <string.h>

#include "mutex.h"
#include "pages.h"

#define NR_BUCKETS 4096
#define BLOCK      (64 * 1024) /* of memory, bytes */

static struct measure_mutex mutex; /* for all that follows */
static struct measure_thread *buckets[NR_BUCKETS];
static struct measure_thread *free_threads;
static uint64_t nr_threads;

static __thread struct measure_thread *self __attribute__((tls_model("initial-exec")));

measure_comm_t measure_contingent = MEASURE_UNDEFINED;

static void thread_enter(void)
{
	measure_mutex_lock(&mutex);
}

static void thread_leave(void)
{
	measure_mutex_unlock(&mutex);
}

/* Not by malloc(): we may have been called by it. */
static bool have_memory(void)
{
	struct measure_thread *block;

	if (free_threads)
		return true;
	block = measure_pages_get(BLOCK);
	if (!block)
		return false;
	for (size_t i = 0; i < BLOCK / sizeof(*block); i++) {
		block[i].next = free_threads;
		free_threads = &block[i];
	}
	return true;
}

static struct measure_thread *thread_take(void)
{
	struct measure_thread *thread = NULL;

	if (have_memory()) {
		thread = free_threads;
		free_threads = thread->next;
		memset(thread, 0, sizeof(*thread));
		thread->location = MEASURE_UNDEFINED;
		thread->recording = measure_recording_number();
	}
	return thread;
}

static void give_back(struct measure_thread *thread)
{
	thread->next = free_threads;
	free_threads = thread;
}

struct measure_thread *measure_thread_new(void)
{
	struct measure_thread *thread;

	thread_enter();
	thread = thread_take();
	if (thread)
		thread->sequence = ++nr_threads;
	thread_leave();
	return thread;
}

void measure_thread_free(struct measure_thread *thread)
{
	thread_enter();
	give_back(thread);
	thread_leave();
}

/* What a thread held in an earlier recording, and how it began, says nothing of this one. */
static void thread_renew(struct measure_thread *thread)
{
	thread->recording = measure_recording_number();
	thread->location = MEASURE_UNDEFINED;
	thread->held.nr = 0;
	thread->is_older = true;
}

struct measure_thread *measure_thread_self(void)
{
	if (self && self->recording != measure_recording_number())
		thread_renew(self);
	if (!self) {
		thread_enter();
		self = thread_take();
		if (self)
			self->sequence = MEASURE_SEQUENCE_UNKNOWN;
		thread_leave();
	}
	return self;
}

/* ------------------------------------------------------------------- by handle --- */

static struct measure_thread **bucket_of(pthread_t handle)
{
	/* handles are addresses in mappings of whole pages */
	return &buckets[((uint64_t)handle >> 6) * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* The link to the thread that was created first, of those with the handle. */
static struct measure_thread **thread_find(pthread_t handle)
{
	struct measure_thread **found = NULL;

	for (struct measure_thread **link = bucket_of(handle); *link; link = &(*link)->next)
		if (pthread_equal((*link)->handle, handle) &&
			(!found || (*link)->sequence < (*found)->sequence))
			found = link;
	return found;
}

static void thread_forget(struct measure_thread **link)
{
	struct measure_thread *thread = *link;

	*link = thread->next;
	give_back(thread);
}

uint64_t measure_thread_joined(pthread_t handle)
{
	uint64_t sequence = MEASURE_SEQUENCE_UNKNOWN;

	thread_enter();
	struct measure_thread **link = thread_find(handle);
	if (link) {
		if ((*link)->recording == measure_recording_number() && !(*link)->is_older)
			sequence = (*link)->sequence;
		thread_forget(link);
	}
	thread_leave();
	return sequence;
}

void measure_thread_detached(pthread_t handle)
{
	thread_enter();
	struct measure_thread **link = thread_find(handle);
	if (link && (*link)->has_ended)
		thread_forget(link);
	else if (link)
		(*link)->is_detached = true;
	thread_leave();
}

uint32_t measure_thread_location(pthread_t handle)
{
	uint32_t location = MEASURE_UNDEFINED;

	thread_enter();
	struct measure_thread **link = thread_find(handle);
	if (link && (*link)->recording == measure_recording_number())
		location = (*link)->location;
	thread_leave();
	return location;
}

/* --------------------------------------------------------------- begin and end --- */

static void thread_begin(struct measure_thread *thread)
{
	struct measure_thread **bucket = bucket_of(pthread_self());

	self = thread;
	thread_enter();
	thread->handle = pthread_self();
	thread->next = *bucket;
	*bucket = thread;
	thread_leave();
	if (!measure_thread_begin(measure_contingent, thread->sequence))
		return;
	measure_thread_note((uint64_t)thread->handle);
	thread_enter();
	thread->location = measure_location_index();
	thread_leave();
}

void *measure_thread_run(void *argument)
{
	struct measure_thread *thread = argument;

	thread_begin(thread);
	return thread->start(thread->data);
}

int measure_thread_run_c11(void *argument)
{
	struct measure_thread *thread = argument;

	thread_begin(thread);
	return thread->c11_start(thread->data);
}

void measure_thread_gone(void)
{
	struct measure_thread *thread = self;

	if (!thread)
		return;
	self = NULL;
	thread_enter();
	thread->has_ended = true;
	if (thread->sequence == MEASURE_SEQUENCE_UNKNOWN) {
		give_back(thread);
	} else if (thread->is_detached) {
		struct measure_thread **link = bucket_of(thread->handle);
		while (*link && *link != thread)
			link = &(*link)->next;
		if (*link)
			thread_forget(link);
	}
	thread_leave();
}
