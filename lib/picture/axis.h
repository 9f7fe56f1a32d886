/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Axes of charts: ticks at round values, with units; and legends. */
#ifndef MEASURE_PICTURE_AXIS_H
#define MEASURE_PICTURE_AXIS_H

#include "base/figures.h"
#include "canvas.h"

enum measure_axis_unit {
	MEASURE_AXIS_SECONDS,
	MEASURE_AXIS_SHARES, /* 1 is 100 % */
	MEASURE_AXIS_BYTES,
	MEASURE_AXIS_NUMBER
};

/* Values from `from` at the place `begin` to `until` at `end`. */
struct measure_axis {
	double from, until;
	double begin, end;
	enum measure_axis_unit unit;
};

double measure_axis_place(const struct measure_axis *axis, double value);

/* 1, 2 or 5 times a power of ten (of bytes, a power of two): the least that makes no more than so
 * many steps of a length. 0: there is none. */
double measure_axis_step(double length, unsigned most, enum measure_axis_unit unit);

/* A value that is a multiple of the step, in the unit that the largest value has. */
const char *measure_axis_label(
	const struct measure_axis *axis, double value, double step, char text[MEASURE_FIGURE_TEXT]);

/* Lines of a grid from `top` to `bottom` at the ticks of a horizontal axis, and labels below. */
void measure_axis_draw(
	struct measure_canvas *canvas, const struct measure_axis *axis, double top, double bottom);

/* The same of a vertical axis; begin is below end. */
void measure_axis_draw_upright(
	struct measure_canvas *canvas, const struct measure_axis *axis, double left, double right);

/* ------------------------------------------------------------------------- legends --- */

struct measure_legend_entry {
	enum measure_ink ink;
	bool is_hatched;
	const char *text;
};

/* In lines from (x, y) downward, `room` wide; its height is returned. NULL: it is not drawn, only
 * measured. */
double measure_legend_draw(struct measure_canvas *canvas,
	const struct measure_legend_entry *entries, size_t nr, double x, double y, double room,
	bool is_drawn);

#endif
