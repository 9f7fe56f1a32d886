/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the adapter share; see starpu_start.h. */
#include "config.h"

#include "starpu_start.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "mutex.h"
#include "pages.h"

_Atomic uint32_t measure_starpu_groups;
measure_comm_t measure_starpu_team;
measure_region_t measure_starpu_states[MEASURE_NR_TASK_STATES];

static __thread struct measure_starpu_thread *self __attribute__((tls_model("initial-exec")));
static _Atomic uint32_t nr_tasks;

/* ------------------------------------------------------------------------ states --- */

void measure_starpu_write_state_end(
	struct measure_starpu_thread *thread, struct measure_location *location)
{
	if (thread->state != MEASURE_UNDEFINED)
		measure_write_leave(location, thread->state);
	thread->state = MEASURE_UNDEFINED;
}

void measure_starpu_state_begin(struct measure_starpu_thread *thread, enum measure_task_state state)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_starpu_write_state_end(thread, location);
	thread->state = measure_starpu_states[state];
	measure_write_enter(location, thread->state);
	measure_record_end(location);
}

void measure_starpu_state_end(struct measure_starpu_thread *thread)
{
	struct measure_location *location =
		thread->state != MEASURE_UNDEFINED ? measure_record_begin() : NULL;

	if (!location)
		return;
	measure_starpu_write_state_end(thread, location);
	measure_record_end(location);
}

/* ------------------------------------------------------------------------ threads --- */

static void thread_make(void)
{
	const int saved_errno = errno;
	struct measure_starpu_thread *thread = measure_pages_get(sizeof(*thread));

	if (thread) {
		thread->location = measure_location_index();
		thread->worker = -2;
		thread->state = MEASURE_UNDEFINED;
		self = thread;
	}
	errno = saved_errno;
}

struct measure_starpu_thread *measure_starpu_self(void)
{
	if (!self && measure_is_recording())
		thread_make();
	return self;
}

/* Blocks of its own may be in the list of a task: they stay. */
void measure_starpu_thread_end(void)
{
	measure_pages_return(self, sizeof(*self));
	self = NULL;
}

uint64_t measure_starpu_number(const struct measure_starpu_thread *thread)
{
	return measure_task_value(thread->location,
		atomic_fetch_add_explicit(&nr_tasks, 1, memory_order_relaxed) + 1);
}

/* ------------------------------------------------------------------------- blocks --- */

#define BLOCKS_AT_ONCE 512

struct measure_starpu_block *measure_starpu_block_get(struct measure_starpu_thread *thread)
{
	struct measure_starpu_block *block = thread->free_blocks;
	const int saved_errno = errno;

	if (block) {
		thread->free_blocks = block->next;
		memset(block, 0, sizeof(*block));
		return block;
	}
	if (thread->nr_blocks_left == 0) {
		thread->blocks_left = measure_pages_get(BLOCKS_AT_ONCE * sizeof(*block));
		thread->nr_blocks_left = thread->blocks_left ? BLOCKS_AT_ONCE : 0;
		errno = saved_errno;
	}
	return thread->nr_blocks_left ? &thread->blocks_left[--thread->nr_blocks_left] : NULL;
}

void measure_starpu_block_return(
	struct measure_starpu_thread *thread, struct measure_starpu_block *block)
{
	block->next = thread->free_blocks;
	thread->free_blocks = block;
}

/* ------------------------------------------------------------------------ regions --- */

/* By a hash of name and role, so that names of codelets are compared in a few nanoseconds, also
 * those that the program has made up for each task. */
#define NR_REGIONS 4096

static struct starpu_region {
	_Atomic uint64_t hash; /* 0: free */
	measure_region_t region;
} regions[NR_REGIONS];
static struct measure_mutex region_mutex;

static uint64_t region_hash(const char *name, uint8_t role)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ role;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * UINT64_C(1099511628211);
	return hash | 1;
}

/* The place of the hash, or a free one; NULL: neither. */
static struct starpu_region *region_place(uint64_t hash)
{
	for (uint32_t i = 0; i < NR_REGIONS; i++) {
		struct starpu_region *place = &regions[(hash + i) % NR_REGIONS];
		/* pairs with the store in region_make() */
		const uint64_t found = atomic_load_explicit(&place->hash, memory_order_acquire);

		if (found == hash || found == 0)
			return place;
	}
	return NULL;
}

static measure_region_t region_make(
	uint64_t hash, const char *name, const char *canonical_name, uint8_t role)
{
	const struct measure_region_info info = {.name = name,
		.canonical_name = canonical_name,
		.role = role,
		.paradigm = OTF2_PARADIGM_USER};
	measure_region_t region = MEASURE_UNDEFINED;
	struct starpu_region *place;

	measure_mutex_lock(&region_mutex);
	place = region_place(hash);
	if (place && atomic_load_explicit(&place->hash, memory_order_relaxed) == 0) {
		place->region = measure_region_define(&info);
		if (place->region != MEASURE_UNDEFINED)
			atomic_store_explicit(&place->hash, hash, memory_order_release);
	}
	if (place)
		region = place->region;
	measure_mutex_unlock(&region_mutex);
	return region;
}

measure_region_t measure_starpu_region(const char *name, const char *canonical_name, uint8_t role)
{
	const uint64_t hash = region_hash(name, role);
	const struct starpu_region *place = region_place(hash);

	if (place && atomic_load_explicit(&place->hash, memory_order_acquire) == hash)
		return place->region;
	return region_make(hash, name, canonical_name, role);
}
