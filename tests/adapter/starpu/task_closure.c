/* SPDX-License-Identifier: BSD-3-Clause
 *
 * task_closure ARCHIVE: does each dependence that the run-time has declared between tasks with data
 * follow from what tasks do with data, maybe by way of others? Prints how many there are; status 1
 * if one does not. */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/tasks.h"
#include "trace/archive/trace.h"

static struct measure_tasks tasks;
static bool *is_before; /* by task */

static bool has_data(uint32_t task)
{
	return tasks.first_accesses && task < tasks.nr_created &&
	       tasks.first_accesses[task] < tasks.first_accesses[task + 1];
}

/* Marks all that a task has to wait for; tasks stand behind their predecessors. */
static void mark_inferred(uint32_t task)
{
	for (uint64_t i = tasks.first_edges[task]; i < tasks.first_edges[task + 1]; i++) {
		const struct measure_task_edge *edge = &tasks.edges[i];

		if (!edge->is_inferred || is_before[edge->task])
			continue;
		is_before[edge->task] = true;
		mark_inferred(edge->task);
	}
}

/* Returns how many of a task's declared predecessors are not marked. */
static unsigned check_declared(uint32_t task, unsigned *nr)
{
	unsigned nr_wrong = 0;

	for (uint64_t i = tasks.first_edges[task]; i < tasks.first_edges[task + 1]; i++) {
		const struct measure_task_edge *edge = &tasks.edges[i];

		if (!edge->is_declared || !has_data(edge->task))
			continue;
		++*nr;
		if (is_before[edge->task])
			continue;
		printf("task %u of rank %u does not follow task %u of rank %u by its data\n",
			tasks.tasks[task].number, tasks.tasks[task].creator,
			tasks.tasks[edge->task].number, tasks.tasks[edge->task].creator);
		nr_wrong++;
	}
	return nr_wrong;
}

static int check(struct measure_trace *trace)
{
	unsigned nr = 0, nr_wrong = 0;

	if (measure_tasks_read(trace, &(struct measure_tasks_options){.nr_threads = 1}, &tasks) !=
		MEASURE_OK)
		return 2;
	is_before = calloc(tasks.nr_tasks + 1, sizeof(*is_before));
	if (!is_before)
		return 2;
	for (uint32_t i = 0; i < tasks.nr_created; i++) {
		if (!has_data(i))
			continue;
		memset(is_before, 0, tasks.nr_tasks * sizeof(*is_before));
		mark_inferred(i);
		nr_wrong += check_declared(i, &nr);
	}
	printf("%zu tasks, %u declared dependences, %u not inferred\n", tasks.nr_tasks, nr,
		nr_wrong);
	free(is_before);
	measure_tasks_free(&tasks);
	return nr_wrong > 0;
}

int main(int nr_arguments, char **arguments)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	struct measure_trace *trace = NULL;
	int result = 2;

	if (nr_arguments != 2)
		return 2;
	if (measure_trace_open(arguments[1], &findings, &trace) == MEASURE_OK)
		result = check(trace);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return result;
}
