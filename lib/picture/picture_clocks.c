/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The clocks of nodes: how their offsets to the clock of the archive change over the run, and how
 * far these may be wrong. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "picture_internal.h"

#define USUAL_HEIGHT 320.0
#define LABELS_LEFT  76.0
#define LABELS_RIGHT 150.0
#define LABELS_BELOW 24.0

/* Of a clock; seconds. */
struct drift_point {
	double time, offset, bound;
};

struct drift_line {
	const char *host;
	MEASURE_GROWING(struct drift_point, points);
};

struct drift_lines {
	MEASURE_GROWING(struct drift_line, lines);
};

/* Offsets since the first one: that of the first is any number. */
static void drift_add_points(struct drift_line *line, const struct measure_trace *trace,
	const struct measure_clock_function *function)
{
	const double resolution = (double)trace->definitions.clock.resolution;
	const uint64_t start = trace->definitions.clock.offset;

	for (size_t i = 0; i < function->nr; i++) {
		const struct measure_clock_knot *knot = &function->items[i];
		const int64_t since = (int64_t)(knot->time + (uint64_t)knot->offset - start);

		*measure_append(line, points) = (struct drift_point){
			.time = (double)since / resolution,
			.offset = (double)(knot->offset - function->items[0].offset) / resolution,
			.bound = knot->bound / resolution};
	}
}

/* One for each node: that of its first location. Clocks that the archive says nothing about, and
 * its own, have none. */
static void drift_find(struct drift_lines *lines, const struct measure_trace *trace)
{
	const struct measure_definitions *definitions = &trace->definitions;
	bool *is_done = measure_zeroed(definitions->nr_tree_nodes, sizeof(*is_done));

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		const uint32_t group = definitions->locations[i].group;
		const uint32_t host = group < definitions->nr_location_groups
					      ? definitions->location_groups[group].host
					      : MEASURE_NONE;
		struct drift_line *line;

		if (host >= definitions->nr_tree_nodes || is_done[host] || trace->offsets[i].nr < 2)
			continue;
		is_done[host] = true;
		line = measure_append(lines, lines);
		*line = (struct drift_line){.host = measure_name_of_host(definitions, host)};
		drift_add_points(line, trace, &trace->offsets[i]);
	}
	measure_free(is_done);
}

/* Clocks that never differ are not worth a picture. */
static bool drift_is_any(const struct drift_lines *lines)
{
	for (size_t i = 0; i < lines->nr_lines; i++)
		for (size_t j = 0; j < lines->lines[i].nr_points; j++)
			if (lines->lines[i].points[j].offset != 0 ||
				lines->lines[i].points[j].bound > 0)
				return true;
	return false;
}

static void drift_free(struct drift_lines *lines)
{
	for (size_t i = 0; i < lines->nr_lines; i++)
		measure_free(lines->lines[i].points);
	measure_free(lines->lines);
}

/* --------------------------------------------------------------------------- drawing --- */

static void drift_make_axes(
	const struct drift_lines *lines, struct measure_axis *times, struct measure_axis *offsets)
{
	for (size_t i = 0; i < lines->nr_lines; i++)
		for (size_t j = 0; j < lines->lines[i].nr_points; j++) {
			const struct drift_point *point = &lines->lines[i].points[j];

			times->from = fmin(times->from, point->time);
			times->until = fmax(times->until, point->time);
			offsets->from = fmin(offsets->from, point->offset - point->bound);
			offsets->until = fmax(offsets->until, point->offset + point->bound);
		}
	if (offsets->until <= offsets->from) {
		offsets->from = -1e-6;
		offsets->until = 1e-6;
	}
}

static void drift_draw_band(struct measure_canvas *canvas, const struct drift_line *line,
	const struct measure_axis *times, const struct measure_axis *offsets)
{
	for (size_t i = 0; i < 2 * line->nr_points; i++) {
		const bool is_above = i < line->nr_points;
		const struct drift_point *point =
			&line->points[is_above ? i : 2 * line->nr_points - 1 - i];

		cairo_line_to(canvas->cairo, measure_axis_place(times, point->time),
			measure_axis_place(offsets,
				point->offset + (is_above ? point->bound : -point->bound)));
	}
	cairo_fill(canvas->cairo);
}

static void drift_draw_line(struct measure_canvas *canvas, const struct drift_line *line,
	enum measure_ink ink, const struct measure_axis *times, const struct measure_axis *offsets)
{
	const struct measure_text_style style = {
		.ink = MEASURE_INK_TEXT, .size = MEASURE_CANVAS_PLAIN};
	const struct drift_point *last = &line->points[line->nr_points - 1];

	measure_canvas_shade(canvas, ink, 0.25);
	drift_draw_band(canvas, line, times, offsets);
	measure_canvas_ink(canvas, ink);
	for (size_t i = 0; i < line->nr_points; i++)
		cairo_line_to(canvas->cairo, measure_axis_place(times, line->points[i].time),
			measure_axis_place(offsets, line->points[i].offset));
	cairo_set_line_width(canvas->cairo, 1.6);
	cairo_stroke(canvas->cairo);
	measure_canvas_text(canvas, &style, times->end + 6,
		measure_axis_place(offsets, last->offset) + 4, LABELS_RIGHT, line->host);
}

bool measure_picture_draw_clocks(struct measure_picture *picture)
{
	static const enum measure_ink inks[] = {MEASURE_INK_MEMORY, MEASURE_INK_MPI,
		MEASURE_INK_OPENMP, MEASURE_INK_COLLECTIVE, MEASURE_INK_WAITING,
		MEASURE_INK_THREADS, MEASURE_INK_COMPUTATION};
	struct measure_axis times = {.unit = MEASURE_AXIS_SECONDS}, offsets = times;
	struct drift_lines lines = {0};
	struct measure_picture_box box;
	bool is_any;

	drift_find(&lines, picture->facts->waits->profile.trace);
	is_any = drift_is_any(&lines);
	if (is_any) {
		drift_make_axes(&lines, &times, &offsets);
		box = measure_picture_begin(picture,
			"Clocks: change of the offset of each node since its first measurement",
			USUAL_HEIGHT);
		times.begin = box.x + LABELS_LEFT;
		times.end = fmax(box.x + box.width - LABELS_RIGHT, times.begin + 1);
		offsets.begin = box.y + box.height - LABELS_BELOW;
		offsets.end = box.y + 6;
		measure_axis_draw(&picture->canvas, &times, offsets.end, offsets.begin);
		measure_axis_draw_upright(&picture->canvas, &offsets, times.begin, times.end);
		for (size_t i = 0; i < lines.nr_lines; i++)
			drift_draw_line(&picture->canvas, &lines.lines[i],
				inks[i % (sizeof(inks) / sizeof(*inks))], &times, &offsets);
	}
	drift_free(&lines);
	return is_any;
}
