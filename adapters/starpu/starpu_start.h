/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is recorded of StarPU (--starpu-groups), and what all files of the adapter share: the team,
 * regions, and the state of the calling thread. */
#ifndef MEASURE_STARPU_START_H
#define MEASURE_STARPU_START_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../common/task_facts.h"
#include "adapter.h"
#include "starpu_real.h"
#include "starpu_table.h"

#pragma GCC visibility push(hidden)

enum measure_starpu_group {
#define GROUP(name, when) MEASURE_STARPU_##name,
#include "groups_starpu.def"
#undef GROUP
	MEASURE_STARPU_NR_GROUPS
};

/* Bits of the groups that are recorded; 0 before recording, in a process that is not recorded, and
 * in its children. */
extern _Atomic uint32_t measure_starpu_groups;

static inline bool measure_starpu_records(enum measure_starpu_group group)
{
	return atomic_load_explicit(&measure_starpu_groups, memory_order_relaxed) >> group & 1 &&
	       measure_is_recording();
}

/* Functions that StarPU does not document tell what happens; otherwise its public ones do. */
static inline bool measure_starpu_is_internal(void)
{
	return measure_starpu_records(MEASURE_STARPU_internal);
}

extern measure_comm_t measure_starpu_team;
extern measure_region_t measure_starpu_states[MEASURE_NR_TASK_STATES];

struct measure_starpu_task;

/* A list of tasks that have to end before another one: of a thread, returned to whoever used it
 * last. */
#define MEASURE_STARPU_BLOCK 7
struct measure_starpu_block {
	uint64_t tasks[MEASURE_STARPU_BLOCK];
	struct measure_starpu_block *next;
};

/* Of a thread that has called StarPU, or is one of its workers. */
struct measure_starpu_thread {
	uint32_t location;
	int worker; /* -1: none; -2: not asked yet */
	int depth;  /* calls of the program within StarPU that are recorded as regions */

	/* The task that it executes, and the region of that. */
	struct measure_starpu_task *executed;
	uint64_t executed_number;
	measure_region_t executed_region;
	const struct starpu_task *begun, *ended; /* the same, and the one before until it is over */
	unsigned nr_executed; /* starts within each other; the outermost one counts */

	/* State between tasks that has been entered: its region; MEASURE_UNDEFINED: none. */
	measure_region_t state;
	uint64_t scheduled_since; /* ticks; 0: it does not look for a task */

	const struct starpu_task *submitted;  /* by a call that goes on */
	bool is_submitted_internally;         /* the next one is StarPU's own */
	const struct starpu_task *terminated; /* by a call that goes on */
	bool is_in_callback;

	starpu_data_handle_t copied; /* by a call that goes on */
	uint64_t transfer;           /* that this has begun; 0: none */

	/* Where the latest of tasks is in the table, if it is there still. */
	struct measure_starpu_place recent;

	struct measure_starpu_block *free_blocks, *blocks_left;
	uint32_t nr_blocks_left;
};

/* The calling thread's; NULL: nothing is recorded, or there is no memory. Keeps errno. */
struct measure_starpu_thread *measure_starpu_self(void);

/* The calling thread ends. */
void measure_starpu_thread_end(void);

/* Between tasks: another state instead of the one that the thread is in, or none. */
void measure_starpu_state_begin(
	struct measure_starpu_thread *thread, enum measure_task_state state);
void measure_starpu_state_end(struct measure_starpu_thread *thread);

/* The same as the latter, in a transaction. */
void measure_starpu_write_state_end(
	struct measure_starpu_thread *thread, struct measure_location *location);

/* The number of a new task of the calling thread: its creator << 32 | a number of the process. */
uint64_t measure_starpu_number(const struct measure_starpu_thread *thread);

struct measure_starpu_block *measure_starpu_block_get(struct measure_starpu_thread *thread);
void measure_starpu_block_return(
	struct measure_starpu_thread *thread, struct measure_starpu_block *block);

/* The region of a name and role: the same for equal ones. A first call takes a lock. */
measure_region_t measure_starpu_region(const char *name, const char *canonical_name, uint8_t role);

#pragma GCC visibility pop

#endif
