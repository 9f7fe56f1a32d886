/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a task has to wait for: what its run-time has said (task.dep), what follows from the data
 * that it uses, and the message that it receives.
 *
 * The accesses of data, in the order of creation, are a sequence of groups: each that writes is one
 * of its own, and those of one shared mode that follow each other are one together. A task waits
 * for all of the group before its own. Registered data is the same for all tasks of its process; an
 * address orders only the tasks of one parent, as in OpenMP. Where many of a group wait for many,
 * they wait for a join of these, so that time and edges grow with accesses alone. */
#include "config.h"

#include <string.h>

#include "base/array.h"
#include "tasks_reading.h"

#define MOST_OF_FRONT 8  /* that each of a group waits for, without a join */
#define MOST_SORTED   16 /* by insertion */

struct task_link {
	uint32_t task, next;
};

/* What is known of data, as some tasks see it. Lists are of links, or MEASURE_NONE. */
struct data_state {
	uint32_t task;           /* that has been looked at last, and how it uses the data */
	uint8_t mode;            /* enum measure_task_mode */
	bool is_entered;         /* it is in the group */
	uint8_t group_mode;      /* of those that are in the group */
	bool has_first;          /* some task waits for the front */
	uint32_t members, front; /* the group, and the one before */
	uint32_t nr_members, nr_front;
};

struct task_edges {
	MEASURE_GROWING_ITEMS(struct measure_task_edge);
};

struct task_inferring {
	struct tasks_reading *reading;
	struct task_edges edges, own; /* of all so far; of the task */
	struct task_edges of_joins;
	MEASURE_GROWING(uint64_t, first_of_joins);
	MEASURE_GROWING(struct data_state, states);
	struct measure_map private_states; /* (scope, data): state */
	/* by data: the state that was asked for last, and its scope */
	struct data_view {
		uint64_t scope;
		uint32_t state;
	} * views;
	MEASURE_GROWING(struct task_link, links);
	uint32_t free_link;
	struct task_cursor {
		size_t list, item;
	} * cursors; /* by location: what comes next of its dependences */
	size_t next_hop;
};

/* -------------------------------------------------------------------------- lists --- */

static uint32_t inferring_link(struct task_inferring *inferring, uint32_t task, uint32_t next)
{
	uint32_t link = inferring->free_link;

	if (link == MEASURE_NONE) {
		link = (uint32_t)inferring->nr_links;
		measure_append(inferring, links);
	} else {
		inferring->free_link = inferring->links[link].next;
	}
	inferring->links[link] = (struct task_link){task, next};
	return link;
}

static void inferring_unlink(struct task_inferring *inferring, uint32_t list)
{
	while (list != MEASURE_NONE) {
		const uint32_t next = inferring->links[list].next;

		inferring->links[list].next = inferring->free_link;
		inferring->free_link = list;
		list = next;
	}
}

static struct measure_task_edge edge_to(uint32_t task)
{
	return (struct measure_task_edge){.task = task & (MEASURE_TASK_MOST - 1)};
}

static void inferring_add_front(
	struct task_inferring *inferring, uint32_t front, struct task_edges *edges)
{
	for (uint32_t link = front; link != MEASURE_NONE; link = inferring->links[link].next) {
		struct measure_task_edge *edge = measure_append_item(edges);

		*edge = edge_to(inferring->links[link].task);
		edge->is_inferred = true;
	}
}

/* -------------------------------------------------------------------------- groups --- */

static uint32_t inferring_join(struct task_inferring *inferring, uint32_t front)
{
	const size_t index = inferring->reading->tasks->nr_tasks + inferring->nr_first_of_joins;

	if (index >= MEASURE_TASK_MOST)
		measure_end("the trace has more than %u tasks", MEASURE_TASK_MOST);
	*measure_append(inferring, first_of_joins) = inferring->of_joins.nr;
	inferring_add_front(inferring, front, &inferring->of_joins);
	return (uint32_t)index;
}

static bool mode_is_shared(uint8_t mode)
{
	return mode != MEASURE_TASK_ACCESS_W && mode != MEASURE_TASK_ACCESS_RW;
}

