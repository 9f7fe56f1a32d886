/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For both OpenMP adapters: what is told of a task so that its graph can be drawn: see tasks.def.
 */
#ifndef MEASURE_OPENMP_TASKS_H
#define MEASURE_OPENMP_TASKS_H

#include <stdint.h>

#include "adapter.h"

enum measure_task_fact {
#define FACT(NAME, parameter) MEASURE_TASK_##NAME,
#include "openmp_tasks.def"
#undef FACT
	MEASURE_NR_TASK_FACTS
};

/* Bits of MEASURE_TASK_FLAGS. That a task is untied is said by its region. */
enum measure_task_flag {
	MEASURE_TASK_UNDEFERRED = 1,
	MEASURE_TASK_FINAL = 2,
	MEASURE_TASK_MERGEABLE = 4,
	MEASURE_TASK_DETACHABLE = 8
};

/* Once, outside of any transaction. */
void measure_task_facts_define(void);

static inline uint64_t measure_task_value(uint32_t creator, uint32_t generation)
{
	return (uint64_t)creator << 32 | generation;
}

/* In a transaction of the thread that made the task, behind its creation and before that of another
 * one. */
void measure_task_fact_write(
	struct measure_location *location, enum measure_task_fact fact, uint64_t value);

#endif
