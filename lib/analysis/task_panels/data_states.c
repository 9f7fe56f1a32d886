/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Follows the data of tasks through memory nodes; see data_states.h. */
#include "config.h"

#include "data_states.h"

#include <stdlib.h>

#include "trace/common/containers.h"

/* In the order in which they happen at the same time. */
enum data_step_kind { DATA_REGISTERED, DATA_TRANSFERRED, DATA_READ, DATA_WRITTEN, DATA_GONE };

/* What changes where data are valid. */
struct data_step {
	uint64_t time;
	uint32_t data;
	enum data_step_kind kind;
	uint32_t node;
	uint32_t from; /* of transfers */
};

struct data_steps {
	MEASURE_GROWING(struct data_step, items);
	uint32_t nr_nodes; /* of all processes: one more than the highest number */
};

/* A state, or none, from `time` on. */
struct data_change {
	uint64_t time;
	int state; /* enum measure_data_state; INVALID */
};

#define INVALID (-1)

/* What a memory node has of the data that are followed. */
struct data_node {
	int state;
	MEASURE_GROWING(struct data_change, changes);
};

/* -------------------------------------------------------------------------- steps --- */

static void steps_add(struct data_steps *steps, struct data_step step)
{
	if (step.time == MEASURE_TASK_NO_TIME ||
		(step.kind != DATA_GONE && step.node == MEASURE_NONE))
		return;
	*measure_append(steps, items) = step;
	if (step.node != MEASURE_NONE && step.node >= steps->nr_nodes)
		steps->nr_nodes = step.node + 1;
	if (step.kind == DATA_TRANSFERRED && step.from >= steps->nr_nodes)
		steps->nr_nodes = step.from + 1;
}

static void add_accesses(const struct measure_task_view *view, struct data_steps *steps)
{
	const struct measure_tasks *tasks = view->tasks;

	for (size_t i = 0; tasks->accesses && i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];

		if (task->worker >= tasks->nr_workers)
			continue;
		for (uint64_t j = tasks->first_accesses[i]; j < tasks->first_accesses[i + 1]; j++)
			steps_add(steps,
				(struct data_step){.time = task->start,
					.data = tasks->accesses[j].data,
					.kind = tasks->accesses[j].mode == MEASURE_TASK_ACCESS_R
							? DATA_READ
							: DATA_WRITTEN,
					.node = tasks->workers[task->worker].memory_node});
	}
}

