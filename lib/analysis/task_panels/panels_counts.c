/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of what is in progress at a time: submitted and ready tasks, operations, messages, and
 * transfers per second. */
#include "config.h"

#include <stdio.h>

#include "panels_internal.h"

/* Each interval is at least one tick long, so that what it carries is not lost. */
static uint64_t not_before(uint64_t start, uint64_t end)
{
	return end > start ? end : start + 1;
}

/* Group of each process's place; MEASURE_NONE: it is not asked for. To be freed. */
static uint32_t *groups_by_place(
	const struct measure_task_view *view, const struct measure_task_panel *panel)
{
	uint32_t *groups = measure_zeroed(view->nr_processes, sizeof(*groups));

	for (uint32_t i = 0; i < view->nr_processes; i++)
		groups[i] = MEASURE_NONE;
	for (uint32_t i = 0; i < panel->nr_groups; i++)
		groups[view->places[panel->groups[i].process]] = i;
	return groups;
}

static uint32_t group_of_process(
	const struct measure_task_view *view, const uint32_t *groups, uint32_t process)
{
	return process < view->trace->definitions.nr_location_groups &&
			       view->places[process] != MEASURE_NONE
		       ? groups[view->places[process]]
		       : MEASURE_NONE;
}

/* ----------------------------------------------------------------- submitted, ready --- */

/* What an application has submitted to be executed; not exchanges and points of synchronisation,
 * which end without having been executed. */
static bool is_submitted(const struct measure_task_view *view, size_t task)
{
	const struct measure_task *of = &view->tasks->tasks[task];

	if (measure_task_exchange_of(view->tasks, task) != MEASURE_TASK_NO_EXCHANGE)
		return false;
	if (of->start == MEASURE_TASK_NO_TIME)
		return of->end == MEASURE_TASK_NO_TIME && of->type < view->tasks->nr_types &&
		       view->tasks->types[of->type].is_application;
	return measure_task_view_type_is_application(view, measure_task_view_type(view, task));
}

/* An interval of a task; end before start: it has none. */
struct task_span {
	uint64_t start, end;
};

static struct task_span span_submitted(const struct measure_task_view *view, size_t task)
{
	return (struct task_span){
		view->tasks->tasks[task].create, measure_task_view_end_of(view, task)};
}

static struct task_span span_ready(const struct measure_task_view *view, size_t task)
{
	const struct measure_task *of = &view->tasks->tasks[task];

	return (struct task_span){of->ready, of->start != MEASURE_TASK_NO_TIME
						     ? of->start
						     : measure_task_view_end_of(view, task)};
}

static void count_tasks(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel,
	struct task_span (*span_of)(const struct measure_task_view *view, size_t task))
{
	struct measure_step_function *functions;
	uint32_t *groups;

	measure_panel_add_processes(view, options, panel);
	functions = measure_panel_functions_make(panel);
	groups = groups_by_place(view, panel);
	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		const uint32_t group =
			group_of_process(view, groups, view->tasks->tasks[i].process);
		const struct task_span span = span_of(view, i);

		if (group != MEASURE_NONE && span.start != MEASURE_TASK_NO_TIME &&
			is_submitted(view, i))
			measure_step_function_add(&functions[group], span.start, span.end, 1);
	}
	measure_panel_functions_end(panel, functions);
	measure_free(groups);
}

void panel_submitted(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	count_tasks(view, options, panel, span_submitted);
}

void panel_ready(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	count_tasks(view, options, panel, span_ready);
}

/* The fewest workers that a process with workers has. */
static double fewest_workers(const struct measure_task_view *view)
{
	double fewest = 0;

	for (uint32_t i = 0; i < view->nr_processes; i++) {
		double nr = 0;

		for (size_t w = 0; w < view->tasks->nr_workers; w++)
			nr += view->tasks->workers[w].process == view->processes[i];
		if (nr > 0 && (fewest <= 0 || nr < fewest))
			fewest = nr;
	}
	return fewest;
}

static bool has_workers(const struct measure_task_view *view, uint32_t process)
{
	for (size_t w = 0; w < view->tasks->nr_workers; w++)
		if (view->tasks->workers[w].process == process)
			return true;
	return false;
}

void panel_lack_of_ready(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const double threshold = options->threshold > 0 ? options->threshold : fewest_workers(view);
	struct measure_task_panel ready = {.slices = panel->slices};

	panel_ready(view, options, &ready);
	measure_panel_add_group(panel, "processes");
	measure_panel_make_values(panel);
	for (size_t i = 0; i < ready.nr_groups; i++)
		for (size_t j = 0; j < panel->slices.nr; j++)
			panel->values[j] += has_workers(view, ready.groups[i].process) &&
					    ready.values[i * ready.nr_columns + j] < threshold;
	measure_task_panel_free(&ready);
}

/* -------------------------------------------------------------------------- GFlop/s --- */

void panel_gflops(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const double ticks = (double)view->trace->definitions.clock.resolution;
	const struct measure_tasks *tasks = view->tasks;
	struct measure_step_function *functions;

	if (!tasks->flops)
		return;
	measure_panel_add_classes(view, options, panel);
	functions = measure_panel_functions_make(panel);
	for (size_t g = 0; g < panel->nr_groups; g++)
		for (size_t w = 0; w < tasks->nr_workers; w++) {
			if (tasks->workers[w].process != panel->groups[g].process ||
				tasks->workers[w].class != panel->groups[g].class)
				continue;
			for (size_t i = view->first_executed[w]; i < view->first_executed[w + 1];
				i++) {
				const struct measure_task *task = &tasks->tasks[view->executed[i]];
				const uint64_t end = not_before(task->start, task->end);

				measure_step_function_add(&functions[g], task->start, end,
					tasks->flops[view->executed[i]] * ticks / 1e9 /
						(double)(end - task->start));
			}
		}
	measure_panel_functions_end(panel, functions);
}

