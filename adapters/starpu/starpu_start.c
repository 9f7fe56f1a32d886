/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the adapter share; see starpu_start.h. */
#include "config.h"

#include "starpu_start.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "../common/named_regions.h"
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

measure_region_t measure_starpu_region(const char *name, const char *canonical_name, uint8_t role)
{
	return measure_named_region(name, canonical_name, role, OTF2_PARADIGM_USER);
}
