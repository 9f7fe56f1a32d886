/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all panels look at: the tasks of a trace, in order of time on each worker, with statistics
 * of their durations. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_TASK_VIEW_H
#define MEASURE_ANALYSIS_TASK_PANELS_TASK_VIEW_H

#include "analysis/tasks/tasks.h"
#include "analysis/task_statistics/area_bound.h"
#include "analysis/task_statistics/duration_statistics.h"
#include "analysis/task_statistics/slices.h"

struct measure_task_view {
	const struct measure_trace *trace;
	const struct measure_tasks *tasks;
	size_t nr_types; /* those of the trace, and one for tasks without a type */
	uint64_t zero;   /* start of the first application task */
	uint64_t end;    /* of the last one; zero: there is none */

	/* messages that arrived before they were sent, until times were corrected for that */
	uint64_t nr_corrected;

	/* location groups with workers or tasks, and the place of each there, or MEASURE_NONE */
	uint32_t *processes, *places;
	uint32_t nr_processes;

	/* executed tasks of worker w by start, from executed[first_executed[w]] to before
	 * executed[first_executed[w + 1]] */
	uint32_t *executed;
	size_t *first_executed;

	/* of what was executed, ticks: [type * nr_classes + class] */
	struct measure_duration_statistics *durations;
	/* by task: is it one of those beyond the fence of its type and class? */
	uint8_t *is_outlier;
};

/* The tasks, and the trace whose names they have, must outlive the view. */
void measure_task_view_make(struct measure_task_view *view, const struct measure_trace *trace,
	const struct measure_tasks *tasks);
void measure_task_view_free(struct measure_task_view *view);

/* ------------------------------------------------------------------------- tasks --- */

/* The last one for a task without a type. */
static inline uint32_t measure_task_view_type(const struct measure_task_view *view, size_t task)
{
	const uint32_t type = view->tasks->tasks[task].type;

	return type < view->tasks->nr_types ? type : (uint32_t)view->tasks->nr_types;
}

const char *measure_task_view_type_name(const struct measure_task_view *view, size_t type);

/* With its process, unless there is one process only. */
const char *measure_task_view_location_name(
	const struct measure_task_view *view, uint32_t location);

bool measure_task_view_type_is_application(const struct measure_task_view *view, size_t type);

/* An application task that a worker executed from start to end. */
bool measure_task_view_is_useful(const struct measure_task_view *view, size_t task);

/* When it ended; the end of the trace where that is not known. */
uint64_t measure_task_view_end_of(const struct measure_task_view *view, size_t task);

/* Numbers of the iterations that application tasks belong to, each once, in order; to be freed by
 * measure_free(). */
uint32_t *measure_task_view_iterations(const struct measure_task_view *view, size_t *nr);

/* Place of a number there; MEASURE_NONE: it is none of them. */
uint32_t measure_task_view_find_iteration(
	const uint32_t *iterations, size_t nr, uint32_t iteration);

/* Application tasks on a worker in order of time, without tasks that these executed meanwhile:
 * calls piece() for each interval. No two of them overlap. */
typedef void measure_task_piece(void *data, uint32_t task, uint64_t start, uint64_t end);
void measure_task_view_walk(const struct measure_task_view *view, uint32_t worker,
	measure_task_piece *piece, void *data);

/* ------------------------------------------------------------------------- bounds --- */

/* Is the task or worker of that process? MEASURE_NONE stands for all processes. */
static inline bool measure_task_view_is_of(uint32_t process, uint32_t of)
{
	return process == MEASURE_NONE || process == of;
}

/* Application tasks of a process, or of all: their numbers, mean durations in ticks, and its
 * workers. Type and class are those of the view. */
void measure_task_view_area(
	const struct measure_task_view *view, uint32_t process, struct measure_area *area);

/* The area bound of these, ticks; NAN: there is none. */
double measure_task_view_bound(const struct measure_task_view *view, uint32_t process);

/* How many tasks of each type were executed in each slice, parts of tasks counted as such:
 * [type * slices->nr + slice]; to be freed by measure_free(). */
double *measure_task_view_counts(const struct measure_task_view *view, uint32_t process,
	const struct measure_slices *slices);

/* From the first start of an application task of the process to the last end, ticks. */
uint64_t measure_task_view_makespan(const struct measure_task_view *view, uint32_t process);

#endif
