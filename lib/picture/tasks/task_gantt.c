/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of boxes: tasks by worker or iteration, states, transfers. What is narrower than a pixel
 * is drawn by column of pixels, in the colour of what takes most of it. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "task_sheet.h"

#define MOST_UNIT   18.0
#define MOST_HEIGHT 420.0
#define PALE        0.5  /* of tasks that are no outliers */
#define LEVELS      6    /* shades of columns that are covered in part */
#define LEAST_NAMED 12.0 /* height of a row whose tasks have names */
#define BOUND_ROOM  14.0 /* above the rows, for the words of bounds */

/* Those of accelerators are twice as high. */
static unsigned units_of(
	const struct task_sheet *sheet, const struct measure_task_panel *panel, uint32_t group)
{
	const uint32_t class = panel->groups[group].class;

	return panel->groups[group].worker != MEASURE_NONE && class != MEASURE_NONE &&
			       measure_report_is_accelerator(sheet->tasks, class)
		       ? 2
		       : 1;
}

static bool has_bounds(const struct measure_task_panel *panel)
{
	return panel->id == MEASURE_TASK_PANEL_SPACE_TIME;
}

static double sum_of_units(const struct task_sheet *sheet, const struct measure_task_panel *panel)
{
	double sum = 0;

	for (uint32_t i = 0; i < panel->nr_groups; i++)
		sum += units_of(sheet, panel, i);
	return sum;
}

double task_gantt_height(const struct task_sheet *sheet, const struct measure_task_panel *panel)
{
	const double units = sum_of_units(sheet, panel);
	const double unit = panel->id == MEASURE_TASK_PANEL_SPACE_TIME  ? MOST_UNIT
			    : panel->id == MEASURE_TASK_PANEL_ITERATION ? 4
									: MOST_UNIT / 2;

	return fmin(MOST_HEIGHT, fmax(units * unit, 40)) + (has_bounds(panel) ? BOUND_ROOM : 0);
}

/* Iterations grow upward; the other rows go down. */
static double *lay_rows(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_task_panel *panel = place->panel;
	const double room = has_bounds(panel) ? BOUND_ROOM : 0;
	const double unit = (place->height - room) / sum_of_units(sheet, panel);
	double *tops = measure_uncleared(panel->nr_groups + 1, sizeof(*tops));

	tops[0] = place->y + room;
	for (uint32_t i = 0; i < panel->nr_groups; i++)
		tops[i + 1] = tops[i] + unit * units_of(sheet, panel, i);
	return tops;
}

static uint32_t row_of(const struct measure_task_panel *panel, uint32_t group)
{
	return panel->id == MEASURE_TASK_PANEL_ITERATION ? (uint32_t)panel->nr_groups - 1 - group
							 : group;
}

/* ------------------------------------------------------------------------- painting --- */

struct lane_painter {
	const struct task_sheet *sheet;
	const struct measure_task_panel *panel;
	double y, height;
	bool has_outliers;
	double *sums; /* by what, of the column */
	uint32_t nr_sums;
	int64_t column;
	/* columns that look the same and are not drawn yet: [begin, end) */
	int64_t begin, end;
	uint32_t what;
	int level;
};

static enum measure_ink ink_of(const struct lane_painter *painter, uint32_t what)
{
	switch (painter->panel->id) {
	case MEASURE_TASK_PANEL_SPACE_TIME:
	case MEASURE_TASK_PANEL_SPACE_TIME_DYNAMIC:
	case MEASURE_TASK_PANEL_ITERATION:
		return painter->sheet->type_inks[what];
	default:
		return task_sheet_word_ink(what);
	}
}

static void painter_draw_columns(struct lane_painter *painter)
{
	struct measure_canvas *canvas = painter->sheet->canvas;
	const double share = (double)painter->level / LEVELS;

	if (painter->end > painter->begin) {
		measure_canvas_shade(canvas, ink_of(painter, painter->what),
			(painter->has_outliers ? PALE : 1) * (0.25 + 0.75 * share));
		measure_canvas_rectangle(canvas, painter->sheet->left + (double)painter->begin,
			painter->y, (double)(painter->end - painter->begin), painter->height);
	}
	painter->begin = painter->end;
}

