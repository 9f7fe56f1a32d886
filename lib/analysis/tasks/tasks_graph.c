/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts tasks in an order in which each stands behind its parent and its predecessors. In a trace
 * that is whole there is one. Else dependences that lead back to a task that waits are left out,
 * and counted: whoever walks the graph afterwards gets to an end. */
#include "config.h"

#include "tasks_reading.h"

enum { TASK_NEW, TASK_OPEN, TASK_DONE };

/* A walk from tasks to what has to be before them. */
struct task_ordering {
	struct measure_tasks *tasks;
	uint8_t *states; /* by task */
	uint32_t *order;
	size_t nr_ordered;
	/* those that are open: each waits for the one behind it */
	MEASURE_GROWING(struct ordering_step, open);
	uint64_t nr_cut;
};

struct ordering_step {
	uint32_t task;
	uint32_t next; /* edge to look at; 0 is its parent, and its first edge 1 */
};

static bool stands_in_order(const struct measure_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const uint64_t end = tasks->first_edges[i + 1];

		/* edges are in order: the last one has the greatest predecessor */
		if (end > tasks->first_edges[i] && tasks->edges[end - 1].task >= i)
			return false;
		if (tasks->tasks[i].parent != MEASURE_NONE && tasks->tasks[i].parent >= i)
			return false;
	}
	return true;
}

static void ordering_open(struct task_ordering *ordering, uint32_t task)
{
	ordering->states[task] = TASK_OPEN;
	*measure_append(ordering, open) = (struct ordering_step){.task = task};
}

/* An edge that leads to the task itself is one that is left out. */
static void ordering_cut(struct task_ordering *ordering, const struct ordering_step *step)
{
	struct measure_tasks *tasks = ordering->tasks;

	ordering->nr_cut++;
	if (step->next == 1)
		tasks->tasks[step->task].parent = MEASURE_NONE;
	else
		tasks->edges[tasks->first_edges[step->task] + step->next - 2].task =
			step->task & (MEASURE_TASK_MOST - 1);
}

static void ordering_step(struct task_ordering *ordering)
{
	const struct measure_tasks *tasks = ordering->tasks;
	struct ordering_step *step = &ordering->open[ordering->nr_open - 1];
	const uint64_t first = tasks->first_edges[step->task];
	const uint64_t nr = tasks->first_edges[step->task + 1] - first;
	uint32_t before;

	if (step->next > nr) {
		ordering->states[step->task] = TASK_DONE;
		ordering->order[ordering->nr_ordered++] = step->task;
		ordering->nr_open--;
		return;
	}
	before = step->next == 0 ? tasks->tasks[step->task].parent
				 : tasks->edges[first + step->next - 1].task;
	step->next++;
	if (before == MEASURE_NONE || ordering->states[before] == TASK_DONE)
		return;
	if (ordering->states[before] == TASK_OPEN)
		ordering_cut(ordering, step);
	else
		ordering_open(ordering, before);
}

static void take_out_cut(struct measure_tasks *tasks)
{
	uint64_t nr = 0, begin = 0;

	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const uint64_t end = tasks->first_edges[i + 1];

		for (uint64_t e = begin; e < end; e++)
			if (tasks->edges[e].task != i)
				tasks->edges[nr++] = tasks->edges[e];
		begin = end;
		tasks->first_edges[i + 1] = nr;
	}
}

static void find_order(struct measure_tasks *tasks)
{
	struct task_ordering ordering = {.tasks = tasks,
		.states = measure_zeroed(tasks->nr_tasks, sizeof(*ordering.states)),
		.order = measure_uncleared(tasks->nr_tasks, sizeof(*ordering.order))};

	for (uint32_t i = 0; i < tasks->nr_tasks; i++) {
		if (ordering.states[i] == TASK_NEW)
			ordering_open(&ordering, i);
		while (ordering.nr_open > 0)
			ordering_step(&ordering);
	}
	tasks->order = ordering.order;
	tasks->troubles.nr_cyclic += ordering.nr_cut;
	if (ordering.nr_cut > 0)
		take_out_cut(tasks);
	measure_free(ordering.states);
	measure_free(ordering.open);
}

/* -------------------------------------------------------------------------- ready --- */

struct task_release {
	uint64_t time; /* the last predecessor has ended */
	bool is_open;  /* of some the end is not known */
};

static struct task_release release_of(
	const struct measure_tasks *tasks, uint32_t task, const struct task_release *joins)
{
	const size_t first_join = tasks->nr_tasks - tasks->nr_joins;
	struct task_release release = {.time = 0};

	for (uint64_t e = tasks->first_edges[task]; e < tasks->first_edges[task + 1]; e++) {
		const uint32_t before = tasks->edges[e].task;
		const struct task_release other =
			before >= first_join
				? joins[before - first_join]
				: (struct task_release){tasks->tasks[before].end,
					  !measure_task_is_over(&tasks->tasks[before])};

		release.is_open |= other.is_open;
		if ((!other.is_open || before >= first_join) && other.time > release.time)
			release.time = other.time;
	}
	return release;
}

static void find_ready(struct measure_tasks *tasks)
{
	const size_t first_join = tasks->nr_tasks - tasks->nr_joins;
	struct task_release *joins = measure_zeroed(tasks->nr_joins, sizeof(*joins));

	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const uint32_t index = tasks->order ? tasks->order[i] : (uint32_t)i;
		struct measure_task *task = &tasks->tasks[index];
		struct task_release release;

		if (task->ready != MEASURE_TASK_NO_TIME && index < first_join)
			continue;
		release = release_of(tasks, index, joins);
		if (index >= first_join)
			joins[index - first_join] = release;
		if (task->create == MEASURE_TASK_NO_TIME ||
			(release.is_open && task->start == MEASURE_TASK_NO_TIME))
			continue;
		task->ready = task->create > release.time ? task->create : release.time;
		if (task->ready > task->start)
			task->ready = task->start;
	}
	measure_free(joins);
}

void tasks_put_in_order(struct measure_tasks *tasks)
{
	if (!stands_in_order(tasks))
		find_order(tasks);
	find_ready(tasks);
}
