/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of upright columns; see columns.h. */
#include "config.h"

#include "columns.h"

#include <math.h>

#define USUAL_HEIGHT 300.0
#define LABELS_LEFT  70.0
#define LABELS_BELOW 24.0
#define LABEL_WIDTH  64.0
#define WIDEST       56.0
#define FILLED       0.8 /* of a column's place */

static double columns_longest(const struct measure_column_chart *chart)
{
	double longest = 0;

	for (size_t i = 0; i < chart->nr_columns; i++)
		longest = fmax(longest, fmax(chart->columns[i].value, chart->columns[i].most));
	return longest;
}

static void column_draw(struct measure_canvas *canvas, const struct measure_column_chart *chart,
	const struct measure_column *column, const struct measure_axis *axis, double x,
	double width)
{
	const double top = measure_axis_place(axis, column->value);

	measure_canvas_ink(canvas, chart->ink);
	measure_canvas_rectangle(canvas, x, top, width, axis->begin - top);
	if (column->most > column->value) {
		measure_canvas_ink(canvas, MEASURE_INK_FAINT);
		measure_canvas_line(canvas, x + width / 2, top, x + width / 2,
			measure_axis_place(axis, column->most), 1);
	}
}

static void columns_fill(struct measure_canvas *canvas, const struct measure_column_chart *chart,
	const struct measure_axis *axis, double left, double right)
{
	const struct measure_text_style style = {.ink = MEASURE_INK_FAINT,
		.size = MEASURE_CANVAS_PLAIN,
		.side = MEASURE_TEXT_CENTRE};
	const double place = (right - left) / (double)chart->nr_columns;
	const double width = fmin(WIDEST, place * (place > 4 ? FILLED : 1));
	const size_t each = (size_t)fmax(1, ceil(LABEL_WIDTH / place)); /* which has a label */

	for (size_t i = 0; i < chart->nr_columns; i++) {
		const double middle = left + ((double)i + 0.5) * place;

		column_draw(canvas, chart, &chart->columns[i], axis, middle - width / 2, width);
		if (i % each == 0)
			measure_canvas_text(canvas, &style, middle, axis->begin + 15,
				place * (double)each, chart->columns[i].label);
	}
}

bool measure_columns_draw(struct measure_picture *picture, struct measure_column_chart *chart)
{
	struct measure_axis axis = {.until = columns_longest(chart), .unit = chart->unit};
	struct measure_picture_box box;

	if (chart->nr_columns == 0) {
		measure_free(chart->columns);
		return false;
	}
	box = measure_picture_begin(picture, chart->title, USUAL_HEIGHT);
	axis.begin = box.y + box.height - LABELS_BELOW;
	axis.end = box.y + 4;
	measure_axis_draw_upright(&picture->canvas, &axis, box.x + LABELS_LEFT, box.x + box.width);
	columns_fill(&picture->canvas, chart, &axis, box.x + LABELS_LEFT, box.x + box.width);
	measure_free(chart->columns);
	return true;
}
