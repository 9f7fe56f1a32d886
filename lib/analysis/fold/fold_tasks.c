/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts of a thread: its implicit task and the explicit ones that it runs. A switch stops the
 * clock of one context and starts that of another. So the time of a task is not part of what it
 * interrupts, however deeply tasks are nested, and frames that a trace keeps open over a suspension
 * go on where they were. */
#include "config.h"

#include "fold_internal.h"

#include <stdlib.h>

#define IMPLICIT 0 /* index of its context; explicit ones follow */

/* That are saved, of a byte at least. */
#define NUMBERS_OF_FRAME 5
#define NUMBERS_OF_TASK  9

struct task_context {
	struct measure_fold_context context;
	struct measure_key key;
	uint32_t team; /* of an explicit task */
	uint32_t path;
	uint64_t suspended_at;
	uint64_t explicit_then; /* what explicit tasks had taken by then */
	uint32_t next_free;
	bool is_complete, is_free;
};

struct fold_tasks {
	struct measure_map ids;
	struct measure_map hosts; /* by team: the context that is its implicit task, suspended */
	MEASURE_ARRAY(struct task_context) contexts;
	uint32_t current;
	uint32_t free_context;   /* one that can be used again, or IMPLICIT */
	uint64_t explicit_ticks; /* of all stretches of explicit tasks that are over */
	uint64_t since;          /* an explicit task runs */
};

struct fold_tasks *fold_tasks_new(void)
{
	struct fold_tasks *tasks = measure_zeroed(1, sizeof(*tasks));

	if (measure_array_push(&tasks->contexts, (struct task_context){.team = MEASURE_NONE}) !=
		MEASURE_OK)
		measure_out_of_memory();
	return tasks;
}

void fold_tasks_free(struct fold_tasks *tasks)
{
	measure_map_free(&tasks->ids);
	measure_map_free(&tasks->hosts);
	for (size_t i = 0; i < tasks->contexts.nr; i++)
		if (i != tasks->current)
			free(tasks->contexts.items[i].context.bottom);
	free(tasks->contexts.items);
	measure_free(tasks);
}

/* The root of all tasks of the location. */
static uint32_t tasks_path(struct measure_fold *fold)
{
	return measure_profile_child(fold->profile, 0, MEASURE_PSEUDO_TASKS);
}

static void suspend(struct measure_fold *fold, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;
	struct task_context *task = &tasks->contexts.items[tasks->current];

	if (tasks->current != IMPLICIT) {
		tasks->explicit_ticks += time - tasks->since;
		fold->profile->paths[tasks_path(fold)].inclusive += time - tasks->since;
	}
	task->context = fold->context;
	task->path = fold->path;
	task->suspended_at = time;
	task->explicit_then = tasks->explicit_ticks;
}

static void resume(struct measure_fold *fold, uint32_t index, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;
	struct task_context *task = &tasks->contexts.items[index];
	const uint64_t ran = tasks->explicit_ticks - task->explicit_then;

	tasks->current = index;
	tasks->since = time;
	fold->context = task->context;
	fold->context.offset += time - task->suspended_at;
	fold->path = task->path;
	if (ran > 0)
		fold_charge(fold, fold->path, MEASURE_PSEUDO_RUNNING_TASKS, 1, ran);
}

/* A suspended task is over: its context serves another one. */
static void release(struct fold_tasks *tasks, uint32_t index)
{
	struct task_context *task = &tasks->contexts.items[index];

	measure_map_remove(&tasks->ids, task->key);
	task->is_free = true;
	task->next_free = tasks->free_context;
	tasks->free_context = index;
}

static void release_current(struct measure_fold *fold, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;

	while (fold->context.top > fold->context.bottom)
		fold_cut(fold, time);
	tasks->contexts.items[tasks->current].context = fold->context;
	release(tasks, tasks->current);
}

static uint32_t new_context(
	struct measure_fold *fold, struct measure_key key, uint32_t team, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;
	const uint32_t path = tasks_path(fold);
	uint32_t index = tasks->free_context;
	struct task_context *task;

	if (index == IMPLICIT) {
		index = (uint32_t)tasks->contexts.nr;
		if (measure_array_push(&tasks->contexts, (struct task_context){.path = 0}) !=
			MEASURE_OK)
			measure_out_of_memory();
	} else {
		tasks->free_context = tasks->contexts.items[index].next_free;
	}
	task = &tasks->contexts.items[index];
	task->context.top = task->context.bottom;
	task->context.offset = 0;
	task->context.root = path;
	task->path = path;
	task->key = key;
	task->team = team;
	task->suspended_at = time;
	task->explicit_then = tasks->explicit_ticks;
	task->is_complete = task->is_free = false;
	measure_map_set(&tasks->ids, key, index);
	fold->profile->paths[path].visits += !fold->is_outside;
	return index;
}

