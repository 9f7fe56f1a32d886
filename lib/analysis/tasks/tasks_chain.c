/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Why tasks began late: chains of predecessors, and gaps before which one would ask. */
#include "config.h"

#include "base/array.h"
#include "tasks_reading.h"

/* ------------------------------------------------------------------------- chains --- */

struct chain_finding {
	const struct measure_tasks *tasks;
	/* those that nobody executed, and whose predecessors count instead */
	MEASURE_GROWING(uint32_t, passed);
	struct measure_map known; /* among these */
};

static bool is_of_chain(const struct measure_tasks *tasks, uint32_t task)
{
	return tasks->tasks[task].start != MEASURE_TASK_NO_TIME ||
	       measure_task_exchange_of(tasks, task) != MEASURE_TASK_NO_EXCHANGE;
}

static void chain_pass(struct chain_finding *finding, uint32_t task)
{
	const uint32_t next = (uint32_t)finding->nr_passed;

	if (measure_map_intern(&finding->known, measure_key_of(task), next) == next)
		*measure_append(finding, passed) = task;
}

/* The one that ended last, of several the first one; MEASURE_NONE: there is none. */
static uint32_t chain_last_before(struct chain_finding *finding, uint32_t task)
{
	const struct measure_tasks *tasks = finding->tasks;
	uint32_t last = MEASURE_NONE;

	finding->nr_passed = 0;
	measure_map_clear(&finding->known);
	chain_pass(finding, task);
	for (size_t i = 0; i < finding->nr_passed; i++) {
		const uint32_t at = finding->passed[i];

		for (uint64_t e = tasks->first_edges[at]; e < tasks->first_edges[at + 1]; e++) {
			const uint32_t before = tasks->edges[e].task;
			const uint64_t end = tasks->tasks[before].end;

			if (!is_of_chain(tasks, before))
				chain_pass(finding, before);
			else if (end != MEASURE_TASK_NO_TIME &&
				 (last == MEASURE_NONE || end > tasks->tasks[last].end ||
					 (end == tasks->tasks[last].end && before < last)))
				last = before;
		}
	}
	return last;
}

size_t measure_tasks_chain(
	const struct measure_tasks *tasks, uint32_t task, size_t levels, uint32_t *chain)
{
	struct chain_finding finding = {.tasks = tasks};
	size_t nr = 0;

	while (task != MEASURE_NONE) {
		chain[nr++] = task;
		task = nr <= levels ? chain_last_before(&finding, task) : MEASURE_NONE;
	}
	measure_free(finding.passed);
	measure_map_free(&finding.known);
	return nr;
}

/* --------------------------------------------------------------------------- gaps --- */

struct worker_start {
	uint64_t start;
	uint32_t task, worker;
};

static int compare_starts(const void *left, const void *right)
{
	const struct worker_start *a = left, *b = right;

	if (a->worker != b->worker)
		return a->worker < b->worker ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

/* Keeps the longest ones, in order. */
static size_t keep_gap(
	struct measure_task_gap *gaps, size_t nr_kept, size_t nr, struct measure_task_gap gap)
{
	size_t place = nr_kept;

	while (place > 0 &&
		(gaps[place - 1].ticks < gap.ticks ||
			(gaps[place - 1].ticks == gap.ticks && gaps[place - 1].task > gap.task)))
		place--;
	if (place >= nr)
		return nr_kept;
	nr_kept += nr_kept < nr;
	for (size_t i = nr_kept - 1; i > place; i--)
		gaps[i] = gaps[i - 1];
	gaps[place] = gap;
	return nr_kept;
}

size_t measure_tasks_find_gaps(
	const struct measure_tasks *tasks, size_t nr, struct measure_task_gap *gaps)
{
	struct worker_start *starts = measure_uncleared(tasks->nr_tasks, sizeof(*starts));
	size_t nr_starts = 0, nr_kept = 0;
	uint64_t over = 0;

	for (uint32_t i = 0; i < tasks->nr_tasks; i++)
		if (measure_task_is_executed(&tasks->tasks[i]))
			starts[nr_starts++] = (struct worker_start){
				tasks->tasks[i].start, i, tasks->tasks[i].worker};
	measure_sort(starts, nr_starts, compare_starts);
	for (size_t i = 0; i < nr_starts; i++) {
		const struct measure_task *task = &tasks->tasks[starts[i].task];
		const bool is_first = i == 0 || starts[i].worker != starts[i - 1].worker;

		if (!is_first && task->start > over)
			nr_kept = keep_gap(gaps, nr_kept, nr,
				(struct measure_task_gap){starts[i].task, task->start - over});
		if (is_first || task->end > over)
			over = task->end;
	}
	measure_free(starts);
	return nr_kept;
}
