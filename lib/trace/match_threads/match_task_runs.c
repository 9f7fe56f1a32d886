/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which task runs on the location being read, who made a task and where, and tasks that leave a
 * location to go on elsewhere. Times are not asked: the stamps of two locations may contradict. Of
 * several places that a task ran at, it is only known which one was the last: where it completed.
 */
#include "config.h"

#include "trace/match/match_internal.h"

static struct frame *innermost(struct tasks *tasks)
{
	return &tasks->frames[tasks->nr_frames - 1];
}

/* ------------------------------------------------------------------------- frames --- */

static void push_frame(struct tasks *tasks)
{
	*measure_append(tasks, frames) = (struct frame){TASK_IMPLICIT, MEASURE_NONE};
}

void runs_begin_location(struct measure_match *match)
{
	match->tasks.nr_frames = 0;
	push_frame(&match->tasks);
	waits_begin_location(match);
}

/* A team's member begins with an implicit task of its own, below which nothing changes. */
void runs_team(struct measure_match *match, const struct measure_event *event)
{
	struct tasks *tasks = &match->tasks;

	if (event->kind == MEASURE_EVENT_THREAD_TEAM_BEGIN)
		push_frame(tasks);
	else if (event->kind == MEASURE_EVENT_THREAD_TEAM_END && tasks->nr_frames > 1)
		tasks->nr_frames--;
}

uint32_t runs_depth(const struct measure_match *match)
{
	return match->tasks.nr_frames;
}

uint32_t runs_current(const struct measure_match *match)
{
	return match->tasks.frames[match->tasks.nr_frames - 1].current;
}

/* ------------------------------------------------------------------------- making --- */

/* The list of those that the current task has made here since it last waited for them all;
 * NULL: it is not known who runs. */
uint32_t *runs_children(struct measure_match *match)
{
	struct tasks *tasks = &match->tasks;
	struct frame *frame = innermost(tasks);
	struct task *task;

	if (frame->current == MEASURE_NONE)
		return NULL;
	if (frame->current == TASK_IMPLICIT)
		return &frame->children;
	task = &tasks->items[frame->current];
	if (task->children_location != match->location)
		task->children = MEASURE_NONE;
	task->children_location = match->location;
	return &task->children;
}

void runs_create(struct measure_match *match, uint32_t index)
{
	struct task *task = &match->tasks.items[index];
	uint32_t *children = runs_children(match);

	if (!children)
		return;
	task->next_child = *children;
	*children = index;
	task->parent = runs_current(match);
	task->group = waits_group(match);
	if (task->parent == TASK_IMPLICIT)
		teams_next_barrier(match, task->comm, &task->barrier);
}

/* ------------------------------------------------------------------------- running --- */

static void depart(struct tasks *tasks, uint32_t index, const struct measure_point *point)
{
	struct task *task = &tasks->items[index];

	task->departure = (uint32_t)tasks->nr_departures;
	*measure_append(tasks, departures) = (struct departure){index, *point};
}

/* Back on the same location: that was no departure. */
static void arrive(struct tasks *tasks, uint32_t index, const struct measure_point *point)
{
	struct task *task = &tasks->items[index];
	struct departure *departure = NULL;

	if (task->departure != MEASURE_NONE)
		departure = &tasks->departures[task->departure];
	if (departure && departure->point.location == point->location) {
		departure->task = MEASURE_NONE;
		if (departure == &tasks->departures[tasks->nr_departures - 1])
			tasks->nr_departures--;
	}
	task->departure = MEASURE_NONE;
	if (!task->is_last_known)
		task->last_start = *point;
}

/* index: TASK_IMPLICIT for any implicit task. */
void runs_switch(struct measure_match *match, uint32_t index, const struct measure_point *point)
{
	struct tasks *tasks = &match->tasks;
	struct frame *frame = innermost(tasks);

	if (frame->current == index)
		return;
	if (frame->current < TASK_IMPLICIT)
		depart(tasks, frame->current, point);
	frame->current = index;
	if (index != TASK_IMPLICIT)
		arrive(tasks, index, point);
}

/* A detached task is completed by anybody. */
void runs_complete(struct measure_match *match, uint32_t index)
{
	struct frame *frame = innermost(&match->tasks);

	if (frame->current != index)
		return;
	match->tasks.items[index].is_last_known = true;
	frame->current = MEASURE_NONE; /* a switch tells who goes on */
}

/* ------------------------------------------------------------------------- moving --- */

void runs_end_process(struct measure_match *match)
{
	struct tasks *tasks = &match->tasks;

	for (size_t i = 0; i < tasks->nr_departures; i++) {
		const struct departure *departure = &tasks->departures[i];
		const struct task *task;

		if (departure->task == MEASURE_NONE)
			continue;
		task = &tasks->items[departure->task];
		if (!task->is_last_known || task->nr_completes != 1 ||
			task->last_start.location == departure->point.location)
			continue;
		instance_add_send(match, &departure->point);
		instance_add_receive(match, &task->last_start);
		instance_hand_out(
			match, MEASURE_RELATION_TASK_RESUME, task->comm, 0, task->generation);
	}
	tasks->nr_departures = 0;
}

void runs_free(struct tasks *tasks)
{
	measure_free(tasks->frames);
	measure_free(tasks->departures);
}
