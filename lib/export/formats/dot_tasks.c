/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph of tasks: nodes are regions, of tasks and of what creates them; edges count the tasks
 * of one that those of another have created, and the dependences between them. A task has the
 * region that is entered first after a switch to it, on any location. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "dot.h"
#include "trace/common/trace_error.h"

/* Of the parameter task.dep: of the same team, creator << 32 | number. */
#define DEPENDENCE "task.dep"

struct dot_task {
	uint32_t region;         /* number, or MEASURE_NONE: it did not run */
	uint32_t creator;        /* task, or MEASURE_NONE */
	uint32_t creator_region; /* of what is no task */
	bool is_created;         /* its creation was seen */
};

struct dot_dependence {
	uint32_t task, before;
};

struct dot_edge {
	uint32_t from, to; /* numbers of regions */
	bool is_dependence;
	uint64_t count;
};

struct dot_tasks {
	struct measure_conversion *conversion;
	struct measure_map numbers; /* (team and creator, number): task */
	MEASURE_GROWING(struct dot_task, tasks);
	MEASURE_GROWING(struct dot_dependence, dependences);
	MEASURE_GROWING(struct dot_edge, edges);
	struct measure_map edge_numbers;
	uint64_t *counts; /* by number of region: its tasks */
	bool *is_node;    /* by number of region */
	uint64_t nr_created;

	/* of the location that is read */
	uint32_t running;      /* task, or MEASURE_NONE */
	uint32_t created;      /* the last one, which parameters describe, or MEASURE_NONE */
	uint64_t created_team; /* its team */
};

/* ------------------------------------------------------------------------ reading --- */

static uint32_t find_task(struct dot_tasks *tasks, uint64_t team, uint32_t creator, uint32_t number)
{
	const struct measure_key key = measure_key_pair(team << 32 | creator, number);
	const uint32_t index = measure_map_intern(&tasks->numbers, key, (uint32_t)tasks->nr_tasks);

	if (index == tasks->nr_tasks)
		*measure_append(tasks, tasks) =
			(struct dot_task){.region = MEASURE_NONE, .creator = MEASURE_NONE};
	return index;
}

static uint32_t region_number(const struct dot_tasks *tasks, uint32_t path)
{
	const uint32_t region = measure_conversion_region(tasks->conversion, path);

	return (uint32_t)measure_conversion_region_number(tasks->conversion, region);
}

/* The innermost region around a creation that is not about creating. */
static uint32_t creator_region(const struct dot_tasks *tasks, uint32_t path)
{
	const struct measure_conversion *conversion = tasks->conversion;
	const struct measure_definitions *definitions = conversion->definitions;
	const struct measure_profile_path *paths = conversion->profile.paths;

	while (path != 0 && paths[path].region < definitions->nr_regions &&
		definitions->regions[paths[path].region].role == OTF2_REGION_ROLE_TASK_CREATE)
		path = paths[path].parent;
	return region_number(tasks, path);
}

static void take_creation(struct dot_tasks *tasks, const struct measure_conversion_item *item)
{
	const struct measure_event *event = item->event;
	struct dot_task *task;

	tasks->created = find_task(tasks, event->ref, event->peer, event->tag);
	tasks->created_team = event->ref;
	task = &tasks->tasks[tasks->created];
	tasks->nr_created += !task->is_created;
	task->is_created = true;
	task->creator = tasks->running;
	task->creator_region = creator_region(tasks, item->path);
}

static void take_parameter(struct dot_tasks *tasks, const struct measure_event *event)
{
	const struct measure_definitions *definitions = tasks->conversion->definitions;
	uint32_t before;

	if (tasks->created == MEASURE_NONE || event->ref >= definitions->nr_parameters ||
		strcmp(measure_text(definitions, definitions->parameters[event->ref].name),
			DEPENDENCE) != 0)
		return;
	before = find_task(tasks, tasks->created_team, (uint32_t)(event->number >> 32),
		(uint32_t)event->number);
	*measure_append(tasks, dependences) =
		(struct dot_dependence){.task = tasks->created, .before = before};
}

