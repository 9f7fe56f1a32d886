/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions of clocks from ClockOffset records; see presync.h. */
#include "config.h"

#include "presync.h"

#include <stdbool.h>
#include <stdlib.h>

#define NR_GUARDS 2 /* one before the first, one after the last */

static void presync_append(struct measure_clock_function *function, uint64_t time, int64_t offset)
{
	function->items[function->nr++] = (struct measure_clock_knot){time, offset, 0};
}

/* Later, and not earlier once it is corrected: where time nearly stands still, at the same tick. */
static bool is_later(const struct measure_clock_knot *record, const struct measure_clock_knot *last)
{
	return record->time > last->time &&
	       measure_clock_knot_corrected(record) >= measure_clock_knot_corrected(last);
}

static size_t take_good_ones(
	const struct measure_clock_function *records, struct measure_clock_function *function)
{
	for (size_t i = 0; i < records->nr; i++) {
		const struct measure_clock_knot *record = &records->items[i];

		if (function->nr == 0 || is_later(record, &function->items[function->nr - 1]))
			presync_append(function, record->time, record->offset);
	}
	return records->nr - function->nr;
}

/* In the middle between the least and the greatest. */
static int64_t middle_offset(const struct measure_clock_function *function)
{
	int64_t least = function->items[0].offset;
	int64_t greatest = least;

	for (size_t i = 1; i < function->nr; i++) {
		const int64_t offset = function->items[i].offset;

		least = offset < least ? offset : least;
		greatest = offset > greatest ? offset : greatest;
	}
	return least + (int64_t)(((uint64_t)greatest - (uint64_t)least) / 2);
}

/* Readers want two; where they are does not matter. */
static void make_constant(struct measure_clock_function *function)
{
	const int64_t offset = middle_offset(function);

	function->nr = 0;
	presync_append(function, 0, offset);
	presync_append(function, 1, offset);
}

static void make_line(struct measure_clock_function *function)
{
	if (function->nr <= 2)
		return;
	function->items[1] = function->items[function->nr - 1];
	function->nr = 2;
}

/* Lines without a slope, one tick long, which readers prolong. At the ends of the counter there is
 * nothing beyond. */
static void add_guards(struct measure_clock_function *function)
{
	const struct measure_clock_knot first = function->items[0];
	const struct measure_clock_knot last = function->items[function->nr - 1];

	if (first.time > 0) {
		for (size_t i = function->nr++; i > 0; i--)
			function->items[i] = function->items[i - 1];
		function->items[0] = (struct measure_clock_knot){first.time - 1, first.offset, 0};
	}
	if (last.time < UINT64_MAX)
		presync_append(function, last.time + 1, last.offset);
}

static void shape(struct measure_clock_function *function, enum measure_presync kind,
	enum measure_presync_ends ends)
{
	if (kind == MEASURE_PRESYNC_CONST && function->nr > 0) {
		make_constant(function);
		return;
	}
	if (function->nr < 2) {
		function->nr = 0;
		return;
	}
	if (kind == MEASURE_PRESYNC_LINEAR)
		make_line(function);
	if (ends == MEASURE_PRESYNC_CLAMP)
		add_guards(function);
}

measure_status_t measure_presync_make(const struct measure_clock_function *records,
	enum measure_presync kind, enum measure_presync_ends ends,
	struct measure_clock_function *function, size_t *nr_dropped)
{
	*function = (struct measure_clock_function){0};
	*nr_dropped = 0;
	if (kind == MEASURE_PRESYNC_NONE || kind == MEASURE_PRESYNC_MESSAGES || records->nr == 0)
		return MEASURE_OK;
	function->capacity = records->nr + NR_GUARDS;
	function->items = calloc(function->capacity, sizeof(*function->items));
	if (!function->items)
		return MEASURE_ERROR_MEMORY;
	*nr_dropped = take_good_ones(records, function);
	shape(function, kind, ends);
	return MEASURE_OK;
}
