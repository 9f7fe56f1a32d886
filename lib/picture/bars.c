/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Horizontal bars of several pieces, with names before and values behind them. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/short_names.h"
#include "picture_internal.h"

#define ROW        22.0
#define BAR        15.0
#define AXIS_ROOM  22.0
#define GAP        10.0
#define MOST_NAMES 0.42 /* of the width */
#define INDENT     14.0
#define LONG_NAME  48 /* bytes */

struct measure_bar *measure_bars_add(struct measure_bars *bars, const char *name)
{
	struct measure_bar *bar = measure_append(bars, bars);

	*bar = (struct measure_bar){.name = measure_copy_text(name)};
	measure_shorten_names(bar->name, LONG_NAME);
	return bar;
}

void measure_bar_add(struct measure_bar *bar, double value, enum measure_ink ink, bool is_hatched)
{
	if (value > 0 && bar->nr_pieces < MEASURE_BAR_PIECES)
		bar->pieces[bar->nr_pieces++] = (struct measure_bar_piece){value, ink, is_hatched};
}

void measure_bars_explain(
	struct measure_bars *bars, enum measure_ink ink, bool is_hatched, const char *text)
{
	for (size_t i = 0; i < bars->nr_legend; i++)
		if (strcmp(bars->legend[i].text, text) == 0)
			return;
	*measure_append(bars, legend) = (struct measure_legend_entry){ink, is_hatched, text};
}

/* --------------------------------------------------------------------------- layout --- */

struct bars_layout {
	struct measure_picture_box box;
	double names, values; /* widths */
	struct measure_axis axis;
	size_t nr; /* of bars */
};

static const struct measure_text_style name_style = {
	.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN};
static const struct measure_text_style value_style = {
	.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN};

static double bar_length(const struct measure_bar *bar)
{
	double length = 0;

	for (size_t i = 0; i < bar->nr_pieces; i++)
		length += bar->pieces[i].value;
	return length;
}

static void bars_measure(
	struct measure_canvas *canvas, const struct measure_bars *bars, struct bars_layout *layout)
{
	double longest = 0;

	for (size_t i = 0; i < layout->nr; i++) {
		const struct measure_bar *bar = &bars->bars[i];

		layout->names = fmax(
			layout->names, measure_canvas_text_width(canvas, &name_style, bar->name) +
					       INDENT * bar->indent);
		layout->values = fmax(layout->values,
			measure_canvas_text_width(canvas, &value_style, bar->value));
		longest = fmax(longest, bar_length(bar));
	}
	layout->axis.unit = bars->unit;
	layout->axis.until = bars->most > 0 ? bars->most : longest;
}

static void bars_place(struct bars_layout *layout)
{
	const struct measure_picture_box *box = &layout->box;

	layout->names = fmin(layout->names, MOST_NAMES * box->width);
	layout->axis.begin = box->x + layout->names + GAP;
	layout->axis.end =
		fmax(box->x + box->width - layout->values - 2 * GAP, layout->axis.begin + 1);
}

/* -------------------------------------------------------------------------- drawing --- */

static void bar_draw(struct measure_canvas *canvas, const struct bars_layout *layout,
	const struct measure_bar *bar, bool is_path, double y)
{
	struct measure_text_style style = name_style;
	double value = 0, x = layout->axis.begin;

	style.keeps_end = is_path;
	measure_canvas_text(canvas, &style, layout->box.x + INDENT * bar->indent, y + BAR - 3,
		layout->names - INDENT * bar->indent, bar->name);
	for (size_t i = 0; i < bar->nr_pieces; i++) {
		const struct measure_bar_piece *piece = &bar->pieces[i];
		const double from = x;

		value += piece->value;
		x = measure_axis_place(&layout->axis, value);
		measure_canvas_ink(canvas, piece->ink);
		measure_canvas_rectangle(canvas, from, y, x - from, BAR);
		if (piece->is_hatched) {
			cairo_rectangle(canvas->cairo, from, y, x - from, BAR);
			measure_canvas_hatch(canvas);
		}
	}
	measure_canvas_text(canvas, &value_style, x + GAP / 2, y + BAR - 4,
		layout->box.x + layout->box.width - x, bar->value);
}

static void bars_fill(struct measure_picture *picture, const struct measure_bars *bars,
	struct bars_layout *layout, double legend_height)
{
	struct measure_canvas *canvas = &picture->canvas;
	double y = layout->box.y;

	bars_place(layout);
	if (bars->nr_legend > 0)
		measure_legend_draw(canvas, bars->legend, bars->nr_legend, layout->box.x, y,
			layout->box.width, true);
	y += legend_height;
	measure_axis_draw(canvas, &layout->axis, y, y + (double)layout->nr * ROW);
	for (size_t i = 0; i < layout->nr; i++)
		bar_draw(canvas, layout, &bars->bars[i], bars->are_paths,
			y + (double)i * ROW + (ROW - BAR) / 2);
	if (layout->nr < bars->nr_bars)
		snprintf(picture->note, MEASURE_PICTURE_NOTE, "%s more %s are not shown",
			measure_figure(bars->nr_bars - layout->nr), bars->rest);
}

static void bars_free(struct measure_bars *bars)
{
	for (size_t i = 0; i < bars->nr_bars; i++)
		measure_free(bars->bars[i].name);
	measure_free(bars->bars);
	measure_free(bars->legend);
}

bool measure_bars_draw(struct measure_picture *picture, struct measure_bars *bars)
{
	struct bars_layout layout = {.nr = bars->nr_bars};
	double legend, height;

	if (bars->nr_bars == 0) {
		bars_free(bars);
		return false;
	}
	legend = measure_legend_draw(&picture->canvas, bars->legend, bars->nr_legend, 0, 0,
			 measure_picture_width(picture), false) +
		 (bars->nr_legend > 0 ? GAP : 0);
	if (picture->options->height == 0 && bars->nr_usual > 0 && layout.nr > bars->nr_usual)
		layout.nr = bars->nr_usual;
	height = measure_picture_height(picture, legend + (double)layout.nr * ROW + AXIS_ROOM);
	layout.nr = (size_t)fmin((double)layout.nr, fmax(1, (height - legend - AXIS_ROOM) / ROW));
	bars_measure(&picture->canvas, bars, &layout);
	layout.box = measure_picture_begin(picture, bars->title, height);
	bars_fill(picture, bars, &layout, legend);
	bars_free(bars);
	return true;
}
