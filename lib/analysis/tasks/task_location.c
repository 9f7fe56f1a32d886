/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The second reading of a location: which tasks it runs, and what it does meanwhile. Tasks are
 * shared by all threads, and whatever is written to them does not depend on who comes first. */
#include "config.h"

#include <string.h>

#include "tasks_reading.h"

#define MOST_LOOKED_AT 64 /* suspended tasks, from the last one on */

/* -------------------------------------------------------------------------- tasks --- */

struct measure_task *tasks_walk_task(struct tasks_walk *walk, uint32_t task)
{
	struct measure_tasks *tasks = walk->reading->tasks;

	return task < tasks->nr_created ? &tasks->tasks[task]
					: &walk->place->strays[task - tasks->nr_created];
}

/* Those that are the location's own need none. */
void tasks_walk_lock(struct tasks_walk *walk, uint32_t task)
{
	pthread_mutex_lock(&walk->reading->locks[task % TASK_NR_LOCKS]);
}

void tasks_walk_unlock(struct tasks_walk *walk, uint32_t task)
{
	pthread_mutex_unlock(&walk->reading->locks[task % TASK_NR_LOCKS]);
}

static uint32_t walk_add_stray(struct tasks_walk *walk, struct task_name name)
{
	struct task_place *place = walk->place;
	const uint32_t next = (uint32_t)(walk->reading->tasks->nr_created + place->nr_strays);
	const uint32_t index = task_index_intern(&place->stray_index, name, next);

	if (index == next) {
		struct measure_task *stray = measure_append(place, strays);

		*stray = task_unknown;
		stray->process = walk->location;
		stray->team = name.team;
		stray->creator = name.creator;
		stray->number = name.number;
	}
	return index;
}

/* That an event names: of an implicit one MEASURE_NONE. */
static uint32_t walk_named(struct tasks_walk *walk, const struct measure_event *event)
{
	const struct task_name name = {event->ref, event->peer, event->tag};
	uint32_t index;

	if (name.number == 0)
		return MEASURE_NONE;
	index = task_index_find(&walk->reading->index, &walk->running_place, name);
	return index != MEASURE_NONE ? index : walk_add_stray(walk, name);
}

/* ------------------------------------------------------------------------- states --- */

static void walk_state(struct tasks_walk *walk)
{
	const uint8_t state = walk->nr_states ? walk->states[walk->nr_states - 1] : TASK_STATE_TASK;

	if (state != TASK_STATE_TASK && walk->time > walk->state_since)
		*measure_append(walk->place, intervals) = (struct measure_worker_interval){
			walk->state_since, walk->time, walk->location, MEASURE_NONE, state};
	walk->state_since = walk->time;
}

static void walk_push_state(struct tasks_walk *walk, uint8_t state)
{
	walk_state(walk);
	*measure_append(walk, states) = state;
}

/* With all that are inside of it; a Leave does not end a task. */
static void walk_pop_state(struct tasks_walk *walk, uint8_t state)
{
	size_t nr = walk->nr_states;

	while (nr > 0 && walk->states[nr - 1] != state && walk->states[nr - 1] != TASK_STATE_TASK)
		nr--;
	if (state == TASK_STATE_TASK)
		while (nr > 0 && walk->states[nr - 1] != TASK_STATE_TASK)
			nr--;
	if (nr == 0 || walk->states[nr - 1] != state)
		return;
	walk_state(walk);
	walk->nr_states = nr - 1;
}

/* ------------------------------------------------------------------------ running --- */

void task_begin_piece(struct measure_task *task, uint64_t time, uint32_t location)
{
	if (task->start < time || (task->start == time && task->worker <= location))
		return;
	task->start = time;
	task->worker = location;
	if (!task_type_is_codelet(task->type))
		task->type = MEASURE_NONE;
}

/* Where it has stopped here, if it has. */
static struct task_suspended walk_take_suspended(struct tasks_walk *walk, uint32_t task)
{
	for (size_t i = 0; i < MOST_LOOKED_AT && i < walk->nr_suspended; i++) {
		struct task_suspended *found = &walk->suspended[walk->nr_suspended - 1 - i];
		const struct task_suspended taken = *found;

		if (taken.task != task)
			continue;
		memmove(found, found + 1, i * sizeof(*found));
		walk->nr_suspended--;
		return taken;
	}
	return (struct task_suspended){.task = task};
}

