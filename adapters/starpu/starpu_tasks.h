/* SPDX-License-Identifier: BSD-3-Clause
 *
 * StarPU's tasks: numbers that are never used again in the process, in place of addresses that are,
 * and what is written when a task is created. */
#ifndef MEASURE_STARPU_TASKS_H
#define MEASURE_STARPU_TASKS_H

#include <stdatomic.h>
#include <stdint.h>

#include "starpu_start.h"

#pragma GCC visibility push(hidden)

enum measure_starpu_task_state {
	MEASURE_STARPU_TASK_NAMED,   /* others depend on it, or it on others; it is not submitted */
	MEASURE_STARPU_TASK_CREATED, /* ThreadTaskCreate has been written */
	MEASURE_STARPU_TASK_STOPPED, /* it has run, and will go on later */
	MEASURE_STARPU_TASK_COMPLETED /* as well as ThreadTaskComplete */
};

/* Of a task, a tag, or a request of libstarpumpi. */
struct measure_starpu_task {
	_Atomic uint64_t number; /* creator << 32 | number; of its latest submission */
	_Atomic uint32_t state;  /* enum measure_starpu_task_state */
	measure_region_t region; /* of its codelet */
	uint32_t nr_before;
	bool will_stop;                      /* its function will end before the task does */
	struct measure_starpu_block *before; /* tasks that have to end before it begins */
};

/* NULL: it is not known. */
struct measure_starpu_task *measure_starpu_task_find(const void *task);

/* Names it if need be; NULL: no memory. */
struct measure_starpu_task *measure_starpu_task_have(
	struct measure_starpu_thread *thread, const void *task);

void measure_starpu_task_drop(struct measure_starpu_thread *thread, const void *task);

/* Adds to what has to end before it, until it is created. */
void measure_starpu_task_add(
	struct measure_starpu_thread *thread, struct measure_starpu_task *task, uint64_t before);

/* What had to end before the one has to end before the other. */
void measure_starpu_task_move(struct measure_starpu_thread *thread,
	struct measure_starpu_task *from, struct measure_starpu_task *to);

/* A task of StarPU is submitted: writes its creation with all that is known of it. NULL: it is not
 * recorded. */
struct measure_starpu_task *measure_starpu_task_create(
	struct measure_starpu_thread *thread, const struct starpu_task *task);

/* In a transaction: the end of a task, once. */
void measure_starpu_task_write_complete(
	struct measure_location *location, struct measure_starpu_task *task);

/* In a transaction: the thread executes it; 0: none. */
void measure_starpu_write_switch(struct measure_location *location, uint64_t number);

#pragma GCC visibility pop

#endif
