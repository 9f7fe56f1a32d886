/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of numbers: lines, stacked areas and heat maps over time, and bars. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "task_sheet.h"

#define LINE_HEIGHT  84.0
#define ROW_HEIGHT   20.0
#define HEAT_HEIGHT  7.0
#define NAMED_HEIGHT 13.0 /* of a row of a heat map whose name has room */
#define MOST_NAMED   20
#define MOST_HEIGHT  320.0
#define FILLED       0.9 /* of the row of an area */
#define BAR_HEIGHT   17.0
#define MOST_BARS    40
#define BAR_TEXT     66.0 /* room for a value behind the longest bar */

static uint32_t nr_rows(const struct measure_task_panel *panel)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < panel->nr_groups; i++)
		nr = panel->groups[i].row >= nr ? panel->groups[i].row + 1 : nr;
	return nr;
}

static enum measure_task_panel_kind kind_of(const struct measure_task_panel *panel)
{
	return measure_task_panel_infos[panel->id].kind;
}

double task_series_height(const struct task_sheet *sheet, const struct measure_task_panel *panel)
{
	(void)sheet;
	switch (kind_of(panel)) {
	case MEASURE_PANEL_AREA:
		return fmin(MOST_HEIGHT, fmax(60, ROW_HEIGHT * nr_rows(panel)));
	case MEASURE_PANEL_HEAT:
		return fmin(MOST_HEIGHT,
			fmax(20, (panel->nr_groups <= MOST_NAMED ? NAMED_HEIGHT : HEAT_HEIGHT) *
					 (double)panel->nr_groups));
	default:
		return LINE_HEIGHT;
	}
}

/* x where a slice begins, or where the last one ends. */
static double slice_x(
	const struct task_sheet *sheet, const struct measure_task_panel *panel, size_t slice)
{
	const uint64_t time = slice < panel->slices.nr
				      ? panel->slices.from + slice * panel->slices.step
				      : panel->slices.until;

	return fmin(fmax(task_sheet_x(sheet, time), sheet->left), sheet->left + sheet->width);
}

static bool slice_is_seen(
	const struct task_sheet *sheet, const struct measure_task_panel *panel, size_t slice)
{
	return slice_x(sheet, panel, slice + 1) > slice_x(sheet, panel, slice);
}

static double greatest(const struct task_sheet *sheet, const struct measure_task_panel *panel)
{
	double most = 0;

	for (size_t i = 0; i < panel->nr_groups; i++)
		for (size_t j = 0; j < panel->nr_columns; j++)
			if (panel->values[i * panel->nr_columns + j] > most &&
				slice_is_seen(sheet, panel, j))
				most = panel->values[i * panel->nr_columns + j];
	return most;
}

/* --------------------------------------------------------------------------- lines --- */

static enum measure_ink line_ink(size_t group)
{
	return group < TASK_NR_INKS ? (enum measure_ink)(MEASURE_INK_TASK_1 + group)
				    : MEASURE_INK_TASK_REST;
}

static void draw_line(const struct task_sheet *sheet, const struct measure_task_panel *panel,
	const double *values, const struct measure_axis *axis)
{
	cairo_t *cairo = sheet->canvas->cairo;
	bool is_open = false;

	cairo_new_path(cairo);
	for (size_t j = 0; j < panel->nr_columns; j++) {
		const double x = slice_x(sheet, panel, j), y = measure_axis_place(axis, values[j]);

		if (isnan(values[j]) || !slice_is_seen(sheet, panel, j)) {
			is_open = false;
			continue;
		}
		if (is_open)
			cairo_line_to(cairo, x, y);
		else
			cairo_move_to(cairo, x, y);
		cairo_line_to(cairo, slice_x(sheet, panel, j + 1), y);
		is_open = true;
	}
	cairo_set_line_width(cairo, 1.2);
	cairo_stroke(cairo);
}

static enum measure_axis_unit unit_of(const struct measure_task_panel *panel)
{
	const char *unit = measure_task_panel_infos[panel->id].unit;

	return !strcmp(unit, "share") ? MEASURE_AXIS_SHARES
	       : !strcmp(unit, "s")   ? MEASURE_AXIS_SECONDS
				      : MEASURE_AXIS_NUMBER;
}