/* What the running task has executed until now is added to it. */
static void walk_settle(struct tasks_walk *walk)
{
	const uint64_t ran = tasks_walk_ran(walk), ticks = ran - walk->ran;

	walk->ran = ran;
	walk->since = walk->time;
	if (ticks == 0)
		return;
	tasks_walk_lock(walk, walk->running);
	tasks_walk_task(walk, walk->running)->executed += ticks;
	tasks_walk_unlock(walk, walk->running);
}

static void walk_stop(struct tasks_walk *walk, bool is_over)
{
	const uint32_t task = walk->running;

	if (task == MEASURE_NONE)
		return;
	walk_settle(walk);
	if (!is_over)
		*measure_append(walk, suspended) =
			(struct task_suspended){task, walk->nr_waits, walk->ran};
	walk->running = MEASURE_NONE;
	walk->awaits_region = false;
	walk_pop_state(walk, TASK_STATE_TASK);
}

static void walk_start(struct tasks_walk *walk, uint32_t task)
{
	struct task_suspended suspended;

	if (task == MEASURE_NONE)
		return;
	suspended = walk_take_suspended(walk, task);
	walk->running = task;
	walk->since = walk->time;
	walk->ran = suspended.ran;
	walk->nr_waits = suspended.nr_waits;
	walk->awaits_region = true;
	walk->place->executes = true;
	walk_push_state(walk, TASK_STATE_TASK);
	tasks_walk_lock(walk, task);
	task_begin_piece(tasks_walk_task(walk, task), walk->time, walk->location);
	tasks_walk_unlock(walk, task);
}

static void walk_run(struct tasks_walk *walk, bool is_over)
{
	uint32_t task = MEASURE_NONE;

	for (size_t i = walk->nr_frames; i > 0 && task == MEASURE_NONE; i--)
		task = walk->frames[i - 1].task;
	if (task == walk->running)
		return;
	walk_stop(walk, is_over);
	walk_start(walk, task);
}

/* ------------------------------------------------------------------------- frames --- */

/* Moves the frame of a team to the top, or makes it there: there are no more than teams, however
 * many ends are missing. */
static struct task_frame *walk_frame(struct tasks_walk *walk, uint32_t team)
{
	struct task_frame frame = {team, MEASURE_NONE};
	size_t i = walk->nr_frames;

	while (i > 0 && walk->frames[i - 1].team != team)
		i--;
	if (i > 0) {
		frame = walk->frames[i - 1];
		memmove(&walk->frames[i - 1], &walk->frames[i],
			(walk->nr_frames - i) * sizeof(frame));
		walk->nr_frames--;
	}
	*measure_append(walk, frames) = frame;
	return &walk->frames[walk->nr_frames - 1];
}

/* A member begins with an implicit task, below which nothing changes. */
static void walk_team(struct tasks_walk *walk, const struct measure_event *event)
{
	if (event->ref == MEASURE_NONE)
		return;
	walk->team = event->ref;
	walk_frame(walk, event->ref)->task = MEASURE_NONE;
	walk->nr_frames -= event->kind == MEASURE_EVENT_THREAD_TEAM_END;
	walk_run(walk, false);
}

static void walk_switch(struct tasks_walk *walk, const struct measure_event *event)
{
	if (event->ref == MEASURE_NONE)
		return;
	walk->team = event->ref;
	walk_frame(walk, event->ref)->task = walk_named(walk, event);
	walk_run(walk, false);
}

