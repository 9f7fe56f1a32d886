/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of what the area bound says: of processes, of slices, of types and classes, and the
 * progress that it would allow. */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "panels_internal.h"

/* ---------------------------------------------------------------------------- bounds --- */

/* All together first, where there are several. */
static void add_scopes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	if (options->process == MEASURE_NONE && view->nr_processes > 1)
		measure_panel_add_group(panel, "all processes");
	measure_panel_add_processes(view, options, panel);
}

void panel_bounds(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	static const char *const columns[] = {"area bound", "makespan"};

	add_scopes(view, options, panel);
	measure_panel_make_columns(panel, columns, 2);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		const uint32_t process = panel->groups[i].process;

		panel->values[2 * i] =
			measure_panel_seconds(view, measure_task_view_bound(view, process));
		panel->values[2 * i + 1] = measure_panel_seconds(
			view, (double)measure_task_view_makespan(view, process));
	}
}

void panel_summary(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	static const char *const columns[] = {"area bound", "more"};

	measure_panel_add_processes(view, options, panel);
	measure_panel_make_columns(panel, columns, 2);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		const uint32_t process = panel->groups[i].process;
		const double bound = measure_task_view_bound(view, process);

		panel->values[2 * i] = measure_panel_seconds(view, bound);
		panel->values[2 * i + 1] = measure_panel_seconds(
			view, (double)measure_task_view_makespan(view, process) - bound);
	}
}

/* A group for each type and class that has executed it. */
void panel_bound_shares(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	static const char *const columns[] = {"observed", "area bound"};
	const size_t nr_classes = view->tasks->nr_classes;
	struct measure_area area;
	double bound, *shares = measure_zeroed(view->nr_types * nr_classes, sizeof(*shares));
	double *observed = measure_zeroed(view->nr_types * nr_classes, sizeof(*observed));
	bool has_bound;

	measure_task_view_area(view, options->process, &area);
	has_bound = measure_area_bound(&area, &bound, shares);
	for (size_t i = 0; i < view->tasks->nr_tasks; i++) {
		const uint32_t worker = view->tasks->tasks[i].worker;

		if (measure_task_view_is_useful(view, i) &&
			measure_task_view_is_of(
				options->process, view->tasks->workers[worker].process))
			observed[measure_task_view_type(view, i) * nr_classes +
				 view->tasks->workers[worker].class]++;
	}
	for (uint32_t i = 0; i < view->nr_types * nr_classes; i++) {
		char text[256];

		if (!(area.durations[i] >= 0))
			continue;
		snprintf(text, sizeof(text), "%s, %s",
			measure_task_view_type_name(view, i / nr_classes),
			view->tasks->classes[i % nr_classes].name);
		struct measure_task_panel_group *group = measure_panel_add_group(panel, text);

		group->what = i / (uint32_t)nr_classes;
		group->class = i % (uint32_t)nr_classes;
	}
	measure_panel_make_columns(panel, columns, 2);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		const size_t at = panel->groups[i].what * nr_classes + panel->groups[i].class;

		panel->values[2 * i] = observed[at];
		panel->values[2 * i + 1] = has_bound ? shares[at] : NAN;
	}
	measure_free(shares);
	measure_free(observed);
	measure_area_free(&area);
}

/* In ticks: the least time for what was executed in each slice; NAN: there is no bound. */
static void bounds_of_slices(const struct measure_task_view *view, uint32_t process,
	const struct measure_slices *slices, double *bounds)
{
	double *counts = measure_task_view_counts(view, process, slices);
	struct measure_area area;

	measure_task_view_area(view, process, &area);
	for (size_t i = 0; i < slices->nr; i++) {
		for (size_t type = 0; type < view->nr_types; type++)
			area.counts[type] = counts[type * slices->nr + i];
		if (!measure_area_bound(&area, &bounds[i], NULL))
			bounds[i] = NAN;
	}
	measure_area_free(&area);
	measure_free(counts);
}

void panel_bound_slices(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	add_scopes(view, options, panel);
	measure_panel_make_values(panel);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		double *values = &panel->values[i * panel->nr_columns];

		bounds_of_slices(view, panel->groups[i].process, &panel->slices, values);
		for (size_t j = 0; j < panel->slices.nr; j++)
			values[j] /= (double)measure_slice_length(&panel->slices, j);
	}
}

