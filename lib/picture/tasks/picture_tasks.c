/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Panels of tasks, one below the other, with one axis of time from the first task on. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "task_sheet.h"

#define HEAD       17.0 /* title of a panel */
#define GAP        10.0
#define AXIS_ROOM  24.0
#define NAME_SHARE 0.2 /* of the width */
#define LEAST_NAME 12.0
#define MOST_LINES 8 /* in the legend of a panel */

#define USUAL_WIDTH 1200.0

/* How panels of a kind are drawn. */
static const struct {
	double (*height)(const struct task_sheet *sheet, const struct measure_task_panel *panel);
	void (*draw)(const struct task_sheet *sheet, const struct sheet_panel *place);
} drawings[] = {
	[MEASURE_PANEL_LINE] = {task_series_height, task_series_draw},
	[MEASURE_PANEL_AREA] = {task_series_height, task_series_draw},
	[MEASURE_PANEL_HEAT] = {task_series_height, task_series_draw},
	[MEASURE_PANEL_GANTT] = {task_gantt_height, task_gantt_draw},
	[MEASURE_PANEL_BARS] = {task_bars_height, task_bars_draw},
};

/* --------------------------------------------------------------------------- inks --- */

static int compare_executed(const void *left, const void *right, void *data)
{
	const struct measure_task_type *types = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (types[a].executed != types[b].executed)
		return types[a].executed > types[b].executed ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* Types in order of their time. */
static size_t *rank_types(const struct measure_tasks *tasks)
{
	size_t *order = measure_uncleared(tasks->nr_types + 1, sizeof(*order));

	for (size_t i = 0; i < tasks->nr_types; i++)
		order[i] = i;
	qsort_r(order, tasks->nr_types, sizeof(*order), compare_executed, tasks->types);
	return order;
}

static void choose_inks(struct task_sheet *sheet, const size_t *order)
{
	const struct measure_task_view *view = &sheet->tasks->view;

	sheet->type_inks = measure_uncleared(view->nr_types, sizeof(*sheet->type_inks));
	for (size_t i = 0; i < view->nr_types; i++)
		sheet->type_inks[i] = MEASURE_INK_TASK_REST;
	for (size_t i = 0; i < view->tasks->nr_types && i < TASK_NR_INKS; i++)
		sheet->type_inks[order[i]] = (enum measure_ink)(MEASURE_INK_TASK_1 + i);
}

enum measure_ink task_sheet_word_ink(uint32_t what)
{
	return (enum measure_ink)(MEASURE_INK_TASK_1 + what % TASK_NR_INKS);
}

/* ------------------------------------------------------------------------- names --- */

void task_sheet_name_rows(const struct task_sheet *sheet, const struct sheet_panel *place,
	uint32_t nr, const double *tops, task_row_name *name)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN, .keeps_end = true};
	double lowest = 0;
	char text[TASK_ROW_TEXT];

	for (uint32_t row = 0; row < nr; row++) {
		const double base =
			tops[row] + fmin((tops[row + 1] - tops[row]) / 2 + 4, LEAST_NAME);

		if (base - LEAST_NAME < lowest)
			continue;
		measure_canvas_text(sheet->canvas, &style, sheet->names, base,
			sheet->left - sheet->names - 8, name(sheet, place, row, text));
		lowest = base;
	}
}

/* -------------------------------------------------------------------------- panels --- */

/* Entries of names with the ink of each, in lines from (x, y) on; returns their height. */
static double draw_legend(const struct task_sheet *sheet, const char *const *names,
	const enum measure_ink *inks, size_t nr, double x, double y, bool is_drawn)
{
	struct measure_legend_entry *entries = measure_zeroed(nr, sizeof(*entries));
	double height;

	for (size_t i = 0; i < nr; i++)
		entries[i] = (struct measure_legend_entry){.ink = inks[i], .text = names[i]};
	height = measure_legend_draw(
		sheet->canvas, entries, nr, x, y, sheet->left + sheet->width - x, is_drawn);
	measure_free(entries);
	return height;
}

/* What a panel has, by number of the word: of boxes, or of layers of areas. */
static bool panel_has_word(const struct measure_task_panel *panel, uint32_t what)
{
	for (size_t i = 0; i < panel->nr_boxes; i++)
		if (panel->boxes[i].what == what)
			return true;
	for (size_t i = 0; i < panel->nr_groups; i++)
		for (size_t j = 0;
			panel->values && panel->groups[i].what == what && j < panel->nr_columns;
			j++)
			if (panel->values[i * panel->nr_columns + j] > 0)
				return true;
	return false;
}