static void inferring_enter(
	struct task_inferring *inferring, struct data_state *state, uint32_t task)
{
	if (state->nr_members == 0 || state->group_mode != state->mode ||
		!mode_is_shared(state->mode)) {
		inferring_unlink(inferring, state->front);
		state->front = state->members;
		state->nr_front = state->nr_members;
		state->has_first = false;
		state->members = MEASURE_NONE;
		state->nr_members = 0;
		state->group_mode = state->mode;
	}
	if (state->has_first && state->nr_front > MOST_OF_FRONT) {
		const uint32_t join = inferring_join(inferring, state->front);

		inferring_unlink(inferring, state->front);
		state->front = inferring_link(inferring, join, MEASURE_NONE);
		state->nr_front = 1;
	}
	state->has_first = true;
	inferring_add_front(inferring, state->front, &inferring->own);
	state->members = inferring_link(inferring, task, state->members);
	state->nr_members++;
}

/* ------------------------------------------------------------------------- states --- */

static uint32_t inferring_new_state(struct task_inferring *inferring)
{
	*measure_append(inferring, states) = (struct data_state){
		.task = MEASURE_NONE, .members = MEASURE_NONE, .front = MEASURE_NONE};
	return (uint32_t)inferring->nr_states - 1;
}

/* Who can see what becomes of an address: the tasks of one parent. */
static uint64_t scope_of(const struct measure_task *task)
{
	return task->parent != MEASURE_NONE
		       ? task->parent
		       : UINT64_C(1) << 63 | (uint64_t)task->team << 32 | task->creator;
}

static struct data_state *inferring_state(
	struct task_inferring *inferring, const struct measure_task *task, uint32_t data)
{
	const bool is_registered = inferring->reading->tasks->data[data].is_registered;
	const uint64_t scope = is_registered ? 0 : scope_of(task);
	struct data_view *view = &inferring->views[data];

	if (view->state != MEASURE_NONE && view->scope == scope)
		return &inferring->states[view->state];
	if (is_registered || view->state == MEASURE_NONE) {
		view->state = inferring_new_state(inferring);
	} else {
		measure_map_set(&inferring->private_states, measure_key_pair(view->scope, data),
			view->state);
		view->state = measure_map_intern(&inferring->private_states,
			measure_key_pair(scope, data), (uint32_t)inferring->nr_states);
		if (view->state == inferring->nr_states)
			inferring_new_state(inferring);
	}
	view->scope = scope;
	return &inferring->states[view->state];
}

/* Who uses data in two ways reads and writes. */
static void inferring_add_accesses(struct task_inferring *inferring, uint32_t index)
{
	const struct measure_tasks *tasks = inferring->reading->tasks;
	const struct measure_task *task = &tasks->tasks[index];
	const uint64_t end = tasks->first_accesses[index + 1];

	for (uint64_t i = tasks->first_accesses[index]; i < end; i++) {
		struct data_state *state =
			inferring_state(inferring, task, tasks->accesses[i].data);

		if (state->task != index) {
			state->task = index;
			state->mode = tasks->accesses[i].mode;
			state->is_entered = false;
		} else if (state->mode != tasks->accesses[i].mode) {
			state->mode = MEASURE_TASK_ACCESS_RW;
		}
	}
	for (uint64_t i = tasks->first_accesses[index]; i < end; i++) {
		struct data_state *state =
			inferring_state(inferring, task, tasks->accesses[i].data);

		if (!state->is_entered)
			inferring_enter(inferring, state, index);
		state->is_entered = true;
	}
}

/* ------------------------------------------------------------------ what is said --- */

static void inferring_add_declared(struct task_inferring *inferring, uint32_t index)
{
	const struct measure_tasks *tasks = inferring->reading->tasks;
	const uint32_t location = tasks->tasks[index].process;
	const struct task_lists *lists = &inferring->reading->places[location].dependences;
	struct task_cursor *cursor = &inferring->cursors[location];

	if (cursor->list == lists->nr_lists || lists->lists[cursor->list].task != index)
		return;
	for (uint32_t i = 0; i < lists->lists[cursor->list].nr; i++) {
		const uint32_t before = lists->items[cursor->item++];
		struct measure_task_edge *edge;

		if (before == index) {
			inferring->reading->tasks->troubles.nr_cyclic++;
			continue;
		}
		edge = measure_append_item(&inferring->own);
		*edge = edge_to(before);
		edge->is_declared = true;
	}
	cursor->list++;
}

static void inferring_add_message(struct task_inferring *inferring, uint32_t index)
{
	const struct measure_tasks *tasks = inferring->reading->tasks;
	struct measure_task_edge *edge;

	if (inferring->next_hop == tasks->nr_hops ||
		tasks->hops[inferring->next_hop].receive != index)
		return;
	edge = measure_append_item(&inferring->own);
	*edge = edge_to(tasks->hops[inferring->next_hop++].send);
	edge->is_message = true;
}