static void take_record(struct dot_tasks *tasks, const struct measure_conversion_item *item)
{
	const struct measure_event *event = item->event;

	switch (event->kind) {
	case MEASURE_EVENT_THREAD_TASK_CREATE:
		take_creation(tasks, item);
		break;
	case MEASURE_EVENT_PARAMETER_UNSIGNED_INT:
		take_parameter(tasks, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_SWITCH: /* 0: to the implicit task */
		tasks->running = event->tag == 0
					 ? MEASURE_NONE
					 : find_task(tasks, event->ref, event->peer, event->tag);
		break;
	default:
		break;
	}
}

static void take_begin(struct dot_tasks *tasks, const struct measure_conversion_item *item)
{
	tasks->created = MEASURE_NONE;
	if (tasks->running != MEASURE_NONE && !item->is_piece &&
		tasks->tasks[tasks->running].region == MEASURE_NONE)
		tasks->tasks[tasks->running].region = region_number(tasks, item->path);
}

static void read_location(void *data, uint32_t location, struct measure_conversion_reader *reader)
{
	const struct measure_conversion_item *item;
	struct dot_tasks *tasks = data;

	(void)location;
	tasks->running = tasks->created = MEASURE_NONE;
	while ((item = measure_conversion_next(reader)))
		if (item->kind == MEASURE_CONVERSION_RECORD)
			take_record(tasks, item);
		else if (item->kind == MEASURE_CONVERSION_BEGIN)
			take_begin(tasks, item);
}

/* -------------------------------------------------------------------------- graph --- */

/* Of a task that did not run nothing is known. */
static uint32_t node_of(const struct dot_tasks *tasks, const struct dot_task *task)
{
	return task->region != MEASURE_NONE ? task->region
					    : (uint32_t)measure_conversion_region_number(
						      tasks->conversion, MEASURE_PSEUDO_UNDEFINED);
}

static void count_edge(struct dot_tasks *tasks, uint32_t from, uint32_t to, bool is_dependence)
{
	const struct measure_key key = measure_key_pair((uint64_t)from << 1 | is_dependence, to);
	const uint32_t index =
		measure_map_intern(&tasks->edge_numbers, key, (uint32_t)tasks->nr_edges);

	if (index == tasks->nr_edges)
		*measure_append(tasks, edges) =
			(struct dot_edge){.from = from, .to = to, .is_dependence = is_dependence};
	tasks->edges[index].count++;
}

static void count_all(struct dot_tasks *tasks)
{
	const size_t nr = measure_conversion_nr_regions(tasks->conversion);

	tasks->counts = measure_zeroed(nr, sizeof(*tasks->counts));
	tasks->is_node = measure_zeroed(nr, sizeof(*tasks->is_node));
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const struct dot_task *task = &tasks->tasks[i];

		if (!task->is_created)
			continue;
		tasks->counts[node_of(tasks, task)]++;
		count_edge(tasks,
			task->creator == MEASURE_NONE
				? task->creator_region
				: node_of(tasks, &tasks->tasks[task->creator]),
			node_of(tasks, task), false);
	}
	for (size_t i = 0; i < tasks->nr_dependences; i++) {
		const struct dot_dependence *dependence = &tasks->dependences[i];

		count_edge(tasks, node_of(tasks, &tasks->tasks[dependence->before]),
			node_of(tasks, &tasks->tasks[dependence->task]), true);
	}
}

measure_status_t dot_tasks_read(struct measure_conversion *conversion, struct dot_tasks **result)
{
	struct dot_tasks *tasks = *result = measure_zeroed(1, sizeof(*tasks));
	measure_status_t status;

	tasks->conversion = conversion;
	status = measure_conversion_read(conversion, read_location, tasks);
	if (tasks->nr_created == 0) {
		measure_error_set("%s: has no tasks: --graph calls tells who calls whom",
			MEASURE_PRINTABLE(conversion->options->input));
		return MEASURE_ERROR_USAGE;
	}
	count_all(tasks);
	return status;
}

void dot_tasks_free(struct dot_tasks *tasks)
{
	if (!tasks)
		return;
	measure_map_free(&tasks->numbers);
	measure_map_free(&tasks->edge_numbers);
	measure_free(tasks->tasks);
	measure_free(tasks->dependences);
	measure_free(tasks->edges);
	measure_free(tasks->counts);
	measure_free(tasks->is_node);
	measure_free(tasks);
}

/* ------------------------------------------------------------------------ writing --- */

static uint64_t count_of_kind(const struct dot_tasks *tasks, bool is_dependence)
{
	return is_dependence ? tasks->nr_dependences : tasks->nr_created;
}

static bool edge_is_drawn(const struct dot_tasks *tasks, const struct dot_edge *edge)
{
	return dot_share(edge->count, count_of_kind(tasks, edge->is_dependence)) >=
	       tasks->conversion->options->least_share;
}

static void write_node(const struct dot_tasks *tasks, size_t number, FILE *out)
{
	const size_t nr_regions = tasks->conversion->definitions->nr_regions;
	const uint32_t region = number < nr_regions
					? (uint32_t)number
					: (uint32_t)(number - nr_regions) + MEASURE_PSEUDO_BEFORE;

	fprintf(out, "\tr%zu [label=\"", number);
	dot_write_escaped(out, measure_conversion_region_name(tasks->conversion, region));
	if (tasks->counts[number] > 0)
		fprintf(out, "\\n%" PRIu64 " tasks\" fillcolor=\"0.08 %.3f 1",
			tasks->counts[number], dot_share(tasks->counts[number], tasks->nr_created));
	fputs("\"];\n", out);
}

void dot_tasks_write(const struct dot_tasks *tasks, FILE *out)
{
	for (size_t i = 0; i < tasks->nr_edges; i++)
		if (edge_is_drawn(tasks, &tasks->edges[i]))
			tasks->is_node[tasks->edges[i].from] = tasks->is_node[tasks->edges[i].to] =
				true;
	for (size_t i = 0; i < measure_conversion_nr_regions(tasks->conversion); i++)
		if (tasks->is_node[i])
			write_node(tasks, i, out);
	for (size_t i = 0; i < tasks->nr_edges; i++) {
		const struct dot_edge *edge = &tasks->edges[i];

		if (!edge_is_drawn(tasks, edge))
			continue;
		fprintf(out,
			"\tr%" PRIu32 " -> r%" PRIu32 " [label=\"%" PRIu64
			" %s\"%s penwidth=%.2f];\n",
			edge->from, edge->to, edge->count,
			edge->is_dependence ? "dependences" : "tasks",
			edge->is_dependence ? " style=dashed" : "",
			dot_width(
				dot_share(edge->count, count_of_kind(tasks, edge->is_dependence))));
	}
}
