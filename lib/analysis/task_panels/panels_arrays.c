/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups, values and boxes of panels; see panels_internal.h. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "panels_internal.h"

#define NAME_TEXT 256

void measure_task_panel_free(struct measure_task_panel *panel)
{
	for (size_t i = 0; i < panel->nr_groups; i++)
		measure_free(panel->groups[i].name);
	measure_free(panel->groups);
	measure_free(panel->values);
	measure_free(panel->boxes);
}

double measure_panel_seconds(const struct measure_task_view *view, double ticks)
{
	return ticks / (double)view->trace->definitions.clock.resolution;
}

/* ------------------------------------------------------------------------- groups --- */

struct measure_task_panel_group *measure_panel_add_group(
	struct measure_task_panel *panel, const char *name)
{
	struct measure_task_panel_group *group = measure_append(panel, groups);

	*group = (struct measure_task_panel_group){.name = measure_copy_text(name),
		.row = (uint32_t)panel->nr_groups - 1,
		.process = MEASURE_NONE,
		.worker = MEASURE_NONE,
		.class = MEASURE_NONE,
		.what = MEASURE_NONE};
	return group;
}

static const char *process_name(const struct measure_task_view *view, uint32_t process)
{
	const struct measure_definitions *definitions = &view->trace->definitions;

	return measure_text(definitions, definitions->location_groups[process].name);
}

void measure_panel_name_in_process(const struct measure_task_view *view, uint32_t process,
	const char *name, char *text, size_t size)
{
	if (view->nr_processes > 1)
		snprintf(text, size, "%s, %s", process_name(view, process), name);
	else
		snprintf(text, size, "%s", name);
}

void measure_panel_add_processes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	for (uint32_t i = 0; i < view->nr_processes; i++)
		if (measure_task_view_is_of(options->process, view->processes[i]))
			measure_panel_add_group(panel, process_name(view, view->processes[i]))
				->process = view->processes[i];
}

void measure_panel_add_workers(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	for (size_t i = 0; i < view->tasks->nr_workers; i++) {
		const struct measure_worker *worker = &view->tasks->workers[i];
		struct measure_task_panel_group *group;

		if (!measure_task_view_is_of(options->process, worker->process))
			continue;
		group = measure_panel_add_group(
			panel, measure_task_view_location_name(view, worker->location));
		group->process = worker->process;
		group->worker = (uint32_t)i;
		group->class = worker->class;
	}
}

static bool process_has_class(
	const struct measure_task_view *view, uint32_t process, uint32_t class)
{
	for (size_t i = 0; i < view->tasks->nr_workers; i++)
		if (view->tasks->workers[i].process == process &&
			view->tasks->workers[i].class == class)
			return true;
	return false;
}

void measure_panel_add_classes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	char text[NAME_TEXT];

	for (uint32_t i = 0; i < view->nr_processes; i++)
		for (uint32_t class = 0; class < view->tasks->nr_classes; class ++) {
			struct measure_task_panel_group *group;

			if (!measure_task_view_is_of(options->process, view->processes[i]) ||
				!process_has_class(view, view->processes[i], class))
				continue;
			measure_panel_name_in_process(view, view->processes[i],
				view->tasks->classes[class].name, text, sizeof(text));
			group = measure_panel_add_group(panel, text);
			group->process = view->processes[i];
			group->class = class;
		}
}

/* ------------------------------------------------------------------------- values --- */

void measure_panel_make_values(struct measure_task_panel *panel)
{
	panel->nr_columns = panel->nr_groups > 0 ? panel->slices.nr : 0;
	panel->values =
		measure_zeroed(panel->nr_groups * panel->nr_columns, sizeof(*panel->values));
}

void measure_panel_make_columns(
	struct measure_task_panel *panel, const char *const *columns, size_t nr_columns)
{
	panel->columns = columns;
	panel->nr_columns = nr_columns;
	panel->values =
		measure_zeroed(panel->nr_groups * panel->nr_columns, sizeof(*panel->values));
}

struct measure_step_function *measure_panel_functions_make(const struct measure_task_panel *panel)
{
	struct measure_step_function *functions =
		measure_zeroed(panel->nr_groups, sizeof(*functions));

	for (size_t i = 0; i < panel->nr_groups; i++)
		measure_step_function_start(&functions[i], &panel->slices);
	return functions;
}

void measure_panel_functions_end(
	struct measure_task_panel *panel, struct measure_step_function *functions)
{
	measure_panel_make_values(panel);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		measure_step_function_means(&functions[i], &panel->values[i * panel->nr_columns]);
		measure_step_function_free(&functions[i]);
	}
	measure_free(functions);
}

void measure_panel_add_box(struct measure_task_panel *panel, struct measure_task_box box)
{
	box.start = box.start > panel->slices.from ? box.start : panel->slices.from;
	box.end = box.end < panel->slices.until ? box.end : panel->slices.until;
	if (box.start < box.end)
		*measure_append(panel, boxes) = box;
}

static int compare_boxes(const void *left, const void *right)
{
	const struct measure_task_box *a = left, *b = right;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->task != b->task)
		return a->task < b->task ? -1 : 1;
	return (a->what > b->what) - (a->what < b->what);
}

void measure_panel_sort_boxes(struct measure_task_panel *panel)
{
	if (panel->nr_boxes > 1)
		qsort(panel->boxes, panel->nr_boxes, sizeof(*panel->boxes), compare_boxes);
}
