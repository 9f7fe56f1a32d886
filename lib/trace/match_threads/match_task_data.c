/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tasks that wait for other tasks of their process: those that task.dep names, and those that used
 * the same registered data before. In the order of creation the uses of data are a sequence of
 * groups: one that writes is a group of its own, and those of one shared mode that follow each
 * other are one together. A group waits for all of the group before. Here the clock of the process
 * is asked, as nothing else tells the order of tasks that several threads create; and data may be
 * exempt from waiting (in StarPU, without sequential consistency), so that only what that clock
 * does not refute is taken. */
#include "config.h"

#include "base/array.h"
#include "trace/match/match_internal.h"

void uses_add(struct measure_match *match, enum task_use_mode mode, uint64_t data)
{
	*measure_append(&match->tasks.uses, uses) =
		(struct task_use){data, 0, match->tasks.latest.created, mode};
}

void uses_add_declared(struct measure_match *match, uint64_t before)
{
	*measure_append(&match->tasks.uses, declared) =
		(struct task_declared){match->tasks.latest.created, before};
}

void uses_register(struct measure_match *match, uint64_t data)
{
	measure_map_set(&match->tasks.uses.registered, measure_key_pair(data, 0), 0);
}

/* ---------------------------------------------------------------------- instances --- */

/* Where it begins, or is over at once; NULL: not recorded. */
static const struct measure_point *release_of(const struct task *task)
{
	if (task->nr_creates != 1)
		return NULL;
	return task->nr_switches > 0    ? &task->start
	       : task->nr_completes > 0 ? &task->complete
					: NULL;
}

/* Tasks `waiting` wait for tasks `before`. */
static void hand_out_uses(struct measure_match *match, const struct task_use *before,
	size_t nr_before, const struct task_use *waiting, size_t nr_waiting)
{
	const struct task *tasks = match->tasks.items;
	const struct task *first = &tasks[waiting->task];
	uint64_t latest = 0;

	for (size_t i = 0; i < nr_before; i++) {
		const struct task *task = &tasks[before[i].task];

		if (task->nr_creates != 1 || task->nr_completes != 1)
			continue;
		instance_add_send(match, &task->complete);
		if (task->complete.time > latest)
			latest = task->complete.time;
	}
	for (size_t i = 0; i < nr_waiting; i++) {
		const struct measure_point *release = release_of(&tasks[waiting[i].task]);

		if (release && release->time >= latest)
			instance_add_receive(match, release);
	}
	instance_hand_out(
		match, MEASURE_RELATION_TASK_DEPENDENCE, first->comm, 0, first->generation);
}

static void hand_out_declared(struct measure_match *match)
{
	const struct tasks *tasks = &match->tasks;

	for (size_t i = 0; i < tasks->uses.nr_declared; i++) {
		const struct task_use waiting = {.task = tasks->uses.declared[i].task};
		const uint64_t before = tasks->uses.declared[i].before;
		const struct measure_key key = measure_key_pair(
			(uint64_t)tasks->items[waiting.task].comm << 32 | before >> 32,
			(uint32_t)before);
		const struct task_use other = {.task = measure_map_get(&tasks->ids, key)};

		if (other.task != MEASURE_NONE && other.task != waiting.task)
			hand_out_uses(match, &other, 1, &waiting, 1);
	}
}

/* ------------------------------------------------------------------------- groups --- */

static int compare_uses(const void *left, const void *right)
{
	const struct task_use *a = left, *b = right;

	if (a->data != b->data)
		return a->data < b->data ? -1 : 1;
	if (a->created != b->created)
		return a->created < b->created ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->mode > b->mode) - (a->mode < b->mode);
}

/* Sorted; each task uses data once: who uses it in two ways writes it. */
static void uses_prepare(struct measure_match *match)
{
	struct task_uses *uses = &match->tasks.uses;
	size_t nr = 0;

	for (size_t i = 0; i < uses->nr_uses; i++)
		uses->uses[i].created = match->tasks.items[uses->uses[i].task].create.time;
	measure_sort(uses->uses, uses->nr_uses, compare_uses);
	for (size_t i = 0; i < uses->nr_uses; i++) {
		const struct task_use *use = &uses->uses[i];
		struct task_use *last = nr ? &uses->uses[nr - 1] : NULL;

		if (measure_map_get(&uses->registered, measure_key_pair(use->data, 0)) ==
			MEASURE_NONE)
			continue;
		if (!last || last->data != use->data || last->task != use->task)
			uses->uses[nr++] = *use;
		else if (last->mode != use->mode)
			last->mode = TASK_USE_WRITES;
	}
	uses->nr_uses = nr;
}

static size_t group_end(const struct task_uses *uses, size_t begin)
{
	const struct task_use *first = &uses->uses[begin];
	size_t end = begin + 1;

	while (first->mode != TASK_USE_WRITES && end < uses->nr_uses &&
		uses->uses[end].data == first->data && uses->uses[end].mode == first->mode)
		end++;
	return end;
}

void uses_end_process(struct measure_match *match)
{
	struct task_uses *uses = &match->tasks.uses;

	hand_out_declared(match);
	uses_prepare(match);
	for (size_t before = 0, begin = 0, end; begin < uses->nr_uses;
		before = begin, begin = end) {
		const struct task_use *front = &uses->uses[before], *group = &uses->uses[begin];

		end = group_end(uses, begin);
		if (before < begin && front->data == group->data)
			hand_out_uses(match, front, begin - before, group, end - begin);
	}
	uses->nr_uses = 0;
	uses->nr_declared = 0;
	measure_map_clear(&uses->registered);
}

void uses_free(struct task_uses *uses)
{
	measure_free(uses->uses);
	measure_free(uses->declared);
	measure_map_free(&uses->registered);
}
