/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Applies clock offsets with the OTF2 reader's own arithmetic (double slope, rint), so that
 * our corrected times are bit for bit those of every other reader. */
#include "config.h"

#include "clock_offsets.h"

#include <math.h>

#define MOST_STEPS 16 /* of the inversion */

/* Damaged archives may hold any numbers: sums wrap around, and what no int64_t can hold is 0. */
static uint64_t rounded(double value)
{
	return fabs(value) < 0x1p63 ? (uint64_t)(int64_t)rint(value) : 0;
}

uint64_t measure_offsets_apply(const struct measure_offsets *offsets, size_t *cursor, uint64_t raw)
{
	const struct measure_offset *from, *to;
	double slope, distance;

	if (offsets->nr < 2)
		return raw;
	while (*cursor + 2 < offsets->nr && raw > offsets->items[*cursor + 1].time)
		++*cursor;
	from = &offsets->items[*cursor];
	to = from + 1;
	slope = (double)(int64_t)((uint64_t)to->offset - (uint64_t)from->offset) /
		(double)(to->time - from->time);
	distance = raw >= from->time ? (double)(raw - from->time) : -(double)(from->time - raw);
	return raw + (uint64_t)from->offset + rounded(slope * distance);
}

uint64_t measure_offsets_apply_at(const struct measure_offsets *offsets, uint64_t raw)
{
	size_t low = 0, high = offsets->nr < 2 ? 0 : offsets->nr - 2;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (raw > offsets->items[middle + 1].time)
			low = middle + 1;
		else
			high = middle;
	}
	return measure_offsets_apply(offsets, &low, raw);
}

/* Clocks differ by little in rate: each step comes nearer by orders of magnitude. */
uint64_t measure_offsets_invert(const struct measure_offsets *offsets, uint64_t time)
{
	uint64_t raw = time;

	for (int i = 0; i < MOST_STEPS; i++) {
		size_t cursor = 0;
		uint64_t got = measure_offsets_apply(offsets, &cursor, raw);

		if (got == time)
			break;
		raw += time - got;
	}
	return raw;
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
