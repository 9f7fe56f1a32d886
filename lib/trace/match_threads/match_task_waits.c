/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What waits for tasks: a taskwait for those that its task made, the end of a taskgroup for all
 * that were made in it and by those, a barrier for all of the team that were made before it. Of
 * the completions on one location only the last one is told of: the others are before it. */
#include "config.h"

#include <stdlib.h>

#include "trace/match/match_internal.h"

/* That a list of tasks ends before a wait is over. */
struct ended {
	uint32_t wait, task;
};

/* ----------------------------------------------------------------- location being read --- */

void waits_begin_location(struct measure_match *match)
{
	match->tasks.waits.open.nr = 0;
	match->tasks.waits.open_groups.nr = 0;
}

static uint32_t add_wait(struct measure_match *match, enum measure_relation relation)
{
	struct waits *waits = &match->tasks.waits;

	*measure_append_item(waits) = (struct wait){.relation = relation,
		.depth = runs_depth(match),
		.task = runs_current(match),
		.children = MEASURE_NONE};
	return (uint32_t)waits->nr - 1;
}

static struct wait *innermost(struct waits *waits, const struct stack *stack)
{
	uint32_t index = stack_top(stack);

	return index == MEASURE_NONE ? NULL : &waits->items[index];
}

/* What a task opened is its own affair: others may run on top of it. */
static bool is_of_current(const struct measure_match *match, const struct wait *wait)
{
	return wait && wait->depth == runs_depth(match) && wait->task != MEASURE_NONE &&
	       wait->task == runs_current(match);
}

uint32_t waits_group(struct measure_match *match)
{
	struct waits *waits = &match->tasks.waits;

	return is_of_current(match, innermost(waits, &waits->open_groups))
		       ? stack_top(&waits->open_groups)
		       : MEASURE_NONE;
}

void waits_enter(struct measure_match *match, uint8_t kind)
{
	struct waits *waits = &match->tasks.waits;

	if (kind == REGION_TASK_WAIT)
		stack_push(&waits->open, add_wait(match, MEASURE_RELATION_TASK_WAIT));
	else if (kind == REGION_TASK_GROUP)
		stack_push(&waits->open_groups, add_wait(match, MEASURE_RELATION_TASK_GROUP));
}

/* Takes over those that were made so far. */
static void end_taskwait(struct measure_match *match, const struct measure_point *point)
{
	struct waits *waits = &match->tasks.waits;
	struct wait *wait = innermost(waits, &waits->open);

	if (is_of_current(match, wait)) {
		uint32_t *children = runs_children(match);

		wait->children = *children;
		*children = MEASURE_NONE;
		wait->leave = *point;
		wait->is_over = true;
	}
	stack_pop(&waits->open);
}

/* A taskgroup ends where the wait in it ends: a task that goes on elsewhere leaves its region
 * before that. */
static void end_group(struct measure_match *match, const struct measure_point *point)
{
	struct wait *wait = innermost(&match->tasks.waits, &match->tasks.waits.open_groups);

	if (!is_of_current(match, wait))
		return;
	wait->leave = *point;
	wait->is_over = true;
}

void waits_leave(struct measure_match *match, uint8_t kind, const struct measure_point *point)
{
	if (kind == REGION_TASK_WAIT)
		end_taskwait(match, point);
	else if (kind == REGION_TASK_GROUP_WAIT)
		end_group(match, point);
	else if (kind == REGION_TASK_GROUP)
		stack_pop(&match->tasks.waits.open_groups);
}

/* ------------------------------------------------------------------ what tasks belong to --- */

/* Tasks that explicit tasks made belong to the barrier of those, and to their taskgroup unless
 * they were made in another one. Goes up to a task of which it is known, then back. */
static void inherit(struct tasks *tasks, uint32_t index)
{
	uint32_t path = MEASURE_NONE, parent;

	while (!tasks->items[index].is_settled && tasks->items[index].parent < TASK_IMPLICIT) {
		struct task *task = &tasks->items[index];

		task->is_settled = true; /* now: a damaged trace may go round in circles */
		task->path = path;
		path = index;
		index = task->parent;
	}
	for (tasks->items[index].is_settled = true; path != MEASURE_NONE;
		path = tasks->items[path].path) {
		struct task *task = &tasks->items[path];

		parent = task->parent;
		task->barrier = tasks->items[parent].barrier;
		if (task->group == MEASURE_NONE)
			task->group = tasks->items[parent].group;
	}
}

static bool has_ended(const struct task *task)
{
	return task->nr_creates == 1 && task->nr_completes == 1;
}

static int compare_completes(const struct task *a, const struct task *b)
{
	if (a->complete.location != b->complete.location)
		return a->complete.location < b->complete.location ? -1 : 1;
	return (a->complete.position > b->complete.position) -
	       (a->complete.position < b->complete.position);
}

static int compare_barrier_keys(const struct barrier_key *a, const struct barrier_key *b)
{
	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	if (a->ordinal != b->ordinal)
		return a->ordinal < b->ordinal ? -1 : 1;
	return (a->barrier > b->barrier) - (a->barrier < b->barrier);
}