/* -------------------------------------------------------------------------- progress --- */

/* Time that all workers together need for one task of each type: 1 / sum of 1 / mean. */
static double *weights_of_types(const struct measure_task_view *view, uint32_t process)
{
	const struct measure_tasks *tasks = view->tasks;
	double *speeds = measure_zeroed(view->nr_types, sizeof(*speeds));
	double *sums = measure_zeroed(2 * view->nr_types, sizeof(*sums));

	for (size_t w = 0; w < tasks->nr_workers; w++) {
		if (!measure_task_view_is_of(process, tasks->workers[w].process))
			continue;
		for (size_t i = 0; i < 2 * view->nr_types; i++)
			sums[i] = 0;
		for (size_t i = view->first_executed[w]; i < view->first_executed[w + 1]; i++) {
			const size_t type = measure_task_view_type(view, view->executed[i]);

			sums[2 * type]++;
			sums[2 * type + 1] += (double)tasks->tasks[view->executed[i]].executed;
		}
		for (size_t type = 0; type < view->nr_types; type++)
			if (sums[2 * type + 1] > 0)
				speeds[type] += sums[2 * type] / sums[2 * type + 1];
	}
	for (size_t type = 0; type < view->nr_types; type++)
		speeds[type] = speeds[type] > 0 ? 1 / speeds[type] : 0;
	measure_free(sums);
	return speeds;
}

/* Weights of the tasks that had ended at the end of each slice, of that of all. */
static void progress_of(const struct measure_task_view *view, uint32_t process,
	const struct measure_slices *slices, double *values)
{
	const struct measure_tasks *tasks = view->tasks;
	double *weights = weights_of_types(view, process);
	double all = 0, before = 0;

	for (size_t i = 0; i < slices->nr; i++)
		values[i] = 0;
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		const struct measure_task *task = &tasks->tasks[i];
		double weight;

		if (!measure_task_view_is_useful(view, i) ||
			!measure_task_view_is_of(process, tasks->workers[task->worker].process))
			continue;
		weight = weights[measure_task_view_type(view, i)];
		all += weight;
		if (task->end <= slices->from)
			before += weight;
		else if (task->end <= slices->until)
			values[(task->end - slices->from - 1) / slices->step] += weight;
	}
	for (size_t i = 0; i < slices->nr; i++) {
		before += values[i];
		values[i] = all > 0 ? before / all : NAN;
	}
	measure_free(weights);
}

/* The same progress, had each slice taken no longer than its bound: a line through the ends of
 * these, as values at the ends of slices. */
static void ideal_progress(const struct measure_task_view *view, uint32_t process,
	const struct measure_slices *slices, const double *progress, double *values)
{
	double *bounds = measure_zeroed(slices->nr, sizeof(*bounds));
	double time = 0, before = 0;
	size_t at = 0;

	bounds_of_slices(view, process, slices, bounds);
	for (size_t i = 0; i < slices->nr; i++) {
		const double end =
			(double)i * (double)slices->step + (double)measure_slice_length(slices, i);

		while (at < slices->nr && !(time + bounds[at] >= end)) {
			if (isnan(bounds[at]))
				break;
			time += bounds[at];
			before = progress[at++];
		}
		if (at == slices->nr)
			values[i] = before;
		else
			values[i] = before + (progress[at] - before) * (end - time) / bounds[at];
	}
	measure_free(bounds);
}

void panel_progress(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	double *all = measure_zeroed(panel->slices.nr, sizeof(*all));

	measure_panel_add_processes(view, options, panel);
	measure_panel_add_group(panel, "ideal, by the area bound");
	measure_panel_make_values(panel);
	for (size_t i = 0; i + 1 < panel->nr_groups; i++)
		progress_of(view, panel->groups[i].process, &panel->slices,
			&panel->values[i * panel->nr_columns]);
	progress_of(view, options->process, &panel->slices, all);
	ideal_progress(view, options->process, &panel->slices, all,
		&panel->values[(panel->nr_groups - 1) * panel->nr_columns]);
	measure_free(all);
}
