/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A line is kept by its whole points, the raw times at which its offset is a whole number of ticks:
 * between the first and the last of them the line is the same. From an end to the next whole point
 * the offset takes one step at most, which two offsets with one tick between them make. */
#include "config.h"

#include "rounding.h"

#include <math.h>

#include "trace/common/containers.h"

/* A line of the presynchronisation, and where what lies on it is kept. */
struct rounding_piece {
	struct measure_clock_line line;
	int64_t shift;
	struct measure_clock_function *offsets;
};

void measure_rounding_add(struct measure_clock_function *offsets, uint64_t raw, int64_t offset)
{
	if (offsets->nr > 0 && offsets->items[offsets->nr - 1].time >= raw) {
		if (offsets->items[offsets->nr - 1].time == raw)
			offsets->items[offsets->nr - 1].offset = offset;
		return;
	}
	offsets->items = measure_grow(
		offsets->items, offsets->nr, &offsets->capacity, sizeof(*offsets->items));
	offsets->items[offsets->nr++] = (struct measure_clock_knot){raw, offset, 0};
}

static struct measure_clock_line line_from(
	const struct measure_clock_function *presync, size_t number)
{
	return measure_clock_line_between(&presync->items[number], &presync->items[number + 1]);
}

int64_t measure_rounding_offset(const struct measure_clock_function *presync, uint64_t raw)
{
	return (int64_t)(measure_clock_function_apply(presync, raw) - raw);
}

int64_t measure_rounding_ceil(const struct measure_clock_function *presync, uint64_t raw)
{
	struct measure_clock_line line;

	if (presync->nr < 2)
		return 0;
	line = line_from(presync, measure_clock_function_find(presync, raw));
	return line.offset + (int64_t)ceil(measure_clock_line_rise(&line, raw));
}

/* Where the line has risen by a whole number, or fallen; rather a bit more than that. */
static uint64_t whole_point(const struct measure_clock_line *line, double rise)
{
	const double distance = rise / line->slope;

	return line->time + (uint64_t)(int64_t)(line->slope > 0 ? floor(distance) : ceil(distance));
}

static void keep_point(const struct rounding_piece *piece, uint64_t raw)
{
	measure_rounding_add(
		piece->offsets, raw, measure_clock_line_at(&piece->line, raw) + piece->shift);
}

/* One step at most. */
static void keep_step(const struct rounding_piece *piece, uint64_t from, uint64_t to)
{
	const int64_t before = measure_clock_line_at(&piece->line, from);
	uint64_t low = from, high = to; /* still before; already after */

	if (measure_clock_line_at(&piece->line, to) == before)
		return;
	while (low + 1 < high) {
		uint64_t middle = low + (high - low) / 2;

		if (measure_clock_line_at(&piece->line, middle) == before)
			low = middle;
		else
			high = middle;
	}
	if (low > from)
		keep_point(piece, low);
	if (high < to)
		keep_point(piece, high);
}

static void keep_line(const struct rounding_piece *piece, uint64_t from, uint64_t to)
{
	const struct measure_clock_line *line = &piece->line;
	/* as if it rose */
	const double side = line->slope > 0 ? 1 : -1;
	const double first = ceil(side * measure_clock_line_rise(line, from));
	const double last = floor(side * measure_clock_line_rise(line, to));
	uint64_t left, right;

	if (first > last || line->slope == 0) {
		keep_step(piece, from, to);
		return;
	}
	left = whole_point(line, side * first);
	right = whole_point(line, side * last);
	keep_step(piece, from, left);
	if (left > from && left < to)
		keep_point(piece, left);
	if (right > left && right < to)
		keep_point(piece, right);
	keep_step(piece, right, to);
}

void measure_rounding_between(const struct measure_clock_function *presync, uint64_t from,
	uint64_t to, int64_t shift, struct measure_clock_function *offsets)
{
	if (presync->nr < 2)
		return;
	while (from < to) {
		const size_t number = measure_clock_function_find(presync, from + 1);
		const struct rounding_piece piece = {line_from(presync, number), shift, offsets};
		const uint64_t right = presync->items[number + 1].time;
		const bool is_last = right >= to || number == presync->nr - 2;
		const uint64_t end = is_last ? to : right;

		/* A line that prolongs the first one to the left ends there, too. */
		keep_line(&piece, from, end);
		if (end < to)
			keep_point(&piece, end);
		from = end;
	}
}
