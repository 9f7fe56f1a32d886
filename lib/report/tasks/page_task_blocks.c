/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of tasks and their predecessors. Where tasks are too many, those on the critical path
 * are there, then outliers, then the longest ones. */
#include "config.h"

#include <stdlib.h>

#include "page_tasks.h"

#define SHARE      45 /* per cent of the room, with predecessors */
#define CHARACTERS 16 /* of a task, about */

/* Flags in the block. */
#define FLAG_OUTLIER  1
#define FLAG_CRITICAL 2

/* Tasks that the page can show, by importance or by time. */
struct shown_tasks {
	const struct measure_report_tasks *tasks;
	MEASURE_GROWING(uint32_t, candidates);
	size_t *order;  /* of those that are shown, in candidates */
	uint32_t *rows; /* by task: place in the block, or MEASURE_NONE */
	uint32_t *last; /* by task that is not shown: what stands for it, see find_last() */
};

/* What a worker executed, and exchanges that took place. */
static bool can_be_shown(const struct measure_tasks *tasks, size_t task)
{
	return measure_task_is_executed(&tasks->tasks[task]) ||
	       (measure_task_exchange_of(tasks, task) != MEASURE_TASK_NO_EXCHANGE &&
		       measure_task_is_over(&tasks->tasks[task]));
}

/* An exchange begins when nothing is in its way any more. */
static uint64_t start_of(const struct measure_task *task)
{
	if (task->start != MEASURE_TASK_NO_TIME)
		return task->start;
	return task->ready <= task->end ? task->ready : task->end;
}

static int compare_importance(const void *left, const void *right, void *data)
{
	const struct shown_tasks *shown = data;
	const size_t a = shown->candidates[*(const size_t *)left],
		     b = shown->candidates[*(const size_t *)right];
	const struct measure_report_tasks *tasks = shown->tasks;
	const int rank_a = 2 * tasks->is_on_path[a] + tasks->view.is_outlier[a],
		  rank_b = 2 * tasks->is_on_path[b] + tasks->view.is_outlier[b];

	if (rank_a != rank_b)
		return rank_a > rank_b ? -1 : 1;
	if (tasks->tasks.tasks[a].executed != tasks->tasks.tasks[b].executed)
		return tasks->tasks.tasks[a].executed > tasks->tasks.tasks[b].executed ? -1 : 1;
	return a < b ? -1 : a > b;
}

static int compare_times(const void *left, const void *right, void *data)
{
	const struct shown_tasks *shown = data;
	const size_t a = shown->candidates[*(const size_t *)left],
		     b = shown->candidates[*(const size_t *)right];
	const uint64_t start_a = start_of(&shown->tasks->tasks.tasks[a]),
		       start_b = start_of(&shown->tasks->tasks.tasks[b]);

	if (start_a != start_b)
		return start_a < start_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* ---------------------------------------------------------------------- predecessors --- */

/* The one that ended last of what a task waited for, of those that can be shown. Joins, and tasks
 * that nobody executed, stand for that. */
static uint32_t find_last(const struct shown_tasks *shown, size_t task)
{
	const struct measure_tasks *tasks = &shown->tasks->tasks;
	uint32_t last = MEASURE_NONE;

	for (uint64_t i = tasks->first_edges[task]; i < tasks->first_edges[task + 1]; i++) {
		const uint32_t before = tasks->edges[i].task,
			       real = shown->last[before] != MEASURE_NONE ? shown->last[before]
									  : before;

		if (can_be_shown(tasks, real) &&
			(last == MEASURE_NONE || tasks->tasks[real].end > tasks->tasks[last].end))
			last = real;
	}
	return last;
}

static void find_all_last(struct shown_tasks *shown)
{
	const struct measure_tasks *tasks = &shown->tasks->tasks;

	shown->last = measure_uncleared(tasks->nr_tasks, sizeof(*shown->last));
	for (size_t i = 0; i < tasks->nr_tasks; i++)
		shown->last[i] = MEASURE_NONE;
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const size_t task = tasks->order ? tasks->order[i] : i;

		if (!can_be_shown(tasks, task))
			shown->last[task] = find_last(shown, task);
	}
}

/* Calls take() for each predecessor in the page; returns how many. block NULL: only counts. */
static uint64_t write_edges(const struct shown_tasks *shown, size_t task, uint32_t row,
	struct measure_page_block *block)
{
	const struct measure_tasks *tasks = &shown->tasks->tasks;
	uint64_t nr = 0;

