/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the functions of panels.def share. */
#ifndef MEASURE_ANALYSIS_TASK_PANELS_PANELS_INTERNAL_H
#define MEASURE_ANALYSIS_TASK_PANELS_PANELS_INTERNAL_H

#include "task_panels.h"

#define PANEL(NAME, id, starvz, title, unit, KIND, function)                                       \
	void function(const struct measure_task_view *view,                                        \
		const struct measure_task_panel_options *options,                                  \
		struct measure_task_panel *panel);
#include "panels.def"
#undef PANEL

/* ------------------------------------------------------------------------- groups --- */

/* The next group, a row of its own. The name is copied. */
struct measure_task_panel_group *measure_panel_add_group(
	struct measure_task_panel *panel, const char *name);

/* "rank 0", or of a run of one process only the second half. */
void measure_panel_name_in_process(const struct measure_task_view *view, uint32_t process,
	const char *name, char *text, size_t size);

/* One for each process, worker, or class of a process that options ask for. */
void measure_panel_add_processes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel);
void measure_panel_add_workers(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel);
void measure_panel_add_classes(const struct measure_task_view *view,
	const struct measure_task_panel_options *options, struct measure_task_panel *panel);

/* ------------------------------------------------------------------------- values --- */

/* Zeroed, for all groups: of slices, or of named columns. */
void measure_panel_make_values(struct measure_task_panel *panel);
void measure_panel_make_columns(
	struct measure_task_panel *panel, const char *const *columns, size_t nr_columns);

/* A step function for each group; their means become the values. */
struct measure_step_function *measure_panel_functions_make(const struct measure_task_panel *panel);
void measure_panel_functions_end(
	struct measure_task_panel *panel, struct measure_step_function *functions);

/* Cut to the window; of which nothing is left there is not added. */
void measure_panel_add_box(struct measure_task_panel *panel, struct measure_task_box box);

/* By group and start. */
void measure_panel_sort_boxes(struct measure_task_panel *panel);

double measure_panel_seconds(const struct measure_task_view *view, double ticks);

#endif
