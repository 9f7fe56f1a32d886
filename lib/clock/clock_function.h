/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Clock functions: from the ticks of one clock to those of another. A function is a list of
 * knots, as ClockOffset records give them, and the rule that every OTF2 reader applies to them:
 * straight lines between consecutive knots, the first and the last line prolonged; a single knot
 * has no effect. All arithmetic is that of OTF2's reader (double slope, rint), so that corrected
 * times are bit for bit those of every other tool. */
#ifndef MEASURE_CLOCK_CLOCK_FUNCTION_H
#define MEASURE_CLOCK_CLOCK_FUNCTION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/likely.h"

/* ------------------------------------------------------------------------ lines --- */

struct measure_clock_knot {
	uint64_t time;  /* ticks of the clock */
	int64_t offset; /* to the other clock's time */
	double bound;   /* ticks by which the offset may be wrong; 0: unknown */
};

/* A straight line through a point. */
struct measure_clock_line {
	uint64_t time;
	int64_t offset;
	double slope; /* of the offset, per tick */
};

struct measure_clock_line measure_clock_line_between(
	const struct measure_clock_knot *from, const struct measure_clock_knot *to);

/* The nearest whole number; 0 where no int64_t can hold it. */
int64_t measure_clock_round(double value);

/* What the offset has changed by since the line's own point; not rounded. */
double measure_clock_line_rise(const struct measure_clock_line *line, uint64_t time);

/* The offset at a time. Times are less than 2^63 from the line's point, and may be on the other
 * side of 0, as before the first tick of another clock: sums wrap around. */
int64_t measure_clock_line_at(const struct measure_clock_line *line, uint64_t time);

/* From the other clock's time back to this one's. */
struct measure_clock_line measure_clock_line_invert(const struct measure_clock_line *line);

/* First one line, then another one from the time that the first one gives. */
struct measure_clock_line measure_clock_line_join(
	const struct measure_clock_line *first, const struct measure_clock_line *then);

/* At `time` the offset is no less than that, or no more. */
struct measure_clock_bound {
	uint64_t time;
	int64_t offset;
};

/* The line in the middle between `nr_lows` lower and `nr_highs` upper bounds, both in the order of
 * time (and moved about in place). Where they leave the slope open, it is the one nearest to 0;
 * where no line fits, the one that misses by least. `*half`: how far at most from it the true line
 * can be between `first` and `last`; HUGE_VAL: no line fits, or one side has no bounds. At least
 * one bound. */
struct measure_clock_line measure_clock_line_fit(struct measure_clock_bound *lows, size_t nr_lows,
	struct measure_clock_bound *highs, size_t nr_highs, uint64_t first, uint64_t last,
	double *half);

/* -------------------------------------------------------------------- functions --- */

/* A growing array (base/array.h); times strictly increase. Without knots it changes nothing. */
struct measure_clock_function {
	struct measure_clock_knot *items;
	size_t nr, capacity;
};

/* The corrected time of a knot, where 64 bits may not hold it. */
static inline __int128 measure_clock_knot_corrected(const struct measure_clock_knot *knot)
{
	return (__int128)knot->time + knot->offset;
}

/* The corrected time. */
uint64_t measure_clock_function_apply(const struct measure_clock_function *function, uint64_t time);

/* The same for many times in a row that do not decrease, as the OTF2 library itself assumes. */
struct measure_clock_reading {
	size_t number; /* of the line in use; all zero at first */
	struct measure_clock_line line;
	/* times from `first` on, so many: the line is in use and its values are no large numbers */
	uint64_t first, span;
};

uint64_t measure_clock_function_read_slowly(const struct measure_clock_function *function,
	struct measure_clock_reading *reading, uint64_t time);

/* The nearest integer, of two the even one, as rint(): that is a call where the processor need not
 * have an instruction for it. */
#ifdef __SSE2__
static inline int64_t measure_clock_round_small(double value)
{
	return _mm_cvtsd_si64(_mm_set_sd(value));
}
#else
static inline int64_t measure_clock_round_small(double value)
{
	return (int64_t)rint(value);
}
#endif

static inline uint64_t measure_clock_function_read(const struct measure_clock_function *function,
	struct measure_clock_reading *reading, uint64_t time)
{
	const double distance = (double)(int64_t)(time - reading->line.time);

	if (unlikely(time - reading->first >= reading->span))
		return measure_clock_function_read_slowly(function, reading, time);
	return time + (uint64_t)reading->line.offset +
	       (uint64_t)measure_clock_round_small(reading->line.slope * distance);
}

/* The knot that begins the line in use at a time; 0 where there are less than two. */
size_t measure_clock_function_find(const struct measure_clock_function *function, uint64_t time);

/* A time whose corrected one is `corrected`, or next to it. */
uint64_t measure_clock_function_invert(
	const struct measure_clock_function *function, uint64_t corrected);

/* Bounds do not count. */
bool measure_clock_function_is_same(
	const struct measure_clock_function *a, const struct measure_clock_function *b);

#endif