static void draw_lines(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_task_panel *panel = place->panel;
	const double most = greatest(sheet, panel);
	const struct measure_axis axis = {.until = most > 0 ? most : 1,
		.begin = place->y + place->height,
		.end = place->y,
		.unit = unit_of(panel)};

	measure_axis_draw_upright(sheet->canvas, &axis, sheet->left, sheet->left + sheet->width);
	for (size_t i = 0; i < panel->nr_groups; i++) {
		measure_canvas_ink(sheet->canvas, line_ink(i));
		draw_line(sheet, panel, &panel->values[i * panel->nr_columns], &axis);
	}
}

/* ------------------------------------------------------------------- areas and heat --- */

static enum measure_ink layer_ink(const struct task_sheet *sheet,
	const struct measure_task_panel *panel, const struct measure_task_panel_group *group)
{
	switch (panel->id) {
	case MEASURE_TASK_PANEL_SPACE_TIME_STATIC:
	case MEASURE_TASK_PANEL_SPACE_TIME_NODES:
		return group->what < sheet->tasks->view.nr_types ? sheet->type_inks[group->what]
								 : MEASURE_INK_TASK_REST;
	default:
		return task_sheet_word_ink(group->what == MEASURE_NONE
						   ? (uint32_t)(group - panel->groups)
						   : group->what);
	}
}

/* The greatest sum of what is stacked. */
static double greatest_sum(const struct measure_task_panel *panel, uint32_t rows)
{
	double *sums = measure_zeroed(rows * panel->nr_columns, sizeof(*sums)), most = 0;

	for (size_t i = 0; i < panel->nr_groups; i++)
		for (size_t j = 0; j < panel->nr_columns; j++) {
			const double value = panel->values[i * panel->nr_columns + j];
			double *sum = &sums[panel->groups[i].row * panel->nr_columns + j];

			*sum += value > 0 ? value : 0;
			most = fmax(most, *sum);
		}
	measure_free(sums);
	return most;
}

static void draw_areas(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_task_panel *panel = place->panel;
	const uint32_t rows = nr_rows(panel);
	const double each = place->height / rows, most = greatest_sum(panel, rows),
		     scale = most > 0 ? FILLED * each / most : 0;
	double *below = measure_zeroed(rows * panel->nr_columns, sizeof(*below));

	for (size_t i = 0; i < panel->nr_groups; i++) {
		const struct measure_task_panel_group *group = &panel->groups[i];
		const double bottom = place->y + (group->row + 1) * each;

		measure_canvas_ink(sheet->canvas, layer_ink(sheet, panel, group));
		for (size_t j = 0; j < panel->nr_columns; j++) {
			const double value = panel->values[i * panel->nr_columns + j],
				     x = slice_x(sheet, panel, j);
			double *base = &below[group->row * panel->nr_columns + j];

			if (!(value > 0) || !slice_is_seen(sheet, panel, j))
				continue;
			*base += value;
			measure_canvas_rectangle(sheet->canvas, x, bottom - *base * scale,
				slice_x(sheet, panel, j + 1) - x + 0.5, value * scale);
		}
	}
	measure_free(below);
}

/* The more, the darker; slices that look the same are one rectangle. */
static void draw_heat(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_task_panel *panel = place->panel;
	const double most = greatest(sheet, panel), each = place->height / (double)panel->nr_groups;
	const double gap = each >= 4 ? 0.5 : 0;
	const int levels = 32;

	for (size_t i = 0; i < panel->nr_groups; i++) {
		const double *values = &panel->values[i * panel->nr_columns];

		for (size_t j = 0, next; j < panel->nr_columns; j = next) {
			const int level = values[j] > 0 ? (int)ceil(values[j] / most * levels) : 0;
			const double x = slice_x(sheet, panel, j);

			for (next = j + 1;
				next < panel->nr_columns &&
				(values[next] > 0 ? (int)ceil(values[next] / most * levels) : 0) ==
					level;
				next++)
				;
			measure_canvas_shade(
				sheet->canvas, MEASURE_INK_MEMORY, 0.06 + 0.94 * level / levels);
			measure_canvas_rectangle(sheet->canvas, x, place->y + (double)i * each,
				slice_x(sheet, panel, next) - x, each - gap);
		}
	}
}

