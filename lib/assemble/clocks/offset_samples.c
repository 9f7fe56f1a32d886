/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weighing samples against each other; see clock_correction.h. */
#include "config.h"

#include "clock_correction.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How much the drift between two clocks can change while a program runs. */
#define DRIFT_CHANGE 50e-6

/* Ticks between two samples. */
static double distance_of(const struct measure_clock_knot *a, const struct measure_clock_knot *b)
{
	return fabs((double)(int64_t)(a->time - b->time));
}

/* By how much a line through one sample misses another one. */
static double missed_by(const struct measure_clock_knot *sample,
	const struct measure_clock_knot *from, double slope)
{
	const struct measure_clock_line line = {from->time, from->offset, slope};
	const double moved = (double)(int64_t)((uint64_t)sample->offset - (uint64_t)from->offset);

	return fabs(moved - measure_clock_line_rise(&line, sample->time));
}

/* Wall clocks may be set while the program runs; then the samples do not bear out what they
 * say. All samples against the best one. */
static bool bear_out(const struct measure_clock_function *samples,
	const struct measure_clock_knot *best, double drift, double error)
{
	for (size_t i = 0; i < samples->nr; i++) {
		const struct measure_clock_knot *sample = &samples->items[i];
		if (missed_by(sample, best, drift) >
			sample->bound + best->bound + error * distance_of(sample, best))
			return false;
	}
	return true;
}

static int compare_bounds(const void *left, const void *right)
{
	const struct measure_clock_knot *a = left, *b = right;

	return (a->bound > b->bound) - (a->bound < b->bound);
}

/* Where a time belongs among the first `nr` samples, which are in order. */
static size_t offset_samples_place_of(
	const struct measure_clock_function *samples, size_t nr, uint64_t ticks)
{
	size_t from = 0;

	while (from < nr) {
		size_t middle = from + (nr - from) / 2;
		if (samples->items[middle].time < ticks)
			from = middle + 1;
		else
			nr = middle;
	}
	return from;
}

/* Whether the line between two samples tells the drift better than the wall clocks do. */
static bool tells_drift(
	const struct measure_clock_knot *a, const struct measure_clock_knot *b, double error)
{
	return a->bound + b->bound < error * distance_of(a, b);
}

/* Whether a sample between others, or beyond them, says something that they do not say better. */
static bool is_worth(const struct measure_clock_knot *sample,
	const struct measure_clock_knot *before, const struct measure_clock_knot *after,
	double drift, double error)
{
	const struct measure_clock_knot *nearest = before ? before : after;

	if (!nearest)
		return true;
	if (after && after->time == sample->time)
		return false;
	if ((!before || tells_drift(sample, before, error)) &&
		(!after || tells_drift(sample, after, error)))
		return true;
	/* Missed by more than it may be wrong: the drift has changed there, and even a poor sample
	 * knows more of it. */
	if (before && after)
		drift = measure_clock_line_between(before, after).slope;
	return missed_by(sample, nearest, drift) > sample->bound;
}

void measure_samples_drop_poor(struct measure_clock_function *samples, double drift, double error)
{
	size_t nr = 0;

	if (samples->nr < 2)
		return;
	qsort(samples->items, samples->nr, sizeof(*samples->items), compare_bounds);
	if (!bear_out(samples, &samples->items[0], drift, error))
		error = DRIFT_CHANGE;
	/* The kept ones in the order of time, then those to be looked at in that of bounds. */
	for (size_t i = 0; i < samples->nr; i++) {
		const struct measure_clock_knot sample = samples->items[i];
		size_t place = offset_samples_place_of(samples, nr, sample.time);
		struct measure_clock_knot *after = &samples->items[place];

		if (!is_worth(&sample, place > 0 ? after - 1 : NULL, place < nr ? after : NULL,
			    drift, error))
			continue;
		memmove(after + 1, after, (nr - place) * sizeof(*after));
		*after = sample;
		nr++;
	}
	samples->nr = nr;
}
