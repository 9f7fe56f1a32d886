/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of the data that memory nodes have. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "data_states.h"
#include "panels_internal.h"

#define NAME_TEXT 256

static bool is_wanted(const struct measure_task_view *view,
	const struct measure_task_panel_options *options,
	const struct measure_data_interval *interval)
{
	const uint32_t process = view->tasks->data[interval->data].process;

	return process < view->trace->definitions.nr_location_groups &&
	       measure_task_view_is_of(options->process, process);
}

/* -------------------------------------------------------------------------- handles --- */

/* "A 3 4", or the number of the handle. */
static void name_data(const struct measure_tasks *tasks, uint32_t index, char *text, size_t size)
{
	const struct measure_task_data *data = &tasks->data[index];
	int nr = data->name ? snprintf(text, size, "%s", data->name)
			    : snprintf(text, size, "data %" PRIu64, data->handle);

	for (uint32_t i = 0; i < data->nr_coordinates && nr >= 0 && (size_t)nr < size; i++)
		nr += snprintf(text + nr, size - (size_t)nr, " %" PRIu64,
			tasks->coordinates[data->first_coordinate + i]);
}

static uint32_t add_handle(const struct measure_task_view *view, struct measure_task_panel *panel,
	const struct measure_data_interval *interval)
{
	const uint32_t process = view->tasks->data[interval->data].process;
	char data[NAME_TEXT], here[2 * NAME_TEXT], text[3 * NAME_TEXT];
	struct measure_task_panel_group *group;

	name_data(view->tasks, interval->data, data, sizeof(data));
	snprintf(here, sizeof(here), "%s, memory node %u", data, interval->node);
	measure_panel_name_in_process(view, process, here, text, sizeof(text));
	group = measure_panel_add_group(panel, text);
	group->process = process;
	group->what = interval->node;
	return group->row;
}

/* Intervals come by data and node. */
void panel_handles(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	struct measure_data_interval before = {.data = MEASURE_NONE};
	struct measure_data_intervals intervals;
	uint32_t group = 0;

	measure_data_intervals_make(view, &intervals);
	for (size_t i = 0; i < intervals.nr_items; i++) {
		const struct measure_data_interval *interval = &intervals.items[i];

		if (!is_wanted(view, options, interval))
			continue;
		if (interval->data != before.data || interval->node != before.node)
			group = add_handle(view, panel, interval);
		before = *interval;
		measure_panel_add_box(panel, (struct measure_task_box){.start = interval->start,
						     .end = interval->end,
						     .group = group,
						     .what = interval->state,
						     .task = MEASURE_NONE,
						     .share = 1});
	}
	measure_panel_sort_boxes(panel);
	measure_data_intervals_free(&intervals);
}

/* --------------------------------------------------------------------------- memory --- */

/* With states, a row of two groups for each memory node; else one group for each. */
static uint32_t group_of(const struct measure_task_view *view, struct measure_task_panel *panel,
	const struct measure_data_interval *interval, bool has_states)
{
	const uint32_t process = view->tasks->data[interval->data].process;
	const uint32_t step = has_states ? 2 : 1;
	char name[64], text[NAME_TEXT];

	for (uint32_t i = 0; i < panel->nr_groups; i += step)
		if (panel->groups[i].process == process && panel->groups[i].class == interval->node)
			return i + (has_states ? (uint32_t)interval->state : 0);
	for (uint32_t i = 0; i < step; i++) {
		struct measure_task_panel_group *group;

		snprintf(name, sizeof(name), "memory node %u%s", interval->node,
			!has_states               ? ""
			: i == MEASURE_DATA_OWNED ? ", owned"
						  : ", shared");
		measure_panel_name_in_process(view, process, name, text, sizeof(text));
		group = measure_panel_add_group(panel, text);
		group->row -= i;
		group->process = process;
		group->class = interval->node;
		group->what = has_states ? i : interval->node;
	}
	return (uint32_t)panel->nr_groups - step + (has_states ? (uint32_t)interval->state : 0);
}

static void sum_bytes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel,
	bool has_states)
{
	struct measure_data_intervals intervals;
	struct measure_step_function *functions;

	measure_data_intervals_make(view, &intervals);
	for (size_t i = 0; i < intervals.nr_items; i++)
		if (is_wanted(view, options, &intervals.items[i]))
			group_of(view, panel, &intervals.items[i], has_states);
	functions = measure_panel_functions_make(panel);
	for (size_t i = 0; i < intervals.nr_items; i++) {
		const struct measure_data_interval *interval = &intervals.items[i];

		if (is_wanted(view, options, interval))
			measure_step_function_add(
				&functions[group_of(view, panel, interval, has_states)],
				interval->start, interval->end,
				(double)view->tasks->data[interval->data].bytes / 1e6);
	}
	measure_panel_functions_end(panel, functions);
	/* it was the memory node up to here, which is no class of workers */
	for (size_t i = 0; i < panel->nr_groups; i++)
		panel->groups[i].class = MEASURE_NONE;
	measure_data_intervals_free(&intervals);
}

void panel_memory_states(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	sum_bytes(view, options, panel, true);
}

void panel_used_memory(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel)
{
	sum_bytes(view, options, panel, false);
}