/* Words of panels that are not coloured by types of tasks; returns how many. */
static size_t find_words(const struct task_sheet *sheet, const struct measure_task_panel *panel,
	const char *names[MOST_LINES], enum measure_ink inks[MOST_LINES],
	char texts[MOST_LINES][32])
{
	size_t nr = 0;

	switch (panel->id) {
	case MEASURE_TASK_PANEL_STATES:
	case MEASURE_TASK_PANEL_OTHER_STATES:
	case MEASURE_TASK_PANEL_STATE_SHARES:
	case MEASURE_TASK_PANEL_TRANSFERS:
	case MEASURE_TASK_PANEL_HANDLES:
	case MEASURE_TASK_PANEL_MEMORY_STATES:
		break;
	default:
		return 0;
	}
	for (uint32_t what = 0; what < TASK_NR_INKS && nr < MOST_LINES; what++) {
		const enum measure_task_panel_id words =
			panel->id == MEASURE_TASK_PANEL_STATE_SHARES    ? MEASURE_TASK_PANEL_STATES
			: panel->id == MEASURE_TASK_PANEL_MEMORY_STATES ? MEASURE_TASK_PANEL_HANDLES
									: panel->id;
		const char *name =
			measure_report_box_word(sheet->tasks, words, what, texts[nr], 32);

		if (!name || !panel_has_word(panel, what))
			continue;
		names[nr] = name;
		inks[nr++] = task_sheet_word_ink(what);
	}
	return nr;
}

/* What lines, bars or boxes are, to the right of the title. */
static void draw_panel_legend(
	const struct task_sheet *sheet, const struct measure_task_panel *panel, double x, double y)
{
	const enum measure_task_panel_kind kind = measure_task_panel_infos[panel->id].kind;
	const bool are_bars = kind == MEASURE_PANEL_BARS;
	const char *names[MOST_LINES];
	enum measure_ink inks[MOST_LINES];
	char texts[MOST_LINES][32];
	size_t nr;

	if (kind != MEASURE_PANEL_LINE && !are_bars) {
		nr = find_words(sheet, panel, names, inks, texts);
		draw_legend(sheet, names, inks, nr, x, y, true);
		return;
	}
	nr = are_bars ? panel->nr_columns : panel->nr_groups;
	nr = nr < MOST_LINES ? nr : MOST_LINES;
	for (size_t i = 0; i < nr; i++) {
		names[i] = are_bars ? panel->columns[i] : panel->groups[i].name;
		inks[i] = (enum measure_ink)(MEASURE_INK_TASK_1 + i);
	}
	if (nr > 1)
		draw_legend(sheet, names, inks, nr, x, y, true);
}

static void draw_head(const struct task_sheet *sheet, const struct sheet_panel *place)
{
	const struct measure_text_style bold = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN, .is_bold = true};
	const struct measure_text_style faint = {
		.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN};
	const struct measure_task_panel_info *info = &measure_task_panel_infos[place->panel->id];
	const double y = place->y - 5, room = sheet->left + sheet->width - sheet->names,
		     title = measure_canvas_text_width(sheet->canvas, &bold, info->title);
	char text[256], step[MEASURE_FIGURE_TEXT];

	text[0] = '\0';
	if (place->panel->values && info->kind != MEASURE_PANEL_BARS)
		snprintf(text, sizeof(text), "%s%sin steps of %s", info->unit,
			*info->unit ? ", " : "",
			measure_figure_seconds(
				(double)place->panel->slices.step /
					(double)sheet->tasks->trace->definitions.clock.resolution,
				step));
	else
		snprintf(text, sizeof(text), "%s", info->unit);
	measure_canvas_text(sheet->canvas, &bold, sheet->names, y, room, info->title);
	measure_canvas_text(
		sheet->canvas, &faint, sheet->names + title + 8, y, room - title - 8, text);
	draw_panel_legend(sheet, place->panel,
		sheet->names + title + measure_canvas_text_width(sheet->canvas, &faint, text) + 32,
		y - 10);
}

static const struct measure_task_panel *chosen_panel(
	const struct measure_picture *picture, size_t index)
{
	const struct measure_task_panel *panel =
		&picture->facts->tasks->panels[picture->options->panels->ids[index]];

	return measure_report_panel_has_content(panel) ? panel : NULL;
}

