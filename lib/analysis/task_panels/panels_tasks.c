/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of tasks on their workers: iterations, space and time with its aggregations, idleness,
 * utilisation. */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "panels_internal.h"

/* What has been chosen: the fence that the view has, or a regression. */
static uint8_t *outliers_of(
	const struct measure_task_view *view, const struct measure_task_panel_options *options)
{
	uint8_t *is_outlier;

	if (options->has_model)
		return measure_task_outliers(view, options->model);
	is_outlier = measure_zeroed(view->tasks->nr_tasks, sizeof(*is_outlier));
	memcpy(is_outlier, view->is_outlier, view->tasks->nr_tasks * sizeof(*is_outlier));
	return is_outlier;
}

/* ---------------------------------------------------------------------- iteration --- */

static bool is_of_process(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, size_t task)
{
	const struct measure_tasks *tasks = view->tasks;

	return measure_task_view_is_of(
		options->process, tasks->workers[tasks->tasks[task].worker].process);
}

void panel_iteration(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	size_t nr;
	uint32_t *iterations = measure_task_view_iterations(view, &nr);
	uint8_t *is_outlier = outliers_of(view, options);
	char text[32];

	for (size_t i = 0; i < nr; i++) {
		snprintf(text, sizeof(text), "%u", iterations[i]);
		measure_panel_add_group(panel, text)->what = iterations[i];
	}
	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		const struct measure_task *task = &view->tasks->tasks[i];

		if (task->iteration != MEASURE_NONE && measure_task_view_is_useful(view, i) &&
			is_of_process(view, options, i))
			measure_panel_add_box(
				panel, (struct measure_task_box){.start = task->start,
					       .end = task->end,
					       .group = measure_task_view_find_iteration(
						       iterations, nr, task->iteration),
					       .what = measure_task_view_type(view, i),
					       .task = (uint32_t)i,
					       .is_outlier = is_outlier[i],
					       .share = 1});
	}
	measure_panel_sort_boxes(panel);
	measure_free(iterations);
	measure_free(is_outlier);
}

/* ------------------------------------------------------------------ space and time --- */

/* Pieces of tasks of a worker on their way to boxes or step functions. */
struct piece_target {
	const struct measure_task_view *view;
	struct measure_task_panel *panel;
	const uint8_t *is_outlier;
	uint32_t group;        /* of the worker; with types the first one of its row */
	const uint32_t *ranks; /* of types in a row */
	struct measure_step_function *functions;
	double height;
};

static void add_piece_box(void *data, uint32_t task, uint64_t start, uint64_t end)
{
	const struct piece_target *target = data;

	measure_panel_add_box(
		target->panel, (struct measure_task_box){.start = start,
				       .end = end,
				       .group = target->group,
				       .what = measure_task_view_type(target->view, task),
				       .task = task,
				       .is_outlier = target->is_outlier[task],
				       .share = 1});
}

void panel_space_time(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	uint8_t *is_outlier = outliers_of(view, options);
	struct piece_target target = {.view = view, .panel = panel, .is_outlier = is_outlier};

	measure_panel_add_workers(view, options, panel);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		target.group = (uint32_t)i;
		measure_task_view_walk(view, panel->groups[i].worker, add_piece_box, &target);
	}
	measure_free(is_outlier);
}

/* -------------------------------------------------------------------- aggregations --- */

static void add_piece_of_type(void *data, uint32_t task, uint64_t start, uint64_t end)
{
	const struct piece_target *target = data;
	const uint32_t type = target->ranks[measure_task_view_type(target->view, task)];

	measure_step_function_add(
		&target->functions[target->group + type], start, end, target->height);
}

static bool is_executed(const struct measure_task_view *view, uint32_t type)
{
	const size_t nr_classes = view->tasks->nr_classes;

	for (size_t class = 0; class < nr_classes; class ++)
		if (view->durations[type * nr_classes + class].nr > 0)
			return measure_task_view_type_is_application(view, type);
	return false;
}

/* Splits each group into one for each type of application tasks that have been executed; returns
 * how many these are, and which place each type has among them. */
static uint32_t split_by_type(const struct measure_task_view *view,
	struct measure_task_panel *panel, const struct measure_task_panel *rows, uint32_t *ranks)
{
	uint32_t nr = 0;

	for (uint32_t type = 0; type < view->nr_types; type++)
		ranks[type] = is_executed(view, type) ? nr++ : MEASURE_NONE;
	for (size_t i = 0; i < rows->nr_groups; i++)
		for (uint32_t type = 0; type < view->nr_types; type++) {
			struct measure_task_panel_group *group;

			if (ranks[type] == MEASURE_NONE)
				continue;
			group = measure_panel_add_group(
				panel, measure_task_view_type_name(view, type));
			group->row = (uint32_t)i;
			group->process = rows->groups[i].process;
			group->worker = rows->groups[i].worker;
			group->class = rows->groups[i].class;
			group->what = type;
		}
	return nr;
}

