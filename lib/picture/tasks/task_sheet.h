/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A picture of panels of tasks in the making: one below the other, with one axis of time. */
#ifndef MEASURE_PICTURE_TASKS_TASK_SHEET_H
#define MEASURE_PICTURE_TASKS_TASK_SHEET_H

#include "picture/picture_internal.h"
#include "report/tasks/report_tasks.h"

/* More lines or types than this look the same. */
#define TASK_NR_INKS (MEASURE_INK_TASK_REST - MEASURE_INK_TASK_1)

struct task_sheet {
	struct measure_picture *picture;
	struct measure_canvas *canvas;
	const struct measure_report_tasks *tasks;
	uint64_t from, until; /* ticks since the start of the trace */
	double names;         /* x of the names of rows */
	double left, width;   /* of what has a time */
	enum measure_ink *type_inks;
};

/* A panel and its place on the sheet, below its title. */
struct sheet_panel {
	const struct measure_task_panel *panel;
	double y, height;
};

/* x of a time; outside of the window it is outside of the panel. */
static inline double task_sheet_x(const struct task_sheet *sheet, uint64_t ticks)
{
	const double length = (double)(sheet->until - sheet->from);

	return sheet->left + ((double)ticks - (double)sheet->from) / length * sheet->width;
}

/* Names of rows, as many as have room, from (sheet->names, y) on, each `each` high. */
typedef const char *task_row_name(
	const struct task_sheet *sheet, const struct sheet_panel *place, uint32_t row, char *text);
#define TASK_ROW_TEXT 512
void task_sheet_name_rows(const struct task_sheet *sheet, const struct sheet_panel *place,
	uint32_t nr, const double *tops, task_row_name *name);

/* The colour of a word of a panel that has nothing to do with types, such as a state. */
enum measure_ink task_sheet_word_ink(uint32_t what);

/* How high a panel is, and drawing it. task_gantt.c, task_series.c */
double task_gantt_height(const struct task_sheet *sheet, const struct measure_task_panel *panel);
void task_gantt_draw(const struct task_sheet *sheet, const struct sheet_panel *place);
double task_series_height(const struct task_sheet *sheet, const struct measure_task_panel *panel);
void task_series_draw(const struct task_sheet *sheet, const struct sheet_panel *place);
double task_bars_height(const struct task_sheet *sheet, const struct measure_task_panel *panel);
void task_bars_draw(const struct task_sheet *sheet, const struct sheet_panel *place);

#endif