/* Fills places from `top` on, `scale` times as high as usual; returns the height of all. */
static double lay_panels(
	const struct task_sheet *sheet, struct sheet_panel *places, double top, double scale)
{
	const struct measure_picture *picture = sheet->picture;
	double y = top;
	size_t nr = 0;

	for (size_t i = 0; i < picture->options->panels->nr; i++) {
		const struct measure_task_panel *panel = chosen_panel(picture, i);

		if (!panel)
			continue;
		places[nr] = (struct sheet_panel){.panel = panel,
			.y = y + HEAD,
			.height = scale * drawings[measure_task_panel_infos[panel->id].kind].height(
						  sheet, panel)};
		y = places[nr].y + places[nr].height + GAP;
		nr++;
	}
	return y - top;
}

static size_t count_panels(const struct measure_picture *picture)
{
	size_t nr = 0;

	for (size_t i = 0; i < picture->options->panels->nr; i++)
		nr += chosen_panel(picture, i) != NULL;
	return nr;
}

/* --------------------------------------------------------------------------- sheet --- */

static void choose_window(struct task_sheet *sheet)
{
	const struct measure_picture_options *options = sheet->picture->options;
	const struct measure_task_view *view = &sheet->tasks->view;
	const uint64_t start = sheet->tasks->tasks.start;

	sheet->from = view->zero;
	sheet->until = view->end;
	if (options->has_window) {
		sheet->from = options->from > start ? options->from - start : 0;
		sheet->until = options->until > start ? options->until - start : 0;
	}
	if (sheet->until <= sheet->from)
		sheet->until = sheet->from + 1;
}

static void draw_axis(const struct task_sheet *sheet, double top, double bottom)
{
	const struct measure_task_view *view = &sheet->tasks->view;
	const double resolution = (double)view->trace->definitions.clock.resolution,
		     zero = (double)view->zero;
	const struct measure_axis axis = {.from = ((double)sheet->from - zero) / resolution,
		.until = ((double)sheet->until - zero) / resolution,
		.begin = sheet->left,
		.end = sheet->left + sheet->width,
		.unit = MEASURE_AXIS_SECONDS};

	measure_axis_draw(sheet->canvas, &axis, top, bottom);
}

static double draw_types(
	const struct task_sheet *sheet, const size_t *order, double y, bool is_drawn)
{
	const struct measure_tasks *tasks = &sheet->tasks->tasks;
	const char *names[TASK_NR_INKS];
	enum measure_ink inks[TASK_NR_INKS];
	size_t nr = 0;

	for (size_t i = 0; i < tasks->nr_types && nr < TASK_NR_INKS; i++)
		if (tasks->types[order[i]].executed > 0) {
			names[nr] = tasks->types[order[i]].name;
			inks[nr++] = sheet->type_inks[order[i]];
		}
	return draw_legend(sheet, names, inks, nr, sheet->names, y, is_drawn);
}

static void draw_all(struct task_sheet *sheet, struct sheet_panel *places, size_t nr)
{
	size_t *order = rank_types(&sheet->tasks->tasks);
	struct measure_picture_box box;
	double legend, panels, scale = 1;

	choose_inks(sheet, order);
	legend = draw_types(sheet, order, 0, false);
	panels = lay_panels(sheet, places, 0, 1);
	box = measure_picture_begin(sheet->picture, "Tasks", legend + panels + AXIS_ROOM);
	if (box.height != legend + panels + AXIS_ROOM) { /* the user has another wish */
		const double heads = (double)nr * (HEAD + GAP);

		scale = fmax((box.height - legend - AXIS_ROOM - heads) / (panels - heads), 0.05);
	}
	lay_panels(sheet, places, box.y + legend, scale);
	draw_types(sheet, order, box.y, true);
	draw_axis(sheet, box.y + legend + HEAD, places[nr - 1].y + places[nr - 1].height);
	for (size_t i = 0; i < nr; i++) {
		draw_head(sheet, &places[i]);
		drawings[measure_task_panel_infos[places[i].panel->id].kind].draw(
			sheet, &places[i]);
	}
	measure_free(order);
}

bool measure_picture_draw_tasks(struct measure_picture *picture)
{
	struct task_sheet sheet = {
		.picture = picture, .canvas = &picture->canvas, .tasks = picture->facts->tasks};
	struct sheet_panel *places;
	size_t nr;

	if (!sheet.tasks)
		return false;
	nr = count_panels(picture);
	if (nr == 0)
		return false;
	picture->usual_width = USUAL_WIDTH;
	sheet.names = MEASURE_PICTURE_LEFT;
	sheet.left = sheet.names + NAME_SHARE * measure_picture_width(picture);
	sheet.width = sheet.names + measure_picture_width(picture) - sheet.left;
	choose_window(&sheet);
	places = measure_zeroed(nr, sizeof(*places));
	draw_all(&sheet, places, nr);
	measure_free(places);
	measure_free(sheet.type_inks);
	return true;
}