static const char *group_name(
	const struct task_sheet *sheet, const struct sheet_panel *place, uint32_t row, char *text)
{
	(void)sheet;
	(void)text;
	return place->panel->groups[row].name;
}

static const char *area_row_name(
	const struct task_sheet *sheet, const struct sheet_panel *place, uint32_t row, char *text)
{
	return measure_report_row_name(sheet->tasks, place->panel, row, text, TASK_ROW_TEXT);
}

static void name_rows(const struct task_sheet *sheet, const struct sheet_panel *place, uint32_t nr,
	double height, task_row_name *name)
{
	double *tops = measure_uncleared(nr + 1, sizeof(*tops));

	for (uint32_t i = 0; i <= nr; i++)
		tops[i] = place->y + height * i / nr;
	task_sheet_name_rows(sheet, place, nr, tops, name);
	measure_free(tops);
}

void task_series_draw(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const uint32_t rows = nr_rows(place->panel);

	switch (kind_of(place->panel)) {
	case MEASURE_PANEL_AREA:
		/* slices beside each other would have seams */
		cairo_set_antialias(sheet->canvas->cairo, CAIRO_ANTIALIAS_NONE);
		draw_areas(sheet, place);
		cairo_set_antialias(sheet->canvas->cairo, CAIRO_ANTIALIAS_DEFAULT);
		name_rows(sheet, place, rows, place->height, area_row_name);
		break;
	case MEASURE_PANEL_HEAT:
		draw_heat(sheet, place);
		name_rows(sheet, place, rows, place->height, group_name);
		break;
	default:
		draw_lines(sheet, place);
	}
}

/* ---------------------------------------------------------------------------- bars --- */

static uint32_t nr_bars(const struct measure_task_panel *panel)
{
	return panel->nr_groups < MOST_BARS ? (uint32_t)panel->nr_groups : MOST_BARS;
}

double task_bars_height(const struct task_sheet *sheet, const struct measure_task_panel *panel)
{
	(void)sheet;
	return BAR_HEIGHT * nr_bars(panel);
}

static const char *bar_value(const struct measure_task_panel *panel, double value, char *text)
{
	const char *unit = measure_task_panel_infos[panel->id].unit;

	if (!strcmp(unit, "s"))
		return measure_figure_seconds(value, text);
	snprintf(text, MEASURE_FIGURE_TEXT, "%.4g %s", value, unit);
	return text;
}

static void write_values(const struct task_sheet *sheet, const struct measure_task_panel *panel,
	uint32_t group, double x, double y)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN};
	const double *values = &panel->values[group * panel->nr_columns];
	char text[MEASURE_FIGURE_TEXT];

	for (size_t j = 0; j < panel->nr_columns; j++)
		if (!isnan(values[j])) {
			measure_canvas_text(sheet->canvas, &style, x, y, BAR_TEXT,
				bar_value(panel, values[j], text));
			x += BAR_TEXT;
		}
}

/* The first column is a bar, the others are marks on its line. */
void task_bars_draw(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_task_panel *panel = place->panel;
	const uint32_t nr = nr_bars(panel);
	double most = 0;

	for (size_t i = 0; i < nr * panel->nr_columns; i++)
		most = fmax(most, isnan(panel->values[i]) ? 0 : panel->values[i]);
	for (uint32_t i = 0; i < nr && most > 0; i++) {
		const double *values = &panel->values[i * panel->nr_columns];
		const double scale = (sheet->width - BAR_TEXT * (double)panel->nr_columns) / most,
			     y = place->y + BAR_HEIGHT * i;
		double end = 0;

		for (size_t j = 0; j < panel->nr_columns; j++) {
			if (isnan(values[j]))
				continue;
			measure_canvas_ink(sheet->canvas, line_ink(j));
			if (j == 0)
				measure_canvas_rectangle(sheet->canvas, sheet->left, y + 2,
					values[j] * scale, BAR_HEIGHT - 5);
			else
				measure_canvas_rectangle(sheet->canvas,
					sheet->left + values[j] * scale - 1.5, y, 3,
					BAR_HEIGHT - 1);
			end = fmax(end, values[j] * scale);
		}
		write_values(sheet, panel, i, sheet->left + end + 6, y + BAR_HEIGHT - 6);
	}
	name_rows(sheet, place, nr, place->height, group_name);
}