static int compare_steps(const void *left, const void *right)
{
	const struct data_step *a = left, *b = right;

	if (a->data != b->data)
		return a->data < b->data ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static void steps_find(const struct measure_task_view *view, struct data_steps *steps)
{
	const struct measure_tasks *tasks = view->tasks;

	for (uint32_t i = 0; i < tasks->nr_data; i++) {
		const struct measure_task_data *data = &tasks->data[i];

		steps_add(steps, (struct data_step){data->from, i, DATA_REGISTERED, data->home, 0});
		steps_add(steps, (struct data_step){data->until, i, DATA_GONE, MEASURE_NONE, 0});
	}
	for (size_t i = 0; i < tasks->nr_transfers; i++) {
		const struct measure_task_transfer *transfer = &tasks->transfers[i];

		if (transfer->data != MEASURE_NONE && transfer->from != MEASURE_NONE)
			steps_add(steps, (struct data_step){transfer->end, transfer->data,
						 DATA_TRANSFERRED, transfer->to, transfer->from});
	}
	add_accesses(view, steps);
	if (steps->nr_items > 1)
		qsort(steps->items, steps->nr_items, sizeof(*steps->items), compare_steps);
}

/* ------------------------------------------------------------------------- states --- */

static void node_set(struct data_node *node, uint64_t time, int state)
{
	if (node->state == state)
		return;
	node->state = state;
	*measure_append(node, changes) = (struct data_change){time, state};
}

/* Nobody owns the data but, perhaps, `node`. */
static void nodes_share(struct data_node *nodes, uint32_t nr_nodes, uint32_t node, uint64_t time)
{
	bool is_alone = true;

	for (uint32_t i = 0; i < nr_nodes; i++) {
		if (i == node || nodes[i].state == INVALID)
			continue;
		is_alone = false;
		node_set(&nodes[i], time, MEASURE_DATA_SHARED);
	}
	node_set(&nodes[node], time, is_alone ? MEASURE_DATA_OWNED : MEASURE_DATA_SHARED);
}

/* All but `node`, which may be none, lose the data. */
static void nodes_invalidate(
	struct data_node *nodes, uint32_t nr_nodes, uint32_t node, uint64_t time)
{
	for (uint32_t i = 0; i < nr_nodes; i++)
		if (i != node)
			node_set(&nodes[i], time, INVALID);
}

static void nodes_take_step(
	struct data_node *nodes, uint32_t nr_nodes, const struct data_step *step)
{
	switch (step->kind) {
	case DATA_TRANSFERRED:
		/* its source had them, also where nothing else says so */
		if (nodes[step->from].state == INVALID)
			nodes_share(nodes, nr_nodes, step->from, step->time);
		nodes_share(nodes, nr_nodes, step->node, step->time);
		break;
	case DATA_READ:
		if (nodes[step->node].state == INVALID)
			nodes_share(nodes, nr_nodes, step->node, step->time);
		break;
	case DATA_REGISTERED:
	case DATA_WRITTEN:
		node_set(&nodes[step->node], step->time, MEASURE_DATA_OWNED);
		nodes_invalidate(nodes, nr_nodes, step->node, step->time);
		break;
	case DATA_GONE:
		nodes_invalidate(nodes, nr_nodes, MEASURE_NONE, step->time);
		break;
	}
}

/* ---------------------------------------------------------------------- intervals --- */

/* Without changes that last less than `least`, and without those that change nothing then. */
static size_t changes_clean(struct data_change *changes, size_t nr, uint64_t least)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (i + 1 < nr && changes[i + 1].time - changes[i].time < least)
			continue;
		if (kept > 0 ? changes[kept - 1].state != changes[i].state
			     : changes[i].state != INVALID)
			changes[kept++] = changes[i];
	}
	return kept;
}

static void node_end(struct data_node *node, struct measure_data_interval which, uint64_t least,
	uint64_t end, struct measure_data_intervals *intervals)
{
	const size_t nr = changes_clean(node->changes, node->nr_changes, least);

	for (size_t i = 0; i < nr; i++) {
		which.start = node->changes[i].time;
		which.end = i + 1 < nr ? node->changes[i + 1].time : end;
		which.state = (enum measure_data_state)node->changes[i].state;
		if (node->changes[i].state != INVALID && which.end > which.start)
			*measure_append(intervals, items) = which;
	}
	node->state = INVALID;
	node->nr_changes = 0;
}

void measure_data_intervals_make(
	const struct measure_task_view *view, struct measure_data_intervals *intervals)
{
	const uint64_t least = view->trace->definitions.clock.resolution / 1000000;
	struct data_steps steps = {.nr_items = 0};
	struct data_node *nodes;

	*intervals = (struct measure_data_intervals){.nr_items = 0};
	steps_find(view, &steps);
	nodes = measure_zeroed(steps.nr_nodes, sizeof(*nodes));
	for (uint32_t i = 0; i < steps.nr_nodes; i++)
		nodes[i].state = INVALID;
	for (size_t i = 0; i < steps.nr_items; i++) {
		nodes_take_step(nodes, steps.nr_nodes, &steps.items[i]);
		if (i + 1 < steps.nr_items && steps.items[i + 1].data == steps.items[i].data)
			continue;
		for (uint32_t n = 0; n < steps.nr_nodes; n++)
			node_end(&nodes[n],
				(struct measure_data_interval){
					.data = steps.items[i].data, .node = n},
				least, view->tasks->length, intervals);
	}
	for (uint32_t i = 0; i < steps.nr_nodes; i++)
		measure_free(nodes[i].changes);
	measure_free(nodes);
	measure_free(steps.items);
}

void measure_data_intervals_free(struct measure_data_intervals *intervals)
{
	measure_free(intervals->items);
}