static void switch_to(struct measure_fold *fold, uint32_t index, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;
	const uint32_t before = tasks->current;

	if (index == before)
		return;
	suspend(fold, time);
	if (before != IMPLICIT && tasks->contexts.items[before].is_complete)
		release_current(fold, time);
	resume(fold, index, time);
}

/* The implicit task of a team: what a thread did before it ran the first task of that team. In a
 * parallel region inside a task this is the task. */
static uint32_t implicit_of(const struct fold_tasks *tasks, uint32_t team)
{
	const uint32_t host = measure_map_get(&tasks->hosts, measure_key_of(team));

	if (host != MEASURE_NONE && !tasks->contexts.items[host].is_free)
		return host;
	return tasks->contexts.items[tasks->current].team == team ? IMPLICIT : tasks->current;
}

static void switch_to_implicit(struct measure_fold *fold, uint32_t team, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;

	switch_to(fold, implicit_of(tasks, team), time);
	measure_map_remove(&tasks->hosts, measure_key_of(team));
}

static void switch_to_explicit(struct measure_fold *fold, struct measure_key key, uint32_t index,
	uint32_t team, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;

	if (tasks->contexts.items[tasks->current].team != team)
		measure_map_set(&tasks->hosts, measure_key_of(team), tasks->current);
	fold->special &= (uint8_t)~MEASURE_FOLD_IDLE;
	if (index == MEASURE_NONE)
		index = new_context(fold, key, team, time);
	switch_to(fold, index, time);
}

static void complete(struct fold_tasks *tasks, uint32_t index)
{
	struct task_context *task = &tasks->contexts.items[index];

	task->is_complete = true;
	if (index != tasks->current && task->context.top == task->context.bottom)
		release(tasks, index);
}

void fold_tasks_event(struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;
	const struct measure_key key =
		measure_key_pair((uint64_t)event->ref << 32 | event->peer, event->tag);
	const bool is_implicit = event->tag == 0;
	const uint32_t index = is_implicit ? IMPLICIT : measure_map_get(&tasks->ids, key);

	if (event->kind == MEASURE_EVENT_THREAD_TASK_CREATE) {
		fold->profile->nr_tasks_created += !fold->is_outside;
		return;
	}
	if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE) {
		fold->profile->nr_tasks_completed += !fold->is_outside && !is_implicit;
		if (!is_implicit && index != MEASURE_NONE)
			complete(tasks, index);
		return;
	}
	if (is_implicit)
		switch_to_implicit(fold, event->ref, time);
	else
		switch_to_explicit(fold, key, index, event->ref, time);
}

static void tasks_cut(struct measure_fold *fold, uint64_t time)
{
	fold->profile->faults.cut += (uint64_t)(fold->context.top - fold->context.bottom);
	while (fold->context.top > fold->context.bottom)
		fold_cut(fold, time);
}

/* Tasks that were suspended end where they were. */
void fold_tasks_end(struct measure_fold *fold, uint64_t time)
{
	struct fold_tasks *tasks = fold->tasks;

	if (tasks->current != IMPLICIT)
		tasks_cut(fold, time);
	for (uint32_t i = 1; i < tasks->contexts.nr; i++) {
		const struct task_context *task = &tasks->contexts.items[i];

		if (task->is_free || task->context.top == task->context.bottom)
			continue;
		switch_to(fold, i, time);
		tasks_cut(fold, time);
	}
	switch_to(fold, IMPLICIT, time);
}

/* --------------------------------------------------------------------------- state --- */

/* That of the task that runs is elsewhere. */
static const struct measure_fold_context *frames_of(const struct measure_fold *fold, uint32_t index)
{
	return index == fold->tasks->current ? &fold->context
					     : &fold->tasks->contexts.items[index].context;
}

static void save_frames(const struct measure_fold_context *context, measure_profile_pack_t *pack)
{
	measure_pack_put(pack, context->offset);
	measure_pack_put(pack, context->root);
	measure_pack_put(pack, (uint64_t)(context->top - context->bottom));
	for (const struct measure_fold_frame *frame = context->bottom; frame < context->top;
		frame++) {
		const uint64_t numbers[] = {frame->enter, frame->iteration, frame->path,
			frame->is_cut, frame->is_iteration};

		measure_pack_put_all(pack, numbers, NUMBERS_OF_FRAME);
	}
}

/* Each frame calls the next one. Returns the innermost path. */
static uint32_t restore_frames(const struct measure_profile *profile,
	struct measure_fold_context *context, struct measure_pack_reader *reader)
{
	uint32_t path;
	size_t nr;

