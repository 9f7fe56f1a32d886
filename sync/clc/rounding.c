/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A line is kept by its whole points, the raw times at which its offset is a whole number of ticks:
 * between the first and the last of them the line is the same. From an end to the next whole point
 * the offset takes one step at most, which two offsets with one tick between them make. */
#include "config.h"

#include "rounding.h"

#include <math.h>

#include "trace/common/containers.h"

/* One line: from its left break, the offset there is whole. */
struct rounding_line {
	struct measure_offsets ends;
	double slope;
	int64_t shift;
	struct measure_offsets *offsets; /* where it is kept */
};

void measure_rounding_add(struct measure_offsets *offsets, uint64_t raw, int64_t offset)
{
	if (offsets->nr > 0 && offsets->items[offsets->nr - 1].time >= raw) {
		if (offsets->items[offsets->nr - 1].time == raw)
			offsets->items[offsets->nr - 1].offset = offset;
		return;
	}
	offsets->items =
		measure_grow(offsets->items, offsets->nr, &offsets->room, sizeof(*offsets->items));
	offsets->items[offsets->nr++] = (struct measure_offset){raw, offset};
}

static struct rounding_line line_at(const struct measure_offsets *presync, uint64_t raw,
	int64_t shift, struct measure_offsets *offsets)
{
	struct measure_offset *items = &presync->items[measure_offsets_find(presync, raw)];

	return (struct rounding_line){{items, 2, 2},
		(double)(items[1].offset - items[0].offset) /
			(double)(items[1].time - items[0].time),
		shift, offsets};
}

static int64_t offset_on(const struct rounding_line *line, uint64_t raw)
{
	size_t cursor = 0;

	return (int64_t)(measure_offsets_apply(&line->ends, &cursor, raw) - raw);
}

/* Unrounded, from the left break's. */
static double rise_at(const struct rounding_line *line, uint64_t raw)
{
	return line->slope * (double)(int64_t)(raw - line->ends.items[0].time);
}

int64_t measure_rounding_offset(const struct measure_offsets *presync, uint64_t raw)
{
	struct rounding_line line;

	if (presync->nr < 2)
		return 0;
	line = line_at(presync, raw, 0, NULL);
	return offset_on(&line, raw);
}

int64_t measure_rounding_ceil(const struct measure_offsets *presync, uint64_t raw)
{
	struct rounding_line line;

	if (presync->nr < 2)
		return 0;
	line = line_at(presync, raw, 0, NULL);
	return line.ends.items[0].offset + (int64_t)ceil(rise_at(&line, raw));
}

/* Where the line has risen by a whole number, or fallen; rather a bit more than that. */
static uint64_t whole_point(const struct rounding_line *line, double rise)
{
	const double distance = rise / line->slope;

	return line->ends.items[0].time +
	       (uint64_t)(int64_t)(line->slope > 0 ? floor(distance) : ceil(distance));
}

static void keep_point(const struct rounding_line *line, uint64_t raw)
{
	measure_rounding_add(line->offsets, raw, offset_on(line, raw) + line->shift);
}

/* One step at most. */
static void keep_step(const struct rounding_line *line, uint64_t from, uint64_t to)
{
	const int64_t before = offset_on(line, from);
	uint64_t low = from, high = to; /* still before; already after */

	if (offset_on(line, to) == before)
		return;
	while (low + 1 < high) {
		uint64_t middle = low + (high - low) / 2;

		if (offset_on(line, middle) == before)
			low = middle;
		else
			high = middle;
	}
	if (low > from)
		keep_point(line, low);
	if (high < to)
		keep_point(line, high);
}

static void keep_line(const struct rounding_line *line, uint64_t from, uint64_t to)
{
	/* as if it rose */
	const double side = line->slope > 0 ? 1 : -1;
	const double first = ceil(side * rise_at(line, from));
	const double last = floor(side * rise_at(line, to));
	uint64_t left, right;

	if (first > last || line->slope == 0) {
		keep_step(line, from, to);
		return;
	}
	left = whole_point(line, side * first);
	right = whole_point(line, side * last);
	keep_step(line, from, left);
	if (left > from && left < to)
		keep_point(line, left);
	if (right > left && right < to)
		keep_point(line, right);
	keep_step(line, right, to);
}

void measure_rounding_between(const struct measure_offsets *presync, uint64_t from, uint64_t to,
	int64_t shift, struct measure_offsets *offsets)
{
	if (presync->nr < 2)
		return;
	while (from < to) {
		const struct rounding_line line = line_at(presync, from + 1, shift, offsets);
		const bool is_last = line.ends.items[1].time >= to ||
				     line.ends.items == &presync->items[presync->nr - 2];
		const uint64_t end = is_last ? to : line.ends.items[1].time;

		/* A line that prolongs the first one to the left ends there, too. */
		keep_line(&line, from, end);
		if (end < to)
			keep_point(&line, end);
		from = end;
	}
}
