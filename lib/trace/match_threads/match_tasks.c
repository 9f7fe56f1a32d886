/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explicit tasks inside one process. A task is named by its team, the rank that made it and a
 * number of that rank; number 0 is an implicit task. */
#include "config.h"

#include <string.h>

#include "trace/match/match_internal.h"

static const char *const facts[] = {
#define TASK_FACT(NAME, parameter) parameter,
#include "api/task_vocabulary.def"
};

enum {
#define TASK_FACT(NAME, parameter) FACT_##NAME,
#include "api/task_vocabulary.def"
};

void tasks_start(struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;

	match->tasks.ready_parameter = MEASURE_NONE;
	for (uint32_t i = 0; i < definitions->nr_parameters; i++)
		if (strcmp(measure_text(definitions, definitions->parameters[i].name),
			    facts[FACT_READY]) == 0)
			match->tasks.ready_parameter = i;
	match->tasks.latest.location = MEASURE_NONE;
}

static uint32_t task_of(struct measure_match *match, const struct measure_event *event)
{
	struct tasks *tasks = &match->tasks;
	struct measure_key key =
		measure_key_pair((uint64_t)event->ref << 32 | event->peer, event->tag);
	uint32_t index = measure_map_intern(&tasks->ids, key, (uint32_t)tasks->nr);

	if (index == tasks->nr) {
		*measure_append_item(tasks) = (struct task){.comm = event->ref,
			.creator = event->peer,
			.generation = event->tag,
			.departure = MEASURE_NONE,
			.parent = MEASURE_NONE,
			.children = MEASURE_NONE,
			.next_child = MEASURE_NONE,
			.group = MEASURE_NONE,
			.barrier = {MEASURE_NONE, 0, 0}};
	}
	return index;
}

static void explicit_task(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point point = point_of(match, event);
	uint32_t index = task_of(match, event);
	struct task *task = &match->tasks.items[index];

	switch (event->kind) {
	case MEASURE_EVENT_THREAD_TASK_CREATE:
		if (task->nr_creates++ > 0)
			break;
		task->create = point;
		runs_create(match, index);
		break;
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		/* an untied task may be on several locations: they are read one after the other */
		if (task->nr_switches++ == 0 || point.time < task->start.time)
			task->start = point;
		runs_switch(match, index, &point);
		break;
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		if (task->nr_completes++ > 0)
			break;
		task->complete = point;
		runs_complete(match, index);
		break;
	}
}

void tasks_event(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point point = point_of(match, event);

	if (event->ref == MEASURE_NONE)
		return;
	match->tasks.latest.location = match->location;
	match->tasks.latest.comm = event->ref;
	if (event->tag != 0)
		explicit_task(match, event);
	else if (event->kind == MEASURE_EVENT_THREAD_TASK_SWITCH)
		runs_switch(match, TASK_IMPLICIT, &point);
}

/* ------------------------------------------------------------------------ ready --- */

/* The task may not have been read yet. */
void tasks_parameter(struct measure_match *match, const struct measure_event *event)
{
	struct tasks *tasks = &match->tasks;

	if (event->ref == MEASURE_NONE || event->ref != tasks->ready_parameter)
		return;
	*measure_append(tasks, readies) = (struct readiness){
		tasks->latest.location == match->location ? tasks->latest.comm : MEASURE_NONE,
		event->number, point_of(match, event)};
}

/* The value has no team: it is that of the records before, or else that of the first task. */
static void settle_readies(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_readies && tasks->nr > 0; i++) {
		const struct readiness *readiness = &tasks->readies[i];
		const uint32_t comm =
			readiness->comm != MEASURE_NONE ? readiness->comm : tasks->items[0].comm;
		const uint32_t index = measure_map_get(
			&tasks->ids, measure_key_pair((uint64_t)comm << 32 | readiness->task >> 32,
					     (uint32_t)readiness->task));

		if (index == MEASURE_NONE)
			continue;
		tasks->items[index].nr_readies++;
		tasks->items[index].ready = readiness->point;
	}
	tasks->nr_readies = 0;
}

/* ---------------------------------------------------------------- end of a process --- */

static void check_task(struct measure_match *match, const struct task *task)
{
	const struct measure_point *any = task->nr_creates    ? &task->create
					  : task->nr_switches ? &task->start
							      : &task->complete;
	bool is_cut = measure_match_is_cut(match, match->process);
	uint32_t team = match->definitions->comms[task->comm].id;

	if (task->nr_creates == 0)
		measure_report_excused(match->findings, MEASURE_CHECK_TASK_UNKNOWN, is_cut,
			place_of(any), "task %u of rank %u of team %u was never created",
			task->generation, task->creator, team);
	else if (task->nr_completes == 0)
		measure_report_excused(match->findings, MEASURE_CHECK_TASK_OPEN, is_cut,
			place_of(any), "task %u of rank %u of team %u is never completed",
			task->generation, task->creator, team);
	if (task->nr_creates > 1 || task->nr_completes > 1)
		measure_report(match->findings, MEASURE_CHECK_TASK_TWICE, place_of(any),
			"task %u of rank %u of team %u: created %u times, completed %u times",
			task->generation, task->creator, team, task->nr_creates,
			task->nr_completes);
}

static void hand_out_task(struct measure_match *match, const struct task *task)
{
	if (task->nr_creates != 1)
		return;
	if (task->nr_switches > 0) {
		instance_add_send(match, &task->create);
		instance_add_receive(match, &task->start);
		instance_hand_out(match, MEASURE_RELATION_TASK_START, task->comm, 0,
			task->generation);
	}
	if (task->nr_completes > 0) {
		instance_add_send(match, &task->create);
		instance_add_receive(match, &task->complete);
		instance_hand_out(match, MEASURE_RELATION_TASK_END, task->comm, 0,
			task->generation);
	}
	if (task->nr_readies == 1 && task->nr_switches + task->nr_completes > 0) {
		instance_add_send(match, &task->ready);
		instance_add_receive(match, task->nr_switches > 0 ? &task->start : &task->complete);
		instance_hand_out(
			match, MEASURE_RELATION_TASK_READY, task->comm, 0, task->generation);
	}
}

void tasks_end_process(struct measure_match *match)
{
	struct tasks *tasks = &match->tasks;

	settle_readies(tasks);
	for (size_t i = 0; i < tasks->nr; i++) {
		check_task(match, &tasks->items[i]);
		hand_out_task(match, &tasks->items[i]);
	}
	runs_end_process(match);
	waits_end_process(match);
	tasks->nr = 0;
	measure_map_clear(&tasks->ids);
}

void tasks_free(struct tasks *tasks)
{
	measure_map_free(&tasks->ids);
	measure_free(tasks->items);
	measure_free(tasks->readies);
	runs_free(tasks);
	waits_free(&tasks->waits);
}
