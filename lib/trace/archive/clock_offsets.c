/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Applies clock offsets with the OTF2 reader's own arithmetic (double slope, rint), so that
 * our corrected times are bit for bit those of every other reader. */
#include "config.h"

#include "clock_offsets.h"

#include <math.h>

#include "base/array.h"

/* Damaged archives may hold any numbers: sums wrap around, and what no int64_t can hold is 0. */
static uint64_t rounded(double value)
{
	return fabs(value) < 0x1p63 ? (uint64_t)(int64_t)rint(value) : 0;
}

static void take_line(
	const struct measure_offsets *offsets, struct measure_offsets_reading *reading)
{
	const struct measure_offset *from = &offsets->items[reading->cursor], *to = from + 1;

	reading->from = *from;
	reading->slope = (double)(int64_t)((uint64_t)to->offset - (uint64_t)from->offset) /
			 (double)(to->time - from->time);
	reading->has_line = true;
}

uint64_t measure_offsets_read(const struct measure_offsets *offsets,
	struct measure_offsets_reading *reading, uint64_t raw)
{
	const struct measure_offset *from = &reading->from;
	double distance;

	if (offsets->nr < 2)
		return raw;
	while (reading->cursor + 2 < offsets->nr &&
		raw > offsets->items[reading->cursor + 1].time) {
		reading->cursor++;
		reading->has_line = false;
	}
	if (!reading->has_line)
		take_line(offsets, reading);
	distance = raw >= from->time ? (double)(raw - from->time) : -(double)(from->time - raw);
	return raw + (uint64_t)from->offset + rounded(reading->slope * distance);
}

uint64_t measure_offsets_apply(const struct measure_offsets *offsets, size_t *cursor, uint64_t raw)
{
	struct measure_offsets_reading reading = {.cursor = *cursor};
	uint64_t time = measure_offsets_read(offsets, &reading, raw);

	*cursor = reading.cursor;
	return time;
}

size_t measure_offsets_find(const struct measure_offsets *offsets, uint64_t raw)
{
	return measure_count_first(
		offsets->nr < 2 ? 0 : offsets->nr - 2, i, raw > offsets->items[i + 1].time);
}

uint64_t measure_offsets_apply_at(const struct measure_offsets *offsets, uint64_t raw)
{
	size_t cursor = measure_offsets_find(offsets, raw);

	return measure_offsets_apply(offsets, &cursor, raw);
}

/* Of the line that has a corrected time, the left end: the lines rise. */
static size_t line_of(const struct measure_offsets *offsets, uint64_t time)
{
	const struct measure_offset *ends = offsets->items + 1;

	return measure_count_first(
		offsets->nr - 2, i, ends[i].time + (uint64_t)ends[i].offset < time);
}

/* As exact as numbers are; readers round, so the tick next to it may be the one. */
uint64_t measure_offsets_invert(const struct measure_offsets *offsets, uint64_t time)
{
	const struct measure_offset *from, *to;
	__int128 start, span, raw;

	if (offsets->nr < 2)
		return time;
	from = &offsets->items[line_of(offsets, time)];
	to = from + 1;
	start = (__int128)from->time + from->offset;
	span = (__int128)to->time + to->offset - start;
	if (span <= 0)
		return from->time;
	raw = from->time + ((__int128)time - start) * (__int128)(to->time - from->time) / span;
	if (raw < 0)
		return 0;
	if (raw >= UINT64_MAX)
		return UINT64_MAX;
	for (int step = -1; step <= 1; step++)
		if (measure_offsets_apply_at(offsets, (uint64_t)raw + (uint64_t)step) == time)
			return (uint64_t)raw + (uint64_t)step;
	return (uint64_t)raw;
}

bool measure_offsets_are_same(const struct measure_offsets *a, const struct measure_offsets *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (a->items[i].time != b->items[i].time ||
			a->items[i].offset != b->items[i].offset)
			return false;
	return true;
}
