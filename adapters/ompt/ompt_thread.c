/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread keeps: see ompt_thread.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ompt_construct.h"
#include "ompt_library.h"
#include "pages.h"
#include "ompt_team.h"
#include "ompt_thread.h"

atomic_uint measure_ompt_epoch;

static __thread struct measure_ompt_thread *self __attribute__((tls_model("initial-exec")));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct measure_ompt_thread *free_threads;

static struct measure_ompt_thread *thread_allocate(void)
{
	struct measure_ompt_thread *thread = aligned_alloc(MEASURE_OMPT_LINE, sizeof(*thread));

	if (thread)
		memset(thread, 0, sizeof(*thread));
	return thread;
}

static __attribute__((noinline)) struct measure_ompt_thread *thread_new(void)
{
	int saved_errno = errno;
	struct measure_ompt_thread *thread;

	pthread_mutex_lock(&mutex);
	thread = free_threads;
	if (thread)
		free_threads = thread->next_free;
	pthread_mutex_unlock(&mutex);
	if (!thread)
		thread = thread_allocate();
	if (thread) {
		thread->solo = MEASURE_UNDEFINED;
		thread->is_named = false;
	}
	self = thread;
	errno = saved_errno;
	return thread;
}

struct measure_ompt_thread *measure_ompt_thread_self(void)
{
	return self ? self : thread_new();
}

void measure_ompt_thread_end(ompt_data_t *thread_data)
{
	struct measure_ompt_thread *thread = self;

	(void)thread_data;
	if (!thread)
		return;
	measure_ompt_team_over(thread);
	self = NULL;
	atomic_fetch_add_explicit(&measure_ompt_epoch, 1, memory_order_relaxed);
	thread->nr_open = 0;
	thread->nr_members = 0;
	thread->asked_id = 0;
	thread->forked = NULL;
	thread->nr_unrecorded = 0;
	for (int i = 0; i < MEASURE_OMPT_HOLDS; i++)
		thread->holds[i].lock = NULL;
	measure_team_state_free(thread->team_state);
	thread->team_state = NULL;
	pthread_mutex_lock(&mutex);
	thread->next_free = free_threads;
	free_threads = thread;
	pthread_mutex_unlock(&mutex);
}

/* This may be called in a transaction. False: no memory. */
static bool thread_grow(void **items, uint32_t nr, uint32_t *room, size_t size)
{
	return nr < *room || measure_pages_grow(items, room, 32, size);
}

void measure_ompt_push(struct measure_ompt_thread *thread, const struct measure_ompt_open *open)
{
	if (thread_grow((void **)&thread->open, thread->nr_open, &thread->room_open, sizeof(*open)))
		thread->open[thread->nr_open++] = *open;
}

uint32_t measure_ompt_base(const struct measure_ompt_thread *thread)
{
	uint32_t index = thread->nr_open;

	while (index > 0 && thread->open[index - 1].what > MEASURE_OMPT_TASK)
		index--;
	return index;
}

uint32_t measure_ompt_find(
	const struct measure_ompt_thread *thread, enum measure_ompt_open_what what, int kind)
{
	for (uint32_t i = thread->nr_open; i-- > 0;) {
		if (thread->open[i].what <= MEASURE_OMPT_TASK)
			break;
		if (thread->open[i].what == what && (kind < 0 || thread->open[i].kind == kind))
			return i;
	}
	return UINT32_MAX;
}

/* ---------------------------------------------------------------------- members --- */

const struct measure_ompt_member *measure_ompt_member(const struct measure_ompt_thread *thread)
{
	return thread->nr_members ? &thread->members[thread->nr_members - 1] : NULL;
}

bool measure_ompt_member_push(
	struct measure_ompt_thread *thread, const struct measure_ompt_member *member)
{
	const struct measure_ompt_open open = {
		.what = MEASURE_OMPT_MEMBER, .region = MEASURE_UNDEFINED};

	if (!thread_grow(
		    (void **)&thread->open, thread->nr_open, &thread->room_open, sizeof(open)) ||
		!thread_grow((void **)&thread->members, thread->nr_members, &thread->room_members,
			sizeof(*member)))
		return false;
	thread->members[thread->nr_members++] = *member;
	thread->open[thread->nr_open++] = open;
	return true;
}

struct measure_ompt_member measure_ompt_membership(struct measure_ompt_thread *thread)
{
	const struct measure_ompt_member *member = measure_ompt_member(thread);

	if (member)
		return *member;
	return (struct measure_ompt_member){.comm = measure_team_state_solo(&thread->solo)};
}

/* ---------------------------------------------------------------------- regions --- */

void measure_ompt_enter(struct measure_ompt_thread *thread, struct measure_location *location,
	enum measure_ompt_open_what what, int kind, measure_region_t region)
{
	const struct measure_ompt_open open = {
		.what = (uint8_t)what, .kind = (uint8_t)kind, .region = region};

	measure_ompt_push(thread, &open);
	measure_write_enter(location, region);
}

void measure_ompt_leave(
	struct measure_ompt_thread *thread, struct measure_location *location, uint32_t index)
{
	while (thread->nr_open > index) {
		const struct measure_ompt_open *top = &thread->open[--thread->nr_open];
		if (top->region != MEASURE_UNDEFINED)
			measure_write_leave(location, top->region);
	}
}

measure_region_t measure_ompt_region(const struct measure_ompt_thread *thread, const void *codeptr,
	const char *name, uint8_t role)
{
	const struct measure_ompt_member *member = measure_ompt_member(thread);

	if ((!codeptr || measure_ompt_is_runtime(codeptr)) && member)
		codeptr = member->team->notice.codeptr;
	/* the call itself, not the line after it */
	return measure_region_at(
		(const char *)codeptr - (codeptr != NULL), name, role, OTF2_PARADIGM_OPENMP);
}
