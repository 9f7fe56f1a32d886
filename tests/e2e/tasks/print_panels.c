/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints the numbers of panels of task programs: for panels.py.
 * Usage: print_panels ARCHIVE STEP PANEL ...; STEP in ticks, 0: the usual one; PANEL "all": all.
 * Lines of
 *
 *	panel ID FROM UNTIL STEP GROUPS COLUMNS
 *	group NUMBER ROW PROCESS LOCATION CLASS WHAT NAME	of these, indices, -1: none
 *	value GROUP VALUE ...
 *	box GROUP START END WHAT TASK OUTLIER SHARE
 *
 * Times are ticks since the start of the trace. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/task_panels/task_panels.h"
#include "trace/archive/trace.h"

static void print_groups(
	const struct measure_task_view *view, const struct measure_task_panel *panel)
{
	for (size_t i = 0; i < panel->nr_groups; i++) {
		const struct measure_task_panel_group *group = &panel->groups[i];
		const uint32_t location = group->worker == MEASURE_NONE
						  ? MEASURE_NONE
						  : view->tasks->workers[group->worker].location;

		printf("group %zu %" PRIu32 " %" PRId32 " %" PRId32 " %" PRId32 " %" PRId32 " %s\n",
			i, group->row, (int32_t)group->process, (int32_t)location,
			(int32_t)group->class, (int32_t)group->what, group->name);
	}
}

static void print_panel(
	const struct measure_task_view *view, const struct measure_task_panel *panel)
{
	printf("panel %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %zu %zu\n",
		measure_task_panel_infos[panel->id].id, panel->slices.from, panel->slices.until,
		panel->slices.step, panel->nr_groups, panel->nr_columns);
	print_groups(view, panel);
	for (size_t i = 0; panel->values && i < panel->nr_groups; i++) {
		printf("value %zu", i);
		for (size_t j = 0; j < panel->nr_columns; j++)
			printf(" %.17g", panel->values[i * panel->nr_columns + j]);
		putchar('\n');
	}
	for (size_t i = 0; i < panel->nr_boxes; i++) {
		const struct measure_task_box *box = &panel->boxes[i];

		printf("box %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRId32 " %" PRId32 " %d %.9g\n",
			box->group, box->start, box->end, (int32_t)box->what, (int32_t)box->task,
			box->is_outlier, box->share);
	}
}

static void print_panels(const struct measure_task_view *view, uint64_t step, const char *name)
{
	const struct measure_task_panel_options options = {
		.step = step, .process = MEASURE_NONE, .type = MEASURE_NONE};

	for (int id = 0; id < MEASURE_NR_TASK_PANELS; id++) {
		struct measure_task_panel panel;

		if (strcmp(name, "all") != 0 && (int)measure_task_panel_find(name) != id)
			continue;
		measure_task_panel_make(view, (enum measure_task_panel_id)id, &options, &panel);
		print_panel(view, &panel);
		measure_task_panel_free(&panel);
	}
}

int main(int argc, char **argv)
{
	struct measure_findings findings = {.nr_kept_per_check = 0};
	const struct measure_tasks_options options = {.nr_threads = 2};
	struct measure_task_view view;
	struct measure_tasks tasks;
	struct measure_trace *trace = NULL;

	if (argc < 4 || measure_trace_open(argv[1], &findings, &trace) != MEASURE_OK ||
		measure_tasks_read(trace, &options, &tasks) != MEASURE_OK) {
		fprintf(stderr, "print_panels: %s\n", measure_trace_error());
		return 2;
	}
	measure_task_view_make(&view, trace, &tasks);
	for (int i = 3; i < argc; i++)
		print_panels(&view, strtoull(argv[2], NULL, 10), argv[i]);
	measure_task_view_free(&view);
	measure_tasks_free(&tasks);
	measure_trace_close(trace);
	measure_findings_free(&findings);
	return 0;
}