	for (uint64_t i = tasks->first_edges[task]; i < tasks->first_edges[task + 1]; i++) {
		const uint32_t before = tasks->edges[i].task,
			       real = shown->last[before] != MEASURE_NONE ? shown->last[before]
									  : before;

		if (shown->rows[real] == MEASURE_NONE)
			continue;
		if (block)
			measure_page_block_signed(block, (int64_t)row - shown->rows[real]);
		nr++;
	}
	return nr;
}

static void write_predecessors(
	struct measure_page_run *run, const struct shown_tasks *shown, size_t nr)
{
	struct measure_page_block *block =
		measure_page_open(run->page, run->number, "predecessors");

	measure_page_block_number(block, nr);
	for (uint32_t row = 0; row < nr; row++) {
		const size_t task = shown->candidates[shown->order[row]];

		measure_page_block_number(block, write_edges(shown, task, row, NULL));
		write_edges(shown, task, row, block);
	}
	measure_page_close(run->page);
	run->shares[MEASURE_PAGE_PREDECESSORS].is_there = true;
}

/* ------------------------------------------------------------------------------ tasks --- */

/* A time before another one, plus 1; 0: it is not known. */
static void write_before(struct measure_page_run *run, struct measure_page_block *block,
	uint64_t before, uint64_t time)
{
	if (before == MEASURE_TASK_NO_TIME)
		measure_page_block_number(block, 0);
	else if (before >= time)
		measure_page_block_number(block, 1);
	else
		measure_page_block_number(block, measure_page_task_time(run, time) -
							 measure_page_task_time(run, before) + 1);
}

static void write_task(struct measure_page_run *run, struct measure_page_block *block,
	uint32_t index, uint64_t *last)
{
	const struct measure_report_tasks *tasks = run->tasks;
	const struct measure_task *task = &tasks->tasks.tasks[index];
	const uint64_t start = measure_page_task_time(run, start_of(task)),
		       end = measure_page_task_time(run, task->end);
	const bool is_executed = measure_task_is_executed(task);

	measure_page_block_number(block, start - *last);
	measure_page_block_number(block, end - start);
	measure_page_block_number(block, is_executed ? (uint64_t)task->worker + 1 : 0);
	measure_page_block_number(block, measure_task_view_type(&tasks->view, index));
	measure_page_block_number(block, measure_page_row(task->iteration));
	measure_page_block_number(block, (tasks->view.is_outlier[index] ? FLAG_OUTLIER : 0) |
						 (tasks->is_on_path[index] ? FLAG_CRITICAL : 0));
	write_before(run, block, task->ready, start_of(task));
	write_before(run, block, task->create,
		task->ready < start_of(task) ? task->ready : start_of(task));
	*last = start;
}

static void find_candidates(struct shown_tasks *shown)
{
	const struct measure_tasks *tasks = &shown->tasks->tasks;

	for (uint32_t i = 0; i < tasks->nr_tasks; i++)
		if (can_be_shown(tasks, i))
			*measure_append(shown, candidates) = i;
}

void measure_page_write_tasks(struct measure_page_run *run)
{
	struct measure_page_share *share = &run->shares[MEASURE_PAGE_TASKS];
	struct shown_tasks shown = {.tasks = run->tasks};
	struct measure_page_block *block;
	uint64_t last = 0;

	if (!run->tasks)
		return;
	find_candidates(&shown);
	*share = measure_page_share_of(
		shown.nr_candidates, measure_page_most(run, SHARE, CHARACTERS));
	shown.order = measure_page_choose(share, compare_importance, compare_times, &shown);
	shown.rows = measure_uncleared(run->tasks->tasks.nr_tasks, sizeof(*shown.rows));
	for (size_t i = 0; i < run->tasks->tasks.nr_tasks; i++)
		shown.rows[i] = MEASURE_NONE;
	block = measure_page_open(run->page, run->number, "tasks");
	measure_page_block_number(block, share->shown);
	for (uint32_t i = 0; i < share->shown; i++) {
		const uint32_t task = shown.candidates[shown.order[i]];

		shown.rows[task] = i;
		write_task(run, block, task, &last);
	}
	measure_page_close(run->page);
	find_all_last(&shown);
	write_predecessors(run, &shown, share->shown);
	measure_free(shown.last);
	measure_free(shown.rows);
	measure_free(shown.order);
	measure_free(shown.candidates);
}
