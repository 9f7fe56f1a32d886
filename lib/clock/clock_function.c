/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock functions with the OTF2 reader's own arithmetic; see clock_function.h. */
#include "config.h"

#include "clock_function.h"

#include <math.h>

#include "base/array.h"

/* ------------------------------------------------------------------------ lines --- */

int64_t measure_clock_round(double value)
{
	return fabs(value) < 0x1p63 ? (int64_t)rint(value) : 0;
}

struct measure_clock_line measure_clock_line_between(
	const struct measure_clock_knot *from, const struct measure_clock_knot *to)
{
	const int64_t rise = (int64_t)((uint64_t)to->offset - (uint64_t)from->offset);

	return (struct measure_clock_line){
		from->time, from->offset, (double)rise / (double)(to->time - from->time)};
}

/* `distance` from the line's point. */
static int64_t offset_beyond(const struct measure_clock_line *line, double distance)
{
	return (int64_t)((uint64_t)line->offset +
			 (uint64_t)measure_clock_round(line->slope * distance));
}

double measure_clock_line_rise(const struct measure_clock_line *line, uint64_t time)
{
	return line->slope * (double)(int64_t)(time - line->time);
}

int64_t measure_clock_line_at(const struct measure_clock_line *line, uint64_t time)
{
	return offset_beyond(line, (double)(int64_t)(time - line->time));
}

struct measure_clock_line measure_clock_line_invert(const struct measure_clock_line *line)
{
	return (struct measure_clock_line){
		.time = line->time + (uint64_t)line->offset,
		.offset = (int64_t) - (uint64_t)line->offset,
		.slope = -line->slope / (1 + line->slope),
	};
}

struct measure_clock_line measure_clock_line_join(
	const struct measure_clock_line *first, const struct measure_clock_line *then)
{
	const uint64_t offset = (uint64_t)first->offset;

	return (struct measure_clock_line){
		.time = first->time,
		.offset = (int64_t)(offset +
				    (uint64_t)measure_clock_line_at(then, first->time + offset)),
		.slope = first->slope + then->slope + first->slope * then->slope,
	};
}

/* -------------------------------------------------------------------- functions --- */

/* Around the line's own time, as far as a distance and what it makes of it are integers of 64 bits. */
static void set_span(
	const struct measure_clock_function *function, struct measure_clock_reading *reading)
{
	const struct measure_clock_line *line = &reading->line;
	const double most = fabs(line->slope) < 1 ? 0x1p62 : 0x1p62 / fabs(line->slope);
	const uint64_t reach = (uint64_t)most;
	uint64_t end = line->time + reach < line->time ? UINT64_MAX : line->time + reach;

	if (reading->number + 2 < function->nr && end > function->items[reading->number + 1].time)
		end = function->items[reading->number + 1].time + 1;
	reading->first = line->time > reach ? line->time - reach : 0;
	reading->span = end - reading->first;
}

uint64_t measure_clock_function_read_slowly(const struct measure_clock_function *function,
	struct measure_clock_reading *reading, uint64_t time)
{
	const struct measure_clock_knot *knots = function->items;
	double distance;

	if (function->nr < 2) {
		reading->span = UINT64_MAX;
		return time;
	}
	while (reading->number + 2 < function->nr && time > knots[reading->number + 1].time)
		reading->number++;
	knots += reading->number;
	reading->line = measure_clock_line_between(knots, knots + 1);
	set_span(function, reading);
	distance = time >= reading->line.time ? (double)(time - reading->line.time)
					      : -(double)(reading->line.time - time);
	return time + (uint64_t)offset_beyond(&reading->line, distance);
}

size_t measure_clock_function_find(const struct measure_clock_function *function, uint64_t time)
{
	return measure_count_first(
		function->nr < 2 ? 0 : function->nr - 2, i, time > function->items[i + 1].time);
}

uint64_t measure_clock_function_apply(const struct measure_clock_function *function, uint64_t time)
{
	struct measure_clock_reading reading = {
		.number = measure_clock_function_find(function, time)};

	return measure_clock_function_read(function, &reading, time);
}

/* The left end of the line that has a corrected time: the lines rise. */
static const struct measure_clock_knot *find_corrected(
	const struct measure_clock_function *function, uint64_t corrected)
{
	const struct measure_clock_knot *ends = function->items + 1;

	return &function->items[measure_count_first(
		function->nr - 2, i, ends[i].time + (uint64_t)ends[i].offset < corrected)];
}

/* As exact as numbers are; readers round, so the tick next to it may be the one. */
uint64_t measure_clock_function_invert(
	const struct measure_clock_function *function, uint64_t corrected)
{
	const struct measure_clock_knot *from;
	__int128 start, span, time;

	if (function->nr < 2)
		return corrected;
	from = find_corrected(function, corrected);
	start = measure_clock_knot_corrected(from);
	span = measure_clock_knot_corrected(from + 1) - start;
	if (span <= 0)
		return from->time;
	if (__builtin_mul_overflow((__int128)corrected - start, from[1].time - from->time, &time))
		return from->time; /* no clock runs that long */
	time = from->time + time / span;
	if (time < 0)
		return 0;
	if (time >= UINT64_MAX)
		return UINT64_MAX;
	for (int step = -1; step <= 1; step++)
		if (measure_clock_function_apply(function, (uint64_t)time + (uint64_t)step) ==
			corrected)
			return (uint64_t)time + (uint64_t)step;
	return (uint64_t)time;
}

bool measure_clock_function_is_same(
	const struct measure_clock_function *a, const struct measure_clock_function *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (a->items[i].time != b->items[i].time ||
			a->items[i].offset != b->items[i].offset)
			return false;
	return true;
}