/* -------------------------------------------------------------------------- edges --- */

static int compare_edges(const void *left, const void *right)
{
	const struct measure_task_edge *a = left, *b = right;

	return (a->task > b->task) - (a->task < b->task);
}

static void sort_edges(struct measure_task_edge *edges, size_t nr)
{
	if (nr > MOST_SORTED) {
		measure_sort(edges, nr, compare_edges);
		return;
	}
	for (size_t i = 1; i < nr; i++) {
		const struct measure_task_edge edge = edges[i];
		size_t to = i;

		for (; to > 0 && edges[to - 1].task > edge.task; to--)
			edges[to] = edges[to - 1];
		edges[to] = edge;
	}
}

/* Each predecessor once. */
static void add_edges(struct task_edges *edges, struct measure_task_edge *own, size_t nr)
{
	struct measure_task_edge *last = NULL;

	sort_edges(own, nr);
	for (size_t i = 0; i < nr; i++) {
		if (last && last->task == own[i].task) {
			last->is_declared |= own[i].is_declared;
			last->is_inferred |= own[i].is_inferred;
			last->is_message |= own[i].is_message;
			continue;
		}
		last = measure_append_item(edges);
		*last = own[i];
	}
}

static void inferring_end(struct task_inferring *inferring)
{
	struct measure_tasks *tasks = inferring->reading->tasks;
	const size_t nr = tasks->nr_tasks, nr_joins = inferring->nr_first_of_joins;
	uint64_t *first = measure_uncleared(nr + nr_joins + 1, sizeof(*first));

	memcpy(first, tasks->first_edges, (nr + 1) * sizeof(*first));
	measure_free(tasks->first_edges);
	*measure_append(inferring, first_of_joins) = inferring->of_joins.nr;
	for (size_t i = 0; i < nr_joins; i++) {
		const uint64_t begin = inferring->first_of_joins[i];

		add_edges(&inferring->edges, &inferring->of_joins.items[begin],
			inferring->first_of_joins[i + 1] - begin);
		first[nr + i + 1] = inferring->edges.nr;
	}
	tasks->first_edges = first;
	tasks->edges = inferring->edges.items;
	tasks->nr_joins = nr_joins;
	tasks_append(inferring->reading, nr_joins);
	for (size_t i = nr; i < nr + nr_joins; i++) /* that of any of them */
		tasks->tasks[i].process = tasks->tasks[tasks->edges[first[i]].task].process;
	tasks->first_accesses = tasks_enlarge(
		tasks->first_accesses, nr + 1, nr_joins, sizeof(*tasks->first_accesses));
	for (size_t i = nr + 1; i <= nr + nr_joins; i++)
		tasks->first_accesses[i] = tasks->first_accesses[nr];
}

static void inferring_free(struct task_inferring *inferring)
{
	measure_free(inferring->own.items);
	measure_free(inferring->of_joins.items);
	measure_free(inferring->first_of_joins);
	measure_free(inferring->states);
	measure_free(inferring->views);
	measure_free(inferring->links);
	measure_free(inferring->cursors);
	measure_map_free(&inferring->private_states);
	for (size_t i = 0; i < inferring->reading->trace->definitions.nr_locations; i++)
		task_lists_free(&inferring->reading->places[i].dependences);
}

void tasks_infer(struct tasks_reading *reading)
{
	struct measure_tasks *tasks = reading->tasks;
	struct task_inferring inferring = {.reading = reading,
		.free_link = MEASURE_NONE,
		.views = measure_uncleared(tasks->nr_data, sizeof(*inferring.views)),
		.cursors = measure_zeroed(
			reading->trace->definitions.nr_locations, sizeof(*inferring.cursors))};

	for (size_t i = 0; i < tasks->nr_data; i++)
		inferring.views[i].state = MEASURE_NONE;
	tasks->first_edges = measure_uncleared(tasks->nr_tasks + 1, sizeof(*tasks->first_edges));
	tasks->first_edges[0] = 0;
	for (uint32_t i = 0; i < tasks->nr_tasks; i++) {
		inferring.own.nr = 0;
		if (!reading->options->is_as_declared)
			inferring_add_accesses(&inferring, i);
		if (i < tasks->nr_created) {
			inferring_add_declared(&inferring, i);
			inferring_add_message(&inferring, i);
		}
		add_edges(&inferring.edges, inferring.own.items, inferring.own.nr);
		tasks->first_edges[i + 1] = inferring.edges.nr;
	}
	inferring_end(&inferring);
	inferring_free(&inferring);
}