/* ------------------------------------------------------------------------- transfers --- */

/* A group for each memory node of a process that something is transferred from. */
static uint32_t group_of_node(const struct measure_task_view *view,
	struct measure_task_panel *panel, uint32_t process, uint32_t node)
{
	struct measure_task_panel_group *group;
	char name[32], text[256];

	for (uint32_t i = 0; i < panel->nr_groups; i++)
		if (panel->groups[i].process == process && panel->groups[i].what == node)
			return i;
	snprintf(name, sizeof(name), "memory node %u", node);
	measure_panel_name_in_process(view, process, name, text, sizeof(text));
	group = measure_panel_add_group(panel, text);
	group->process = process;
	group->what = node;
	return group->row;
}

static bool is_wanted(const struct measure_task_view *view,
	const struct measure_task_panel_options *options,
	const struct measure_task_transfer *transfer)
{
	return transfer->start != MEASURE_TASK_NO_TIME && transfer->end != MEASURE_TASK_NO_TIME &&
	       transfer->process < view->trace->definitions.nr_location_groups &&
	       measure_task_view_is_of(options->process, transfer->process);
}

static uint64_t transfer_bytes(
	const struct measure_tasks *tasks, const struct measure_task_transfer *transfer)
{
	if (transfer->bytes == 0 && transfer->data < tasks->nr_data)
		return tasks->data[transfer->data].bytes;
	return transfer->bytes;
}

void panel_transfer_bandwidth(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const double ticks = (double)view->trace->definitions.clock.resolution;
	const struct measure_tasks *tasks = view->tasks;
	struct measure_step_function *functions;

	for (size_t i = 0; i < tasks->nr_transfers; i++)
		if (is_wanted(view, options, &tasks->transfers[i]))
			group_of_node(
				view, panel, tasks->transfers[i].process, tasks->transfers[i].from);
	functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < tasks->nr_transfers; i++) {
		const struct measure_task_transfer *transfer = &tasks->transfers[i];
		const uint64_t end = not_before(transfer->start, transfer->end);

		if (is_wanted(view, options, transfer))
			measure_step_function_add(&functions[group_of_node(view, panel,
							  transfer->process, transfer->from)],
				transfer->start, end,
				(double)transfer_bytes(tasks, transfer) * ticks / 1e6 /
					(double)(end - transfer->start));
	}
	measure_panel_functions_end(panel, functions);
}

void panel_transfers(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const struct measure_tasks *tasks = view->tasks;

	for (size_t i = 0; i < tasks->nr_transfers; i++) {
		const struct measure_task_transfer *transfer = &tasks->transfers[i];

		if (is_wanted(view, options, transfer))
			measure_panel_add_box(
				panel, (struct measure_task_box){.start = transfer->start,
					       .end = not_before(transfer->start, transfer->end),
					       .group = group_of_node(view, panel,
						       transfer->process, transfer->to),
					       .what = transfer->from,
					       .task = (uint32_t)i,
					       .share = 1});
	}
	measure_panel_sort_boxes(panel);
}

/* -------------------------------------------------------------------------- messages --- */

/* From when its data were ready to when it was over. */
static struct task_span span_exchange(const struct measure_task_view *view, size_t task)
{
	const struct measure_task *of = &view->tasks->tasks[task];
	const uint64_t start = of->ready != MEASURE_TASK_NO_TIME ? of->ready : of->create;

	return (struct task_span){start, not_before(start, measure_task_view_end_of(view, task))};
}

static double bytes_of(const struct measure_tasks *tasks, size_t task)
{
	double bytes = 0;

	for (uint64_t i = tasks->first_accesses[task]; i < tasks->first_accesses[task + 1]; i++)
		bytes += (double)tasks->data[tasks->accesses[i].data].bytes;
	return bytes;
}

/* Rate 0: operations are counted; else bytes / 1e6 in a second of so many ticks. */
static void count_exchanges(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel,
	enum measure_task_exchange kind, double rate)
{
	const struct measure_tasks *tasks = view->tasks;
	struct measure_step_function *functions;
	uint32_t *groups;

	if (!tasks->partners)
		return;
	measure_panel_add_processes(view, options, panel);
	functions = measure_panel_functions_make(panel);
	groups = groups_by_place(view, panel);
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const uint32_t group = group_of_process(view, groups, tasks->tasks[i].process);
		struct task_span span;

		if (group == MEASURE_NONE || measure_task_exchange_of(tasks, i) != kind)
			continue;
		span = span_exchange(view, i);
		if (span.start == MEASURE_TASK_NO_TIME)
			continue;
		measure_step_function_add(&functions[group], span.start, span.end,
			rate > 0 ? bytes_of(tasks, i) / 1e6 * rate / (double)(span.end - span.start)
				 : 1);
	}
	measure_panel_functions_end(panel, functions);
	measure_free(groups);
}

void panel_mpi_bandwidth(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	count_exchanges(view, options, panel, MEASURE_TASK_SENDS,
		(double)view->trace->definitions.clock.resolution);
}

void panel_sends(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	count_exchanges(view, options, panel, MEASURE_TASK_SENDS, 0);
}

void panel_receives(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	count_exchanges(view, options, panel, MEASURE_TASK_RECEIVES, 0);
}