void panel_space_time_static(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct measure_task_panel rows = {.slices = panel->slices};
	uint32_t *ranks = measure_zeroed(view->nr_types, sizeof(*ranks));
	struct piece_target target = {.view = view, .height = 1, .ranks = ranks};
	uint32_t nr;

	measure_panel_add_workers(view, options, &rows);
	nr = split_by_type(view, panel, &rows, ranks);
	target.functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < rows.nr_groups; i++) {
		target.group = (uint32_t)i * nr;
		measure_task_view_walk(view, rows.groups[i].worker, add_piece_of_type, &target);
	}
	measure_panel_functions_end(panel, target.functions);
	measure_task_panel_free(&rows);
	measure_free(ranks);
}

static uint32_t count_workers(
	const struct measure_task_view *view, uint32_t process, uint32_t class)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < view->tasks->nr_workers; i++)
		nr += view->tasks->workers[i].process == process &&
		      view->tasks->workers[i].class == class;
	return nr;
}

void panel_space_time_nodes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct measure_task_panel rows = {.slices = panel->slices};
	uint32_t *ranks = measure_zeroed(view->nr_types, sizeof(*ranks));
	struct piece_target target = {.view = view, .ranks = ranks};
	uint32_t nr;

	measure_panel_add_classes(view, options, &rows);
	nr = split_by_type(view, panel, &rows, ranks);
	target.functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < rows.nr_groups; i++) {
		const struct measure_task_panel_group *row = &rows.groups[i];

		target.group = (uint32_t)i * nr;
		target.height = 1.0 / count_workers(view, row->process, row->class);
		for (uint32_t w = 0; w < view->tasks->nr_workers; w++)
			if (view->tasks->workers[w].process == row->process &&
				view->tasks->workers[w].class == row->class)
				measure_task_view_walk(view, w, add_piece_of_type, &target);
	}
	measure_panel_functions_end(panel, target.functions);
	measure_task_panel_free(&rows);
	measure_free(ranks);
}

/* ------------------------------------------------------------------------- merging --- */

/* Short tasks that follow each other on a worker, one box together. */
struct merge {
	struct piece_target target;
	uint64_t least_pure;
	uint64_t start, end; /* of the open chunk; equal: there is none */
	double *by_type;     /* ticks in it */
};

static void merge_close(struct merge *merge)
{
	for (uint32_t type = 0; merge->end > merge->start && type < merge->target.view->nr_types;
		type++) {
		if (merge->by_type[type] > 0)
			measure_panel_add_box(merge->target.panel,
				(struct measure_task_box){.start = merge->start,
					.end = merge->end,
					.group = merge->target.group,
					.what = type,
					.task = MEASURE_NONE,
					.share = (float)(merge->by_type[type] /
							 (double)(merge->end - merge->start))});
		merge->by_type[type] = 0;
	}
	merge->start = merge->end = 0;
}

static void merge_piece(void *data, uint32_t task, uint64_t start, uint64_t end)
{
	struct merge *merge = data;

	if (end - start > merge->least_pure || merge->target.is_outlier[task]) {
		merge_close(merge);
		add_piece_box(&merge->target, task, start, end);
		return;
	}
	if (merge->end > 0 && start - merge->end > merge->least_pure)
		merge_close(merge);
	if (merge->end == 0)
		merge->start = start;
	merge->end = end;
	merge->by_type[measure_task_view_type(merge->target.view, task)] += (double)(end - start);
}

static uint64_t longest_outlier(const struct measure_task_view *view, const uint8_t *is_outlier)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < view->tasks->nr_tasks; i++)
		if (is_outlier[i] && view->tasks->tasks[i].executed > longest)
			longest = view->tasks->tasks[i].executed;
	return longest;
}

void panel_space_time_dynamic(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	uint8_t *is_outlier = outliers_of(view, options);
	struct merge merge = {.target = {.view = view, .panel = panel, .is_outlier = is_outlier},
		.least_pure = options->least_pure ? options->least_pure
						  : longest_outlier(view, is_outlier),
		.by_type = measure_zeroed(view->nr_types, sizeof(*merge.by_type))};

	measure_panel_add_workers(view, options, panel);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		merge.target.group = (uint32_t)i;
		measure_task_view_walk(view, panel->groups[i].worker, merge_piece, &merge);
		merge_close(&merge);
	}
	measure_free(merge.by_type);
	measure_free(is_outlier);
}

/* --------------------------------------------------------------------- utilisation --- */

static void add_piece(void *data, uint32_t task, uint64_t start, uint64_t end)
{
	const struct piece_target *target = data;

	(void)task;
	measure_step_function_add(&target->functions[target->group], start, end, 1);
}

void panel_utilisation(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct piece_target target = {.view = view};

	measure_panel_add_workers(view, options, panel);
	target.functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		target.group = (uint32_t)i;
		measure_task_view_walk(view, panel->groups[i].worker, add_piece, &target);
	}
	measure_panel_functions_end(panel, target.functions);
}

/* The window of all workers counts, also of those that come to work late. */
void panel_idleness(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	static const char *const columns[] = {"idle"};
	struct measure_task_panel whole = {
		.slices = measure_slices_of(panel->slices.from, panel->slices.until,
			panel->slices.until - panel->slices.from)};

	panel_utilisation(view, options, &whole);
	measure_panel_add_workers(view, options, panel);
	measure_panel_make_columns(panel, columns, 1);
	for (size_t i = 0; i < panel->nr_groups; i++)
		panel->values[i] = 100 * (1 - whole.values[i]);
	measure_task_panel_free(&whole);
}
