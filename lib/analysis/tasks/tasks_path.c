/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The critical path of tasks: when each could have begun at the earliest, if there had been a
 * worker for every task at once. */
#include "config.h"

#include "tasks_reading.h"

struct path_finding {
	const struct measure_tasks *tasks;
	const struct measure_tasks_path_options *options;
	uint64_t *fastest; /* by type: the least mean, in ticks; or NULL */
	uint64_t *ends;    /* by task, at the earliest */
	uint32_t *before;  /* by task: the one that it waits for, or MEASURE_NONE */
};

/* --------------------------------------------------------------------- durations --- */

double *measure_tasks_means(const struct measure_tasks *tasks)
{
	const size_t nr = tasks->nr_classes * tasks->nr_types;
	double *means = measure_zeroed(nr, sizeof(*means));
	uint64_t *counts = measure_zeroed(nr, sizeof(*counts));

	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];
		size_t cell;

		if (!measure_task_is_executed(task) || task->type == MEASURE_NONE)
			continue;
		cell = tasks->workers[task->worker].class * tasks->nr_types + task->type;
		counts[cell]++;
		means[cell] += (double)task->executed;
	}
	for (size_t i = 0; i < nr; i++)
		means[i] /= counts[i] ? (double)counts[i] : 1;
	measure_free(counts);
	return means;
}

static uint64_t *find_fastest(const struct measure_tasks *tasks)
{
	uint64_t *fastest = measure_zeroed(tasks->nr_types, sizeof(*fastest));
	double *means = measure_tasks_means(tasks);

	for (size_t t = 0; t < tasks->nr_types; t++) {
		double least = 0;

		for (size_t c = 0; c < tasks->nr_classes; c++) {
			const double mean = means[c * tasks->nr_types + t];

			if (mean > 0 && (least == 0 || mean < least))
				least = mean;
		}
		fastest[t] = (uint64_t)(least + 0.5);
	}
	measure_free(means);
	return fastest;
}

static uint64_t duration_of(const struct path_finding *finding, const struct measure_task *task)
{
	return finding->fastest && task->type != MEASURE_NONE ? finding->fastest[task->type]
							      : task->executed;
}

uint64_t measure_tasks_hop_ticks(
	const struct measure_tasks *tasks, const struct measure_task_hop *hop)
{
	const struct measure_task *send = &tasks->tasks[hop->send];
	const struct measure_task *receive = &tasks->tasks[hop->receive];
	uint64_t from = send->ready;

	if (from == MEASURE_TASK_NO_TIME ||
		(receive->ready != MEASURE_TASK_NO_TIME && receive->ready > from))
		from = receive->ready;
	return measure_task_is_over(receive) && from < receive->end ? receive->end - from : 0;
}

/* -------------------------------------------------------------------------- steps --- */

static bool is_in(const struct path_finding *finding, uint32_t task)
{
	return finding->options->process == MEASURE_NONE ||
	       finding->tasks->tasks[task].process == finding->options->process;
}

static uint64_t message_ticks(
	const struct path_finding *finding, const struct measure_task_edge *edge, uint32_t task)
{
	return finding->options->has_messages && edge->is_message
		       ? measure_tasks_hop_ticks(
				 finding->tasks, &(struct measure_task_hop){edge->task, task})
		       : 0;
}

/* When its parent has come to its creation; in a run at another speed that share of it. */
static uint64_t spawned_at(const struct path_finding *finding, uint32_t index)
{
	const struct measure_tasks *tasks = finding->tasks;
	const uint32_t parent = tasks->tasks[index].parent;
	const struct measure_task *task = &tasks->tasks[parent];
	const uint64_t ticks = duration_of(finding, task);
	uint64_t by_then = tasks->spawned ? tasks->spawned[index] : 0;

	if (finding->fastest && task->executed > 0)
		by_then = (uint64_t)((double)by_then / (double)task->executed * (double)ticks);
	return finding->ends[parent] - ticks + (by_then < ticks ? by_then : ticks);
}

static void find_end(struct path_finding *finding, uint32_t index)
{
	const struct measure_tasks *tasks = finding->tasks;
	const uint32_t parent = tasks->tasks[index].parent;
	uint64_t begin = 0;

	finding->before[index] = MEASURE_NONE;
	finding->ends[index] = 0;
	if (!is_in(finding, index))
		return;
	if (parent != MEASURE_NONE && is_in(finding, parent)) {
		begin = spawned_at(finding, index);
		finding->before[index] = parent;
	}
	for (uint64_t e = tasks->first_edges[index]; e < tasks->first_edges[index + 1]; e++) {
		const struct measure_task_edge *edge = &tasks->edges[e];
		uint64_t end;

		if (!is_in(finding, edge->task))
			continue;
		end = finding->ends[edge->task] + message_ticks(finding, edge, index);
		if (end <= begin && finding->before[index] != MEASURE_NONE)
			continue;
		begin = end;
		finding->before[index] = edge->task;
	}
	finding->ends[index] = begin + duration_of(finding, &tasks->tasks[index]);
}

static uint64_t messages_to(const struct path_finding *finding, uint32_t task)
{
	const struct measure_tasks *tasks = finding->tasks;

	for (uint64_t e = tasks->first_edges[task]; e < tasks->first_edges[task + 1]; e++)
		if (tasks->edges[e].task == finding->before[task])
			return message_ticks(finding, &tasks->edges[e], task);
	return 0;
}

/* Back from its last task. */
static void follow(
	const struct path_finding *finding, uint32_t last, struct measure_tasks_path *path)
{
	const size_t first_join = finding->tasks->nr_tasks - finding->tasks->nr_joins;
	size_t room = 0;

	for (uint32_t task = last; task != MEASURE_NONE; task = finding->before[task]) {
		if (task < first_join)
			*measure_append_to(path->tasks, path->nr_tasks, room) = task;
		path->messages += messages_to(finding, task);
	}
	for (size_t i = 0; i < path->nr_tasks / 2; i++) {
		const uint32_t task = path->tasks[i];

		path->tasks[i] = path->tasks[path->nr_tasks - 1 - i];
		path->tasks[path->nr_tasks - 1 - i] = task;
	}
}

void measure_tasks_critical_path(const struct measure_tasks *tasks,
	const struct measure_tasks_path_options *options, struct measure_tasks_path *path)
{
	struct path_finding finding = {.tasks = tasks,
		.options = options,
		.ends = measure_uncleared(tasks->nr_tasks, sizeof(*finding.ends)),
		.before = measure_uncleared(tasks->nr_tasks, sizeof(*finding.before))};
	uint32_t last = MEASURE_NONE;

	*path = (struct measure_tasks_path){.length = 0};
	if (options->durations == MEASURE_TASK_DURATIONS_FASTEST)
		finding.fastest = find_fastest(tasks);
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const uint32_t index = tasks->order ? tasks->order[i] : (uint32_t)i;

		find_end(&finding, index);
		if (finding.ends[index] > path->length) {
			path->length = finding.ends[index];
			last = index;
		}
	}
	follow(&finding, last, path);
	measure_free(finding.fastest);
	measure_free(finding.ends);
	measure_free(finding.before);
}

void measure_tasks_path_free(struct measure_tasks_path *path)
{
	measure_free(path->tasks);
	*path = (struct measure_tasks_path){.length = 0};
}