/* The column that was summed up is complete. */
static void painter_end_column(struct lane_painter *painter)
{
	double most = 0, all = 0;
	uint32_t what = 0;
	int level;

	for (uint32_t i = 0; i < painter->nr_sums; i++) {
		all += painter->sums[i];
		if (painter->sums[i] > most) {
			most = painter->sums[i];
			what = i;
		}
		painter->sums[i] = 0;
	}
	if (all <= 0)
		return;
	level = (int)ceil(fmin(all, 1) * LEVELS);
	if (painter->end != painter->column || painter->what != what || painter->level != level) {
		painter_draw_columns(painter);
		painter->begin = painter->column;
		painter->what = what;
		painter->level = level;
	}
	painter->end = painter->column + 1;
}

/* On the full colour of a task; those that are paler than it take the usual ink. */
static enum measure_ink label_ink(const struct lane_painter *painter, enum measure_ink ink)
{
	if (painter->sheet->canvas->is_dark)
		return MEASURE_INK_LABEL;
	switch (ink) {
	case MEASURE_INK_TASK_2: /* these are dark */
	case MEASURE_INK_TASK_10:
	case MEASURE_INK_TASK_12:
		return MEASURE_INK_BACKGROUND;
	default:
		return MEASURE_INK_TEXT;
	}
}

static void painter_name(const struct lane_painter *painter, const struct measure_task_box *box,
	double x, double width)
{
	const bool is_full = box->is_outlier || !painter->has_outliers;
	const struct measure_text_style style = {
		.ink = is_full ? label_ink(painter, ink_of(painter, box->what)) : MEASURE_INK_TEXT,
		.size = MEASURE_CANVAS_PLAIN};
	struct measure_canvas *canvas = painter->sheet->canvas;
	const char *name;

	if (painter->height < LEAST_NAMED || box->task == MEASURE_NONE ||
		painter->panel->id != MEASURE_TASK_PANEL_SPACE_TIME)
		return;
	name = measure_task_view_type_name(&painter->sheet->tasks->view, box->what);
	if (measure_canvas_text_width(canvas, &style, name) <= width - 6)
		measure_canvas_text(
			canvas, &style, x + 3, painter->y + painter->height / 2 + 4, width, name);
}

static void painter_add(struct lane_painter *painter, const struct measure_task_box *box)
{
	const struct task_sheet *sheet = painter->sheet;
	const double right = sheet->left + sheet->width;
	const double from = fmax(task_sheet_x(sheet, box->start), sheet->left),
		     until = fmin(task_sheet_x(sheet, box->end), right);
	const int64_t column = (int64_t)floor(from - sheet->left);

	if (until <= sheet->left || from >= right)
		return;
	if (until - from < 1 && !box->is_outlier) {
		if (column != painter->column)
			painter_end_column(painter);
		painter->column = column;
		painter->sums[box->what] += until - from;
		return;
	}
	painter_end_column(painter);
	painter_draw_columns(painter);
	measure_canvas_shade(sheet->canvas, ink_of(painter, box->what),
		painter->has_outliers && !box->is_outlier ? PALE : 1);
	measure_canvas_rectangle(sheet->canvas, from,
		painter->y + painter->height * (1 - (double)box->share),
		fmax(until - from - (until - from > 3 ? 0.5 : 0), 0.5),
		painter->height * (double)box->share);
	painter_name(painter, box, from, until - from);
}

static void draw_boxes(
	const struct task_sheet *sheet, const struct measure_task_panel *panel, const double *tops)
{
	struct lane_painter painter = {.sheet = sheet, .panel = panel, .column = -1};
	uint32_t nr = 0;

	for (size_t i = 0; i < panel->nr_boxes; i++) {
		nr = panel->boxes[i].what >= nr ? panel->boxes[i].what + 1 : nr;
		painter.has_outliers |= panel->boxes[i].is_outlier;
	}
	painter.nr_sums = nr;
	painter.sums = measure_zeroed(nr, sizeof(*painter.sums));
	for (size_t i = 0; i < panel->nr_boxes; i++) {
		const uint32_t row = row_of(panel, panel->boxes[i].group);
		const double height = tops[row + 1] - tops[row];

		if (i == 0 || panel->boxes[i].group != panel->boxes[i - 1].group) {
			painter_end_column(&painter);
			painter_draw_columns(&painter);
			painter.y = tops[row];
			painter.height = fmax(height - (height >= 4 ? 1 : 0), 0.5);
			painter.column = painter.begin = painter.end = -1;
		}
		painter_add(&painter, &panel->boxes[i]);
	}
	painter_end_column(&painter);
	painter_draw_columns(&painter);
	measure_free(painter.sums);
}

