/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of what workers, and threads beside them, do when they execute no task. */
#include "config.h"

#include "panels_internal.h"

static void add_interval_box(struct measure_task_panel *panel,
	const struct measure_worker_interval *interval, uint32_t group)
{
	measure_panel_add_box(panel, (struct measure_task_box){.start = interval->start,
					     .end = interval->end,
					     .group = group,
					     .what = interval->state,
					     .task = MEASURE_NONE,
					     .share = 1});
}

/* Group of each worker, or MEASURE_NONE; to be freed. */
static uint32_t *groups_by_worker(
	const struct measure_task_view *view, const struct measure_task_panel *panel)
{
	uint32_t *groups = measure_zeroed(view->tasks->nr_workers, sizeof(*groups));

	for (size_t i = 0; i < view->tasks->nr_workers; i++)
		groups[i] = MEASURE_NONE;
	for (uint32_t i = 0; i < panel->nr_groups; i++)
		groups[panel->groups[i].worker] = i;
	return groups;
}

void panel_states(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const struct measure_tasks *tasks = view->tasks;
	uint32_t *groups;

	if (tasks->nr_intervals == 0)
		return;
	measure_panel_add_workers(view, options, panel);
	groups = groups_by_worker(view, panel);
	for (size_t i = 0; i < tasks->nr_intervals; i++) {
		const uint32_t worker = tasks->intervals[i].worker;

		if (worker != MEASURE_NONE && groups[worker] != MEASURE_NONE)
			add_interval_box(panel, &tasks->intervals[i], groups[worker]);
	}
	measure_panel_sort_boxes(panel);
	measure_free(groups);
}

void panel_state_shares(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const struct measure_tasks *tasks = view->tasks;
	struct measure_step_function *functions;
	double nr_workers = 0;

	for (size_t i = 0; i < tasks->nr_workers; i++)
		nr_workers += measure_task_view_is_of(options->process, tasks->workers[i].process);
	if (tasks->nr_intervals == 0 || nr_workers <= 0)
		return;
	for (uint32_t state = 0; state < MEASURE_NR_WORKER_STATES; state++) {
		struct measure_task_panel_group *group =
			measure_panel_add_group(panel, measure_worker_states[state]);

		group->row = 0;
		group->what = state;
	}
	functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < tasks->nr_intervals; i++) {
		const struct measure_worker_interval *interval = &tasks->intervals[i];

		if (interval->worker != MEASURE_NONE &&
			measure_task_view_is_of(
				options->process, tasks->workers[interval->worker].process))
			measure_step_function_add(&functions[interval->state], interval->start,
				interval->end, 1 / nr_workers);
	}
	measure_panel_functions_end(panel, functions);
}

static uint32_t add_location(
	const struct measure_task_view *view, struct measure_task_panel *panel, uint32_t location)
{
	const struct measure_definitions *definitions = &view->trace->definitions;
	const uint32_t process = definitions->locations[location].group;
	struct measure_task_panel_group *group;

	group = measure_panel_add_group(panel, measure_task_view_location_name(view, location));
	group->process = process;
	return group->row;
}

/* Intervals of a location stand together. */
void panel_other_states(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	const struct measure_tasks *tasks = view->tasks;
	uint32_t location = MEASURE_NONE, group = MEASURE_NONE;

	for (size_t i = 0; i < tasks->nr_intervals; i++) {
		const struct measure_worker_interval *interval = &tasks->intervals[i];

		if (interval->worker != MEASURE_NONE ||
			!measure_task_view_is_of(options->process,
				view->trace->definitions.locations[interval->location].group))
			continue;
		if (interval->location != location)
			group = add_location(view, panel, interval->location);
		location = interval->location;
		add_interval_box(panel, interval, group);
	}
	measure_panel_sort_boxes(panel);
}
