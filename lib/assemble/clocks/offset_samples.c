/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Weighing samples against each other; see offset_samples.h. */
#include "config.h"

#include "offset_samples.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How much the drift between two clocks can change while a program runs. */
#define DRIFT_CHANGE 50e-6

/* Ticks between two samples. */
static double distance_of(
	const struct measure_def_clock_sample *a, const struct measure_def_clock_sample *b)
{
	return fabs((double)(int64_t)(a->ticks - b->ticks));
}

/* Wall clocks may be set while the program runs; then the samples do not bear out what they
 * say. All samples against the best one. */
static bool bear_out(const measure_samples_t *samples, const struct measure_def_clock_sample *best,
	double drift, double error)
{
	for (size_t i = 0; i < samples->nr; i++) {
		const struct measure_def_clock_sample *sample = &samples->items[i];
		double ticks = (double)(int64_t)(sample->ticks - best->ticks);
		double moved = (double)(sample->offset - best->offset);
		if (fabs(moved - drift * ticks) >
			(double)(sample->bound + best->bound) + error * fabs(ticks))
			return false;
	}
	return true;
}

static int compare_bounds(const void *left, const void *right)
{
	const struct measure_def_clock_sample *a = left, *b = right;

	return (a->bound > b->bound) - (a->bound < b->bound);
}

/* Where a time belongs among the first `nr` samples, which are in order. */
static size_t offset_samples_place_of(const measure_samples_t *samples, size_t nr, uint64_t ticks)
{
	size_t from = 0;

	while (from < nr) {
		size_t middle = from + (nr - from) / 2;
		if (samples->items[middle].ticks < ticks)
			from = middle + 1;
		else
			nr = middle;
	}
	return from;
}

/* Whether the line between two samples tells the drift better than the wall clocks do. */
static bool tells_drift(const struct measure_def_clock_sample *a,
	const struct measure_def_clock_sample *b, double error)
{
	return (double)(a->bound + b->bound) < error * distance_of(a, b);
}

/* Whether a line misses a sample by more than that may be wrong: the drift has changed there, and
 * even a poor sample knows more of it. */
static bool is_missed_by(const struct measure_def_clock_sample *sample,
	const struct measure_def_clock_sample *from, double slope)
{
	double distance = (double)(int64_t)(sample->ticks - from->ticks);
	double moved = (double)(sample->offset - from->offset);

	return fabs(moved - slope * distance) > (double)sample->bound;
}

static double slope_between(
	const struct measure_def_clock_sample *a, const struct measure_def_clock_sample *b)
{
	return (double)(b->offset - a->offset) / (double)(b->ticks - a->ticks);
}

/* Whether a sample between others, or beyond them, says something that they do not say better. */
static bool is_worth(const struct measure_def_clock_sample *sample,
	const struct measure_def_clock_sample *before, const struct measure_def_clock_sample *after,
	double drift, double error)
{
	const struct measure_def_clock_sample *nearest = before ? before : after;

	if (!nearest)
		return true;
	if (after && after->ticks == sample->ticks)
		return false;
	if ((!before || tells_drift(sample, before, error)) &&
		(!after || tells_drift(sample, after, error)))
		return true;
	return is_missed_by(
		sample, nearest, before && after ? slope_between(before, after) : drift);
}

void measure_samples_drop_poor(measure_samples_t *samples, double drift, double error)
{
	size_t nr = 0;

	if (samples->nr < 2)
		return;
	qsort(samples->items, samples->nr, sizeof(*samples->items), compare_bounds);
	if (!bear_out(samples, &samples->items[0], drift, error))
		error = DRIFT_CHANGE;
	/* The kept ones in the order of time, then those to be looked at in that of bounds. */
	for (size_t i = 0; i < samples->nr; i++) {
		const struct measure_def_clock_sample sample = samples->items[i];
		size_t place = offset_samples_place_of(samples, nr, sample.ticks);
		struct measure_def_clock_sample *after = &samples->items[place];

		if (!is_worth(&sample, place > 0 ? after - 1 : NULL, place < nr ? after : NULL,
			    drift, error))
			continue;
		memmove(after + 1, after, (nr - place) * sizeof(*after));
		*after = sample;
		nr++;
	}
	samples->nr = nr;
}
