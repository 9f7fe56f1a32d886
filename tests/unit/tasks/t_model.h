/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random programs of tasks, and what follows from them by definition, in whatever time it takes:
 * nothing of the product is asked. */
#ifndef TESTS_UNIT_TASKS_T_MODEL_H
#define TESTS_UNIT_TASKS_T_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "t_tasks.h"

#define T_MOST_TASKS 60 /* bits of sets */
#define T_NR_DATA    3
#define T_NO_ACCESS  MEASURE_NR_TASK_MODES

struct t_model_task {
	uint32_t process;
	uint32_t number;          /* in its team */
	uint8_t modes[T_NR_DATA]; /* of its accesses: those of one data are one */
	uint64_t declared;        /* predecessors */
	uint32_t codelet;
	bool is_executed, is_over;
	enum measure_task_exchange exchange;
	uint32_t partner; /* task, of an exchange that has one; else T_MOST_TASKS */
	uint32_t worker;  /* location */
	uint64_t ready;   /* of an exchange */
	uint64_t end, executed;

	/* by definition */
	uint64_t conflicts; /* those before that it may not run beside, or before */
	uint64_t direct;    /* those of them that nothing is between */
	uint64_t reach;     /* all that have to be over before it */
};

extern struct t_model_task t_model[T_MOST_TASKS];
extern uint32_t t_nr_model;

/* Makes a program and writes its trace, which t_write() ends. */
void t_model_make(uint64_t seed);

/* The longest path in ticks, by trying. */
uint64_t t_model_path(enum measure_task_durations durations, bool has_messages);
uint64_t t_model_duration(uint32_t task, enum measure_task_durations durations);
uint64_t t_model_message(uint32_t send, uint32_t receive);

/* Of the predecessors that count, the one that ended last; T_MOST_TASKS: there is none. */
uint32_t t_model_last_before(uint32_t task);

#endif