	context->offset = measure_pack_take(reader);
	path = context->root = measure_pack_take_index(reader, profile->nr_paths);
	nr = measure_pack_take_length(reader, NUMBERS_OF_FRAME);
	for (size_t i = 0; i < nr && reader->is_good; i++) {
		struct measure_fold_frame frame = {.enter = measure_pack_take(reader)};

		frame.iteration = measure_pack_take(reader);
		frame.path = measure_pack_take_index(reader, profile->nr_paths);
		frame.is_cut = measure_pack_take_index(reader, 2);
		frame.is_iteration = measure_pack_take_index(reader, 2);
		if (profile->paths[frame.path].parent != path) {
			measure_pack_refuse(reader);
			break;
		}
		path = frame.path;
		if (context->top == context->limit)
			measure_fold_grow(context);
		*context->top++ = frame;
	}
	return path;
}

static void save_task(const struct measure_fold *fold, uint32_t index, measure_profile_pack_t *pack)
{
	const struct task_context *task = &fold->tasks->contexts.items[index];
	const uint64_t numbers[] = {task->key.high, task->key.low, task->team, task->suspended_at,
		task->explicit_then, task->is_complete};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	save_frames(frames_of(fold, index), pack);
}

static void restore_task(
	struct measure_fold *fold, uint32_t index, struct measure_pack_reader *reader)
{
	struct task_context *task = &fold->tasks->contexts.items[index];
	const bool is_current = index == fold->tasks->current;

	task->key.high = measure_pack_take(reader);
	task->key.low = measure_pack_take(reader);
	task->team = measure_pack_take_word(reader);
	task->suspended_at = measure_pack_take(reader);
	task->explicit_then = measure_pack_take(reader);
	task->is_complete = measure_pack_take_index(reader, 2);
	task->path =
		restore_frames(fold->profile, is_current ? &fold->context : &task->context, reader);
	if (is_current)
		fold->path = task->path;
}

/* In the order in which they are used again; IMPLICIT ends them. */
static void restore_free(struct fold_tasks *tasks, struct measure_pack_reader *reader)
{
	uint32_t *link = &tasks->free_context;
	uint32_t index;

	while ((index = measure_pack_take_index(reader, tasks->contexts.nr)) != IMPLICIT) {
		struct task_context *task = &tasks->contexts.items[index];

		if (task->is_free || index == tasks->current) {
			measure_pack_refuse(reader);
			break;
		}
		task->is_free = true;
		*link = index;
		link = &task->next_free;
	}
	*link = IMPLICIT;
}

void fold_tasks_save(const struct measure_fold *fold, measure_profile_pack_t *pack)
{
	const struct fold_tasks *tasks = fold->tasks;

	measure_pack_put(pack, tasks->contexts.nr);
	measure_pack_put(pack, tasks->current);
	measure_pack_put(pack, tasks->explicit_ticks);
	measure_pack_put(pack, tasks->since);
	for (uint32_t i = 0; i < tasks->contexts.nr; i++)
		save_task(fold, i, pack);
	for (uint32_t i = tasks->free_context; i != IMPLICIT;
		i = tasks->contexts.items[i].next_free)
		measure_pack_put(pack, i);
	measure_pack_put(pack, IMPLICIT);
	measure_pack_put(pack, tasks->hosts.nr_used);
	for (size_t i = 0; i < tasks->hosts.nr_slots; i++) {
		const struct measure_map_slot *slot = &tasks->hosts.slots[i];

		if (slot->value == MEASURE_NONE)
			continue;
		measure_pack_put(pack, slot->key.low);
		measure_pack_put(pack, slot->value);
	}
}

void fold_tasks_restore(struct measure_fold *fold, struct measure_pack_reader *reader)
{
	struct fold_tasks *tasks = fold->tasks;
	const size_t nr = measure_pack_take_length(reader, NUMBERS_OF_TASK);
	size_t nr_hosts;

	tasks->current = measure_pack_take_index(reader, nr);
	tasks->explicit_ticks = measure_pack_take(reader);
	tasks->since = measure_pack_take(reader);
	for (uint32_t i = 0; i < nr && reader->is_good; i++) {
		if (i > IMPLICIT && measure_array_push(&tasks->contexts,
					    (struct task_context){.path = 0}) != MEASURE_OK)
			measure_out_of_memory();
		restore_task(fold, i, reader);
	}
	restore_free(tasks, reader);
	for (uint32_t i = 1; i < tasks->contexts.nr; i++)
		if (!tasks->contexts.items[i].is_free)
			measure_map_set(&tasks->ids, tasks->contexts.items[i].key, i);
	nr_hosts = measure_pack_take_length(reader, 2);
	for (size_t i = 0; i < nr_hosts; i++) {
		const struct measure_key team = measure_key_of(measure_pack_take(reader));

		measure_map_set(
			&tasks->hosts, team, measure_pack_take_index(reader, tasks->contexts.nr));
	}
}
