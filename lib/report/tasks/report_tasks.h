/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tasks of a run as reports show them: their panels, bounds and critical path. */
#ifndef MEASURE_REPORT_TASKS_REPORT_TASKS_H
#define MEASURE_REPORT_TASKS_REPORT_TASKS_H

#include "analysis/task_panels/task_panels.h"

/* Panels that a user has chosen, in order. */
struct measure_panel_choice {
	enum measure_task_panel_id ids[MEASURE_NR_TASK_PANELS];
	size_t nr; /* 0: nothing was chosen */
};

struct measure_report_tasks {
	struct measure_trace *trace;
	struct measure_tasks tasks;
	struct measure_task_view view;
	struct measure_task_panel panels[MEASURE_NR_TASK_PANELS];
	bool are_made;                  /* the panels */
	struct measure_tasks_path path; /* as observed, with messages */
	uint64_t fastest;    /* length of the path where each task runs on its fastest class */
	uint8_t *is_on_path; /* by task */
	const struct measure_panel_choice *choice;
};

/* NULL: the trace has no tasks that workers executed. What cannot be read is in trace->findings. */
struct measure_report_tasks *measure_report_tasks_read(struct measure_trace *trace,
	unsigned nr_threads, const struct measure_panel_choice *choice);
void measure_report_tasks_free(struct measure_report_tasks *tasks);

/* All panels, or those that are chosen. */
void measure_report_tasks_make_all(struct measure_report_tasks *tasks, unsigned nr_threads);
void measure_report_tasks_make(
	struct measure_report_tasks *tasks, const struct measure_panel_choice *choice);

/* Has it anything to show? Panels that have not been made do not. */
bool measure_report_panel_has_content(const struct measure_task_panel *panel);

/* What is shown where nobody has chosen. */
extern const struct measure_panel_choice measure_panels_usual;

/* Groups that the rows of an area have, as names of rows: what they have in common. */
const char *measure_report_row_name(const struct measure_report_tasks *tasks,
	const struct measure_task_panel *panel, uint32_t row, char *text, size_t size);

/* A group of an area: equal names have equal colours in all rows. */
const char *measure_report_layer_name(const struct measure_report_tasks *tasks,
	const struct measure_task_panel *panel, size_t group);

/* What boxes of a panel are: a word for each number. NULL: there is no such number. */
const char *measure_report_box_word(const struct measure_report_tasks *tasks,
	enum measure_task_panel_id id, uint32_t what, char *text, size_t size);

/* In the panel of bounds: seconds, or NAN. process: location group, or MEASURE_NONE for all. */
struct measure_report_bound {
	double area, makespan;
};

struct measure_report_bound measure_report_bound_of(
	const struct measure_report_tasks *tasks, uint32_t process);

/* Share of the time of all application tasks that a worker spent without one; NAN: not known. */
double measure_report_idleness(const struct measure_report_tasks *tasks, uint32_t worker);

/* Rows of workers of the class are drawn twice as high as those of processors. */
bool measure_report_is_accelerator(const struct measure_report_tasks *tasks, uint32_t class);

#endif