static int compare_bound(const void *left, const void *right, void *data)
{
	const struct task *items = data;
	const struct task *a = &items[*(const uint32_t *)left];
	const struct task *b = &items[*(const uint32_t *)right];
	int result = compare_barrier_keys(&a->barrier, &b->barrier);

	return result ? result : compare_completes(a, b);
}

void waits_prepare(struct measure_match *match)
{
	struct tasks *tasks = &match->tasks;
	struct waits *waits = &tasks->waits;

	waits->nr_bound = waits->next_bound = 0;
	for (uint32_t i = 0; i < tasks->nr; i++) {
		inherit(tasks, i);
		if (tasks->items[i].barrier.comm == MEASURE_NONE || !has_ended(&tasks->items[i]))
			continue;
		*measure_append(waits, bound) = i;
	}
	if (waits->nr_bound)
		qsort_r(waits->bound, waits->nr_bound, sizeof(*waits->bound), compare_bound,
			tasks->items);
}

/* --------------------------------------------------------------------------- handing out --- */

/* `next`: the task behind it in the order of completions, or NULL. */
static void add_last(struct measure_match *match, const struct task *task, const struct task *next)
{
	if (!next || next->complete.location != task->complete.location)
		instance_add_send(match, &task->complete);
}

/* Barriers come in the order of their keys. */
void waits_hand_out_barrier(
	struct measure_match *match, const struct barrier_half *members, size_t nr)
{
	const struct task *items = match->tasks.items;
	struct waits *waits = &match->tasks.waits;
	const struct barrier_key key = {members->comm, members->ordinal, members->barrier};

	while (waits->next_bound < waits->nr_bound) {
		const struct task *task = &items[waits->bound[waits->next_bound]], *next = NULL;
		int order = compare_barrier_keys(&task->barrier, &key);

		if (order > 0)
			break;
		if (++waits->next_bound < waits->nr_bound)
			next = &items[waits->bound[waits->next_bound]];
		if (next && compare_barrier_keys(&next->barrier, &key) != 0)
			next = NULL;
		if (order == 0)
			add_last(match, task, next);
	}
	for (size_t i = 0; i < nr; i++)
		if (members[i].has_leave)
			instance_add_receive(match, &members[i].leave);
	instance_hand_out(match, MEASURE_RELATION_TASK_BARRIER, members->comm, 0, members->barrier);
}

static void add_ended(struct waits *waits, uint32_t wait, uint32_t task)
{
	*measure_append(waits, ended) = (struct ended){wait, task};
}

/* Who waits on the location where all of them completed has nothing to learn. */
static void task_waits_collect(struct tasks *tasks)
{
	struct waits *waits = &tasks->waits;

	waits->nr_ended = 0;
	for (uint32_t i = 0; i < waits->nr; i++)
		for (uint32_t child = waits->items[i].children; child != MEASURE_NONE;
			child = tasks->items[child].next_child)
			if (has_ended(&tasks->items[child]))
				add_ended(waits, i, child);
	for (uint32_t i = 0; i < tasks->nr; i++) {
		uint32_t group = tasks->items[i].group;

		if (group != MEASURE_NONE && waits->items[group].is_over &&
			has_ended(&tasks->items[i]))
			add_ended(waits, group, i);
	}
}

static int compare_ended(const void *left, const void *right, void *data)
{
	const struct task *items = data;
	const struct ended *a = left, *b = right;

	if (a->wait != b->wait)
		return a->wait < b->wait ? -1 : 1;
	return compare_completes(&items[a->task], &items[b->task]);
}

static void hand_out_wait(struct measure_match *match, const struct ended *ended, size_t nr)
{
	const struct task *items = match->tasks.items;
	const struct wait *wait = &match->tasks.waits.items[ended->wait];

	for (size_t i = 0; i < nr; i++)
		if (items[ended[i].task].complete.location != wait->leave.location)
			add_last(match, &items[ended[i].task],
				i + 1 < nr ? &items[ended[i + 1].task] : NULL);
	instance_add_receive(match, &wait->leave);
	instance_hand_out(match, wait->relation, items[ended->task].comm, 0, ended->wait);
}

void waits_end_process(struct measure_match *match)
{
	struct tasks *tasks = &match->tasks;
	struct waits *waits = &tasks->waits;
	size_t end;

	task_waits_collect(tasks);
	if (waits->nr_ended)
		qsort_r(waits->ended, waits->nr_ended, sizeof(*waits->ended), compare_ended,
			tasks->items);
	for (size_t i = 0; i < waits->nr_ended; i = end) {
		for (end = i; end < waits->nr_ended; end++)
			if (waits->ended[end].wait != waits->ended[i].wait)
				break;
		hand_out_wait(match, waits->ended + i, end - i);
	}
	waits->nr = 0;
}

void waits_free(struct waits *waits)
{
	measure_free(waits->items);
	measure_free(waits->open.items);
	measure_free(waits->open_groups.items);
	measure_free(waits->bound);
	measure_free(waits->ended);
}
