/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ticks, labels, legends; see axis.h. */
#include "config.h"

#include "axis.h"

#include <math.h>
#include <string.h>

#define TICK_DISTANCE    90.0 /* of a horizontal axis, at least */
#define UPRIGHT_DISTANCE 40.0

double measure_axis_place(const struct measure_axis *axis, double value)
{
	const double length = axis->until - axis->from;

	if (length <= 0)
		return axis->begin;
	return axis->begin + (value - axis->from) / length * (axis->end - axis->begin);
}

double measure_axis_step(double length, unsigned most, enum measure_axis_unit unit)
{
	static const double factors[] = {1, 2, 5, 10};
	double step;

	if (!(length > 0) || most == 0)
		return 0;
	if (unit == MEASURE_AXIS_BYTES)
		return fmax(1, exp2(ceil(log2(length / most))));
	step = pow(10, floor(log10(length / most)));
	for (unsigned i = 0; i < sizeof(factors) / sizeof(*factors); i++)
		if (length / (factors[i] * step) <= most) {
			step *= factors[i];
			break;
		}
	return unit == MEASURE_AXIS_NUMBER ? fmax(step, 1) : step;
}

/* --------------------------------------------------------------------------- labels --- */

/* The largest unit of time in which a value is at least 1. */
static double time_unit(double most, const char **name)
{
	static const struct {
		double seconds;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
	size_t i = 0;

	while (i < 3 && most < units[i].seconds * (1 - 1e-9))
		i++;
	*name = units[i].name;
	return units[i].seconds;
}

/* Places behind the point that a multiple of the step needs. */
static int places_of(double step)
{
	return step <= 0 ? 0 : (int)fmax(0, -floor(log10(step) + 1e-9));
}

const char *measure_axis_label(
	const struct measure_axis *axis, double value, double step, char text[MEASURE_FIGURE_TEXT])
{
	const char *name;
	double unit;

	switch (axis->unit) {
	case MEASURE_AXIS_SECONDS:
		unit = time_unit(fmax(fabs(axis->from), fabs(axis->until)), &name);
		snprintf(text, MEASURE_FIGURE_TEXT, "%.*f %s", places_of(step / unit), value / unit,
			name);
		break;
	case MEASURE_AXIS_SHARES:
		snprintf(text, MEASURE_FIGURE_TEXT, "%.*f %%", places_of(100 * step), 100 * value);
		break;
	case MEASURE_AXIS_BYTES:
		return measure_figure_size((uint64_t)value, text);
	default:
		snprintf(text, MEASURE_FIGURE_TEXT, "%s", measure_figure((uint64_t)value));
	}
	return text;
}

/* ---------------------------------------------------------------------------- ticks --- */

/* Goes through the multiples of the step that the axis has. */
static bool axis_next_tick(const struct measure_axis *axis, double step, double *value)
{
	*value = isnan(*value) ? ceil(axis->from / step - 1e-6) * step : *value + step;
	if (fabs(*value) < 1e-6 * step)
		*value = 0;
	return *value <= axis->until + 1e-6 * step;
}

static double axis_steps(const struct measure_axis *axis, double distance)
{
	const double places = fabs(axis->end - axis->begin);

	return measure_axis_step(
		axis->until - axis->from, (unsigned)fmax(1, places / distance), axis->unit);
}

void measure_axis_draw(
	struct measure_canvas *canvas, const struct measure_axis *axis, double top, double bottom)
{
	const struct measure_text_style style = {.ink = MEASURE_INK_FAINT,
		.size = MEASURE_CANVAS_PLAIN,
		.side = MEASURE_TEXT_CENTRE};
	const double step = axis_steps(axis, TICK_DISTANCE);
	char text[MEASURE_FIGURE_TEXT];
	double value = NAN;

	while (step > 0 && axis_next_tick(axis, step, &value)) {
		const double x = measure_axis_place(axis, value);

		measure_canvas_ink(canvas, MEASURE_INK_GRID);
		measure_canvas_line(canvas, x, top, x, bottom, 1);
		measure_canvas_text(canvas, &style, x, bottom + 14, TICK_DISTANCE,
			measure_axis_label(axis, value, step, text));
	}
}

void measure_axis_draw_upright(
	struct measure_canvas *canvas, const struct measure_axis *axis, double left, double right)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_FAINT, .size = MEASURE_CANVAS_PLAIN, .side = MEASURE_TEXT_RIGHT};
	const double step = axis_steps(axis, UPRIGHT_DISTANCE);
	char text[MEASURE_FIGURE_TEXT];
	double value = NAN;

	while (step > 0 && axis_next_tick(axis, step, &value)) {
		const double y = measure_axis_place(axis, value);

		measure_canvas_ink(canvas, MEASURE_INK_GRID);
		measure_canvas_line(canvas, left, y, right, y, 1);
		measure_canvas_text(canvas, &style, left - 6, y + 4, left,
			measure_axis_label(axis, value, step, text));
	}
}

/* -------------------------------------------------------------------------- legends --- */

#define LEGEND_BOX  11.0
#define LEGEND_LINE 18.0
#define LEGEND_GAP  18.0

static void legend_draw_entry(struct measure_canvas *canvas,
	const struct measure_legend_entry *entry, const struct measure_text_style *style, double x,
	double y, double room)
{
	measure_canvas_ink(canvas, entry->ink);
	measure_canvas_rectangle(canvas, x, y, LEGEND_BOX, LEGEND_BOX);
	if (entry->is_hatched) {
		cairo_rectangle(canvas->cairo, x, y, LEGEND_BOX, LEGEND_BOX);
		measure_canvas_hatch(canvas);
	}
	measure_canvas_text(canvas, style, x + LEGEND_BOX + 5, y + LEGEND_BOX - 1,
		room - LEGEND_BOX - 5, entry->text);
}

double measure_legend_draw(struct measure_canvas *canvas,
	const struct measure_legend_entry *entries, size_t nr, double x, double y, double room,
	bool is_drawn)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN};
	double place = 0, top = 0;

	for (size_t i = 0; i < nr; i++) {
		const double width = fmin(room,
			LEGEND_BOX + 5 +
				measure_canvas_text_width(canvas, &style, entries[i].text) + 1);

		if (place > 0 && place + width > room) {
			place = 0;
			top += LEGEND_LINE;
		}
		if (is_drawn)
			legend_draw_entry(canvas, &entries[i], &style, x + place, y + top, width);
		place += width + LEGEND_GAP;
	}
	return nr > 0 ? top + LEGEND_LINE : 0;
}
