/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ClockOffset records of a location and the rule that every OTF2 reader applies to them:
 * straight lines between consecutive records, the first and the last one prolonged; a
 * single record has no effect. */
#ifndef MEASURE_TRACE_ARCHIVE_CLOCK_OFFSETS_H
#define MEASURE_TRACE_ARCHIVE_CLOCK_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct measure_offset {
	uint64_t time; /* raw ticks; strictly increasing */
	int64_t offset;
};

struct measure_offsets {
	struct measure_offset *items;
	size_t nr, room;
};

/* Where reading has got to; all zero at first. */
struct measure_offsets_reading {
	size_t cursor; /* the line in use */
	struct measure_offset from;
	double slope;
	bool has_line;
};

/* Corrected time of a raw one, for many in a row that do not decrease. */
uint64_t measure_offsets_read(const struct measure_offsets *offsets,
	struct measure_offsets_reading *reading, uint64_t raw);

/* The same for a few. *cursor is the line in use: 0 at first, then left alone as
 * long as the raw times do not decrease (as the library itself assumes). */
uint64_t measure_offsets_apply(const struct measure_offsets *offsets, size_t *cursor, uint64_t raw);

/* The same for one time alone, in no order with others. */
uint64_t measure_offsets_apply_at(const struct measure_offsets *offsets, uint64_t raw);

/* The line that readers use at a raw time: the number of its left end. */
size_t measure_offsets_find(const struct measure_offsets *offsets, uint64_t raw);

/* A raw time whose corrected one is `time`, or next to it. */
uint64_t measure_offsets_invert(const struct measure_offsets *offsets, uint64_t time);

bool measure_offsets_are_same(const struct measure_offsets *a, const struct measure_offsets *b);

#endif