/* Of a task that does not run here: somebody else did that, or nobody. */
static void walk_complete(struct tasks_walk *walk, const struct measure_event *event)
{
	struct measure_task *task;
	uint32_t index;

	if (event->ref == MEASURE_NONE || event->tag == 0)
		return;
	walk->team = event->ref;
	index = walk_named(walk, event);
	tasks_walk_lock(walk, index);
	task = tasks_walk_task(walk, index);
	walk->place->nr_twice += task->end != MEASURE_TASK_NO_TIME;
	if (task->end == MEASURE_TASK_NO_TIME || task->end < walk->time)
		task->end = walk->time;
	tasks_walk_unlock(walk, index);
	for (size_t i = 0; i < walk->nr_frames; i++)
		if (walk->frames[i].task == index)
			walk->frames[i].task = MEASURE_NONE;
	walk_run(walk, true);
}

/* -------------------------------------------------------------------------- calls --- */

static void walk_give_region(struct tasks_walk *walk, uint32_t region)
{
	struct measure_task *task;

	walk->awaits_region = false;
	tasks_walk_lock(walk, walk->running);
	task = tasks_walk_task(walk, walk->running);
	if (task->start == walk->since && task->worker == walk->location &&
		task->type == MEASURE_NONE)
		task->type = region;
	tasks_walk_unlock(walk, walk->running);
}

/* The running task begins or ends to wait for others. */
static void walk_wait(struct tasks_walk *walk, bool is_enter)
{
	if (walk->running == MEASURE_NONE || (!is_enter && walk->nr_waits == 0))
		return;
	walk_settle(walk);
	walk->nr_waits += is_enter ? 1 : -1;
}

static inline void walk_call(struct tasks_walk *walk, const struct measure_event *event)
{
	const uint8_t state = walk->reading->region_states[event->ref];

	if (state != MEASURE_NR_WORKER_STATES) {
		if (event->kind == MEASURE_EVENT_ENTER)
			walk_push_state(walk, state);
		else
			walk_pop_state(walk, state);
	} else if (unlikely(walk->awaits_region) && event->kind == MEASURE_EVENT_ENTER) {
		walk_give_region(walk, event->ref);
	}
	if (unlikely(walk->reading->region_waits[event->ref]))
		walk_wait(walk, event->kind == MEASURE_EVENT_ENTER);
}

static void walk_event(struct tasks_walk *walk, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
	case MEASURE_EVENT_LEAVE:
		if (event->ref < walk->reading->trace->definitions.nr_regions)
			walk_call(walk, event);
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
	case MEASURE_EVENT_THREAD_TEAM_END:
		walk_team(walk, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_CREATE:
		tasks_walk_create(walk, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		walk_switch(walk, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		walk_complete(walk, event);
		break;
	case MEASURE_EVENT_PARAMETER_UNSIGNED_INT:
		tasks_walk_parameter(walk, event);
		break;
	case MEASURE_EVENT_PARAMETER_STRING:
		tasks_walk_text(walk, event);
		break;
	}
}

static void walk_all(struct tasks_walk *walk)
{
	const struct measure_event *event;

	while ((event = task_stream_next(&walk->stream, walk->reading))) {
		const uint64_t time = task_ticks(walk->reading, event->time);

		/* clocks that go back do not make time negative */
		if (time > walk->time || walk->place->first == MEASURE_TASK_NO_TIME)
			walk->time = time;
		if (unlikely(walk->place->first == MEASURE_TASK_NO_TIME))
			walk->place->first = walk->time;
		walk_event(walk, event);
	}
	walk->place->last = walk->time;
	walk_stop(walk, false);
	walk_state(walk);
}

void task_location_read(void *data, size_t index)
{
	struct tasks_reading *reading = data;
	struct tasks_walk *walk = measure_zeroed(1, sizeof(*walk));

	walk->reading = reading;
	walk->location = reading->order[index];
	walk->place = &reading->places[walk->location];
	walk->process = reading->trace->definitions.locations[walk->location].group;
	walk->running = walk->created = walk->last_created = MEASURE_NONE;
	walk->team = walk->data = MEASURE_NONE;
	walk->place->first = MEASURE_TASK_NO_TIME;
	walk->place->is_broken = true;
	if (task_stream_open(&walk->stream, reading, walk->location)) {
		walk_all(walk);
		walk->place->is_broken = !task_stream_close(&walk->stream, reading, true);
	}
	measure_free(walk->frames);
	measure_free(walk->suspended);
	measure_free(walk->states);
	measure_free(walk);
}
