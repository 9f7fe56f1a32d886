/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a thread keeps: see gomp_thread.h. */
#include "config.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <pthread.h>
#include <stdlib.h>

#include "pages.h"
#include "gomp_team.h"
#include "gomp_thread.h"

static __thread struct measure_gomp_thread *self __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct measure_gomp_thread *free_threads;
/* Tasks that threads that have ended have made, at most: a later thread may have the location of
 * any of them, and goes on counting from there. */
static uint32_t last_generation;

static void thread_end(void *argument)
{
	struct measure_gomp_thread *thread = argument;

	measure_gomp_barrier_over(thread);
	self = NULL;
	thread->nr_levels = 0;
	thread->nr_open = 0;
	thread->started = NULL;
	measure_team_state_free(thread->team_state);
	thread->team_state = NULL;
	pthread_mutex_lock(&mutex);
	if (thread->generation > last_generation)
		last_generation = thread->generation;
	thread->next_free = free_threads;
	free_threads = thread;
	pthread_mutex_unlock(&mutex);
}

static void key_create(void)
{
	pthread_key_create(&key, thread_end);
}

static __attribute__((noinline)) struct measure_gomp_thread *thread_new(void)
{
	int saved_errno = errno;
	struct measure_gomp_thread *thread;
	uint32_t generation;

	pthread_once(&key_once, key_create);
	pthread_mutex_lock(&mutex);
	thread = free_threads;
	if (thread)
		free_threads = thread->next_free;
	generation = last_generation;
	pthread_mutex_unlock(&mutex);
	if (!thread)
		thread = calloc(1, sizeof(*thread));
	if (thread) {
		thread->solo = MEASURE_UNDEFINED;
		thread->is_named = false;
		thread->generation = generation;
		pthread_setspecific(key, thread);
		self = thread;
	}
	errno = saved_errno;
	return thread;
}

struct measure_gomp_thread *measure_gomp_thread_self(void)
{
	return self ? self : thread_new();
}

struct measure_gomp_thread *measure_gomp_thread_recording(void)
{
	if (measure_location_index() == MEASURE_UNDEFINED)
		return NULL;
	return measure_gomp_thread_self();
}

/* ------------------------------------------------------------------------- levels --- */

bool measure_gomp_push(struct measure_gomp_thread *thread, const struct measure_gomp_level *level)
{
	if (thread->nr_levels == thread->room_levels &&
		!measure_pages_grow(
			(void **)&thread->levels, &thread->room_levels, 16, sizeof(*level)))
		return false;
	thread->levels[thread->nr_levels] = *level;
	thread->levels[thread->nr_levels++].base = thread->nr_open;
	return true;
}

struct measure_gomp_level measure_gomp_membership(struct measure_gomp_thread *thread)
{
	const struct measure_gomp_level *level = measure_gomp_level(thread);

	if (level)
		return *level;
	return (struct measure_gomp_level){.comm = measure_team_state_solo(&thread->solo)};
}

/* --------------------------------------------------------------------- constructs --- */

void measure_gomp_enter(struct measure_gomp_thread *thread, struct measure_location *location,
	enum measure_gomp_open_kind kind, measure_region_t region)
{
	measure_write_enter(location, region);
	if (thread->nr_open == thread->room_open &&
		!measure_pages_grow(
			(void **)&thread->open, &thread->room_open, 16, sizeof(*thread->open)))
		return;
	thread->open[thread->nr_open++] = (struct measure_gomp_open){region, kind};
}

void measure_gomp_leave(
	struct measure_gomp_thread *thread, struct measure_location *location, uint32_t index)
{
	while (thread->nr_open > index)
		measure_write_leave(location, thread->open[--thread->nr_open].region);
}

static uint32_t base_of(const struct measure_gomp_thread *thread)
{
	const struct measure_gomp_level *level = measure_gomp_level(thread);

	return level ? level->base : 0;
}

void measure_gomp_leave_works(struct measure_gomp_thread *thread, struct measure_location *location)
{
	uint32_t index = thread->nr_open, base = base_of(thread);

	while (index > base && thread->open[index - 1].kind <= MEASURE_GOMP_SINGLE)
		index--;
	measure_gomp_leave(thread, location, index);
}

uint32_t measure_gomp_find(
	const struct measure_gomp_thread *thread, enum measure_gomp_open_kind kind)
{
	for (uint32_t index = thread->nr_open; index > base_of(thread); index--)
		if (thread->open[index - 1].kind == kind)
			return index - 1;
	return UINT32_MAX;
}

/* ------------------------------------------------------------------------- places --- */

extern const char __start_measure_gomp_run[] __attribute__((visibility("hidden")));
extern const char __stop_measure_gomp_run[] __attribute__((visibility("hidden")));

static bool runs_bodies(const void *address)
{
	return (const char *)address >= __start_measure_gomp_run &&
	       (const char *)address < __stop_measure_gomp_run;
}

measure_region_t measure_gomp_region(const struct measure_gomp_thread *thread, const void *address,
	const char *name, uint8_t role)
{
	const struct measure_gomp_level *level = measure_gomp_level(thread);

	/* the call itself, not the line after it */
	address = (const char *)address - 1;
	if (runs_bodies(address) && level)
		address = (const void *)level->body;
	return measure_region_at(address, name, role, OTF2_PARADIGM_OPENMP);
}
