/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explicit tasks inside one process. A task is named by its team, the rank that made it and a
 * number of that rank; number 0 is an implicit task. */
#include "config.h"

#include <string.h>

#include "trace/match/match_internal.h"

enum task_fact {
	FACT_NONE, /* nothing of interest */
#define TASK_FACT(NAME, parameter) FACT_##NAME,
#define DATA_FACT(NAME, parameter) FACT_DATA_##NAME,
#include "api/task_vocabulary.def"
};

static const char *const facts[] = {
#define TASK_FACT(NAME, parameter) [FACT_##NAME] = (parameter),
#define DATA_FACT(NAME, parameter) [FACT_DATA_##NAME] = (parameter),
#include "api/task_vocabulary.def"
};

static uint8_t fact_named(const char *parameter)
{
	for (uint8_t fact = FACT_NONE + 1; fact < sizeof(facts) / sizeof(*facts); fact++)
		if (strcmp(parameter, facts[fact]) == 0)
			return fact;
	return FACT_NONE;
}

void tasks_start(struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;

	match->tasks.facts = measure_zeroed(definitions->nr_parameters, sizeof(uint8_t));
	for (uint32_t i = 0; i < definitions->nr_parameters; i++)
		match->tasks.facts[i] =
			fact_named(measure_text(definitions, definitions->parameters[i].name));
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
		match->tasks.latest.created = index;
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
	if (match->tasks.latest.location != match->location)
		match->tasks.latest.created = MEASURE_NONE;
	match->tasks.latest.location = match->location;
	match->tasks.latest.comm = event->ref;
	if (event->tag != 0)
		explicit_task(match, event);
	else if (event->kind == MEASURE_EVENT_THREAD_TASK_SWITCH)
		runs_switch(match, TASK_IMPLICIT, &point);
}

/* ------------------------------------------------------------------------ facts --- */

/* Of the task that was created last on this location. */
static void created_fact(struct measure_match *match, enum task_fact fact, uint64_t value)
{
	switch (fact) {
	case FACT_DEPENDENCE:
		uses_add_declared(match, value);
		break;
	case FACT_ACCESS_IN:
		uses_add(match, TASK_USE_READS, value);
		break;
	case FACT_ACCESS_OUT:
	case FACT_ACCESS_INOUT:
		uses_add(match, TASK_USE_WRITES, value);
		break;
	case FACT_ACCESS_MUTEXINOUTSET:
		uses_add(match, TASK_USE_MUTEXINOUTSET, value);
		break;
	case FACT_ACCESS_INOUTSET:
		uses_add(match, TASK_USE_INOUTSET, value);
		break;
	default:
		break;
	}
}

/* A task that is ready may not have been read yet. */
void tasks_parameter(struct measure_match *match, const struct measure_event *event)
{
	struct tasks *tasks = &match->tasks;
	const bool has_named = tasks->latest.location == match->location;
	const enum task_fact fact =
		event->ref == MEASURE_NONE ? FACT_NONE : tasks->facts[event->ref];

	if (fact == FACT_READY)
		*measure_append(tasks, readies) =
			(struct readiness){has_named ? tasks->latest.comm : MEASURE_NONE,
				event->number, point_of(match, event)};
	else if (fact == FACT_DATA_REGISTER)
		uses_register(match, event->number);
	else if (has_named && tasks->latest.created != MEASURE_NONE)
		created_fact(match, fact, event->number);
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
		instance_hand_out(
			match, MEASURE_RELATION_TASK_START, task->comm, 0, task->generation);
	}
	if (task->nr_completes > 0) {
		instance_add_send(match, &task->create);
		instance_add_receive(match, &task->complete);
		instance_hand_out(
			match, MEASURE_RELATION_TASK_END, task->comm, 0, task->generation);
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
	uses_end_process(match);
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
	measure_free(tasks->facts);
	uses_free(&tasks->uses);
	runs_free(tasks);
	waits_free(&tasks->waits);
}
