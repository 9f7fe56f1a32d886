/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes archives of task programs, event by event, with the OTF2 library, and reads their tasks.
 * Two processes, ranks 0 and 1, on two hosts; a clock with a tick per nanosecond. */
#ifndef TESTS_UNIT_TASKS_T_TASKS_H
#define TESTS_UNIT_TASKS_T_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include <otf2/otf2.h>

#include "analysis/tasks/tasks.h"

/* Locations: of process 0 the first four, of process 1 the others. T_SUBMITTER and T_SUBMITTER1 are
 * no workers; T_DEVICE is of the class "OpenCL", T_CPU0, T_CPU1 and T_CPU2 are of "CPU"; the others
 * have no properties. */
enum { T_SUBMITTER, T_CPU0, T_CPU1, T_DEVICE, T_SUBMITTER1, T_CPU2, T_THREAD, T_NR_LOCATIONS };

/* Codelets; T_OWN is the run-time's. Then what is no task, and states of workers. */
enum { T_POTRF, T_GEMM, T_TRSM, T_OWN, T_FUNCTION, T_TASKWAIT, T_FIRST_STATE };

/* Teams: T_TEAM and T_OTHER_TEAM of process 0, T_TEAM1 of process 1. */
enum { T_WORLD, T_TEAM, T_OTHER_TEAM, T_TEAM1, T_NR_COMMS };

/* Parameters and attributes, in the order of the vocabulary. */
enum t_parameter {
#define TASK_FACT(NAME, parameter) T_##NAME,
#include "task_vocabulary.def"
#define DATA_FACT(NAME, parameter) T_DATA_##NAME,
#define DATA_TEXT(NAME, parameter) T_DATA_##NAME,
#include "task_vocabulary.def"
	T_OTHER_PARAMETER,
	T_NR_PARAMETERS
};

extern OTF2_EvtWriter *t_on[T_NR_LOCATIONS];
extern struct measure_trace *t_trace;
extern struct measure_tasks t_tasks;

/* A new archive; events are written to t_on[]. */
void t_begin(void);
/* No location has properties. */
void t_begin_without_workers(void);
/* Writes the rest. */
void t_write(void);
/* Reads it into t_tasks, after t_write() if that is still to be done. */
measure_status_t t_read_with(unsigned threads, bool is_as_declared);
void t_read(void);
/* Removes all. */
void t_end(void);
const char *t_directory(void);

/* A task is the number of its creator 0 in T_TEAM, in process 1 in T_TEAM1, if nothing else is
 * said. */
uint32_t t_team(uint32_t location);
#define T_TASK(task) t_task(T_TEAM, task)
/* Its index, which must be there. */
uint32_t t_task(uint32_t team, uint32_t number);
struct measure_task *t_find(uint32_t number);

void t_create(uint32_t location, uint64_t time, uint32_t number);
/* With a codelet, an iteration, a tag, and operations; what is UINT64_MAX is not said. */
void t_create_with(uint32_t location, uint64_t time, uint32_t number, uint64_t codelet,
	uint64_t iteration, uint64_t tag, double flops);
void t_fact(uint32_t location, uint64_t time, enum t_parameter fact, uint64_t value);
void t_switch(uint32_t location, uint64_t time, uint32_t number);
void t_complete(uint32_t location, uint64_t time, uint32_t number);
void t_enter(uint32_t location, uint64_t time, uint32_t region);
void t_leave(uint32_t location, uint64_t time, uint32_t region);
/* All of an execution, of region T_GEMM or another one. */
void t_run(uint32_t location, uint64_t start, uint64_t end, uint32_t number);
void t_run_region(
	uint32_t location, uint64_t start, uint64_t end, uint32_t number, uint32_t region);

/* The edge to a predecessor, by indices; NULL: there is none. */
const struct measure_task_edge *t_edge(uint32_t task, uint32_t before);
uint64_t t_nr_edges(uint32_t task);

/* After the same seed everything is the same. */
void t_seed(uint64_t seed);
uint64_t t_random(uint64_t limit);

#endif