/* -------------------------------------------------------------------------- bounds --- */

/* So many ticks after the first task. */
struct task_bound {
	const char *name;
	double ticks;
};

/* The latest one first. */
static int compare_bounds(const void *left, const void *right)
{
	const struct task_bound *a = left, *b = right;

	return (a->ticks < b->ticks) - (a->ticks > b->ticks);
}

static double bound_x(const struct task_sheet *sheet, const struct task_bound *bound)
{
	return task_sheet_x(sheet, sheet->tasks->view.zero + (uint64_t)bound->ticks);
}

static bool bound_is_seen(const struct task_sheet *sheet, const struct task_bound *bound)
{
	return bound->ticks > 0 && bound_x(sheet, bound) >= sheet->left &&
	       bound_x(sheet, bound) <= sheet->left + sheet->width + 1;
}

/* To the left of its line and of `room`; returns how far to the left the next one may go. */
static double name_bound(const struct task_sheet *sheet, const struct sheet_panel *place,
	const struct task_bound *bound, double room)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN, .side = MEASURE_TEXT_RIGHT};
	const double resolution = (double)sheet->tasks->trace->definitions.clock.resolution;
	char text[128], figure[MEASURE_FIGURE_TEXT];
	double width;

	snprintf(text, sizeof(text), "%s %s", bound->name,
		measure_figure_seconds(bound->ticks / resolution, figure));
	width = measure_canvas_text_width(sheet->canvas, &style, text);
	room = fmin(bound_x(sheet, bound) - 3, room);
	if (room - width < sheet->left)
		return room;
	measure_canvas_ink(sheet->canvas, MEASURE_INK_BACKGROUND);
	measure_canvas_rectangle(
		sheet->canvas, room - width - 2, place->y, width + 4, BOUND_ROOM - 1);
	measure_canvas_text(sheet->canvas, &style, room, place->y + 10, width + 1, text);
	return room - width - 8;
}

static void draw_bounds(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_report_bound found =
		measure_report_bound_of(sheet->tasks, MEASURE_NONE);
	const double resolution = (double)sheet->tasks->trace->definitions.clock.resolution;
	struct task_bound bounds[] = {{"makespan", found.makespan * resolution},
		{"critical path", (double)sheet->tasks->path.length},
		{"ABE", isnan(found.area) ? 0 : found.area * resolution}};
	const size_t nr = sizeof(bounds) / sizeof(*bounds);
	double room = sheet->left + sheet->width;

	qsort(bounds, nr, sizeof(*bounds), compare_bounds);
	measure_canvas_ink(sheet->canvas, MEASURE_INK_TEXT);
	for (size_t i = 0; i < nr; i++)
		if (bound_is_seen(sheet, &bounds[i]))
			measure_canvas_line(sheet->canvas, bound_x(sheet, &bounds[i]), place->y,
				bound_x(sheet, &bounds[i]), place->y + place->height, 1);
	for (size_t i = 0; i < nr; i++)
		if (bound_is_seen(sheet, &bounds[i]))
			room = name_bound(sheet, place, &bounds[i], room);
}

/* --------------------------------------------------------------------------- names --- */

static const char *gantt_row_name(
	const struct task_sheet *sheet, const struct sheet_panel *place, uint32_t row, char *text)
{
	const struct measure_task_panel *panel = place->panel;
	const uint32_t group = row_of(panel, row), worker = panel->groups[group].worker;
	double idleness;

	if (panel->id != MEASURE_TASK_PANEL_SPACE_TIME || worker == MEASURE_NONE)
		return panel->groups[group].name;
	idleness = measure_report_idleness(sheet->tasks, worker);
	if (isnan(idleness))
		return panel->groups[group].name;
	snprintf(text, TASK_ROW_TEXT, "%s  %.1f %%", panel->groups[group].name, 100 * idleness);
	return text;
}

void task_gantt_draw(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	double *tops = lay_rows(sheet, place);

	measure_canvas_ink(sheet->canvas, MEASURE_INK_EMPTY);
	measure_canvas_rectangle(sheet->canvas, sheet->left, tops[0], sheet->width,
		place->y + place->height - tops[0]);
	draw_boxes(sheet, place->panel, tops);
	if (has_bounds(place->panel))
		draw_bounds(sheet, place);
	task_sheet_name_rows(sheet, place, (uint32_t)place->panel->nr_groups, tops, gantt_row_name);
	measure_free(tops);
}
