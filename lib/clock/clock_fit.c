/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The line between bounds; see clock_function.h. It is found by its slope: for each slope the lower
 * bounds leave a least height and the upper ones a greatest, and the room between the two is a
 * concave function of the slope. Only corners of the convex hulls matter. */
#include "config.h"

#include <math.h>

#include "clock_function.h"

/* No clock that deserves the name drifts faster against another. */
#define STEEPEST 500e-6
#define NR_STEPS 100 /* of a search: each leaves two thirds of the range */

/* Relative to the first bound: all numbers are small then. */
struct point {
	double time;
	double offset;
};

struct clock_fit_room {
	struct measure_clock_bound base;
	struct measure_clock_bound *lows, *highs; /* corners of the hulls */
	size_t nr_lows, nr_highs;
};

static struct point point_of(
	const struct measure_clock_bound *bound, const struct measure_clock_bound *base)
{
	return (struct point){(double)(int64_t)(bound->time - base->time),
		(double)(int64_t)((uint64_t)bound->offset - (uint64_t)base->offset)};
}

/* Whether the middle one of three is no corner: on, or on the wrong side of, the line between the
 * others. `side`: 1 where corners are above, -1 where they are below. */
static bool is_no_corner(const struct measure_clock_bound *a, const struct measure_clock_bound *b,
	const struct measure_clock_bound *c, double side)
{
	const struct point ab = point_of(b, a);
	const struct point ac = point_of(c, a);

	return side * (ab.offset * ac.time - ac.offset * ab.time) <= 0;
}

/* Leaves the corners of the hull; of bounds at one time the strictest. */
static size_t take_corners(struct measure_clock_bound *bounds, size_t nr, double side)
{
	size_t nr_corners = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct measure_clock_bound bound = bounds[i];

		if (nr_corners > 0 && bounds[nr_corners - 1].time == bound.time) {
			if (side * point_of(&bound, &bounds[nr_corners - 1]).offset <= 0)
				continue;
			nr_corners--;
		}
		while (nr_corners >= 2 && is_no_corner(&bounds[nr_corners - 2],
						  &bounds[nr_corners - 1], &bound, side))
			nr_corners--;
		bounds[nr_corners++] = bound;
	}
	return nr_corners;
}

/* Height at the base's time of the lowest line of a slope that is above all lower bounds. */
static double floor_of(const struct clock_fit_room *room, double slope)
{
	double height = -HUGE_VAL;

	for (size_t i = 0; i < room->nr_lows; i++) {
		const struct point point = point_of(&room->lows[i], &room->base);

		height = fmax(height, point.offset - slope * point.time);
	}
	return height;
}

static double ceiling_of(const struct clock_fit_room *room, double slope)
{
	double height = HUGE_VAL;

	for (size_t i = 0; i < room->nr_highs; i++) {
		const struct point point = point_of(&room->highs[i], &room->base);

		height = fmin(height, point.offset - slope * point.time);
	}
	return height;
}

/* What is searched for the slope at which it is greatest; all are concave. */
typedef double (*value_fn)(const struct clock_fit_room *room, double slope, double time);

static double height_between(const struct clock_fit_room *room, double slope, double time)
{
	(void)time;
	return ceiling_of(room, slope) - floor_of(room, slope);
}

static double highest_at(const struct clock_fit_room *room, double slope, double time)
{
	return ceiling_of(room, slope) + slope * time;
}

static double lowest_at(const struct clock_fit_room *room, double slope, double time)
{
	return -(floor_of(room, slope) + slope * time);
}

static double find_greatest(
	const struct clock_fit_room *room, value_fn value, double time, double from, double to)
{
	for (int i = 0; i < NR_STEPS; i++) {
		const double third = (to - from) / 3;

		if (value(room, from + third, time) < value(room, to - third, time))
			from += third;
		else
			to -= third;
	}
	return (from + to) / 2;
}

/* From a slope with at least so much room on to the last one that has it. */
static double find_last(const struct clock_fit_room *room, double least, double from, double to)
{
	if (height_between(room, to, 0) >= least)
		return to;
	for (int i = 0; i < NR_STEPS; i++) {
		const double middle = (from + to) / 2;

		if (height_between(room, middle, 0) >= least)
			from = middle;
		else
			to = middle;
	}
	return from;
}

/* Whether lower and upper bounds are there at one time: only then the middle is well defined. */
static bool do_overlap(const struct clock_fit_room *room)
{
	return room->lows[0].time < room->highs[room->nr_highs - 1].time &&
	       room->highs[0].time < room->lows[room->nr_lows - 1].time;
}

static double find_slope(const struct clock_fit_room *room)
{
	const double best = find_greatest(room, height_between, 0, -STEEPEST, STEEPEST);
	const double most = height_between(room, best, 0);
	const double least = most < 0 || do_overlap(room) ? most - 0.5 : 0;
	const double first = find_last(room, least, best, -STEEPEST);
	const double last = find_last(room, least, best, STEEPEST);

	return fmin(fmax(0, first), last);
}

/* How far the true line can be from the one in the middle at a time. */
static double find_half(const struct clock_fit_room *room, double slope, double height, double time)
{
	const double best = find_greatest(room, height_between, 0, -STEEPEST, STEEPEST);
	const double first = find_last(room, 0, best, -STEEPEST);
	const double last = find_last(room, 0, best, STEEPEST);
	const double middle = height + slope * time;
	const double up = find_greatest(room, highest_at, time, first, last);
	const double down = find_greatest(room, lowest_at, time, first, last);

	return fmax(highest_at(room, up, time) - middle, lowest_at(room, down, time) + middle);
}

static double middle_height(const struct clock_fit_room *room, double slope)
{
	const double low = floor_of(room, slope);
	const double high = ceiling_of(room, slope);

	if (room->nr_lows == 0)
		return high;
	return room->nr_highs == 0 ? low : (low + high) / 2;
}

struct measure_clock_line measure_clock_line_fit(struct measure_clock_bound *lows, size_t nr_lows,
	struct measure_clock_bound *highs, size_t nr_highs, uint64_t first, uint64_t last,
	double *half)
{
	const struct measure_clock_bound base = nr_lows ? lows[0] : highs[0];
	const struct clock_fit_room room = {base, lows, highs, take_corners(lows, nr_lows, 1),
		take_corners(highs, nr_highs, -1)};
	const bool is_two_sided = nr_lows > 0 && nr_highs > 0;
	const double slope = is_two_sided ? find_slope(&room) : 0;
	const double height = middle_height(&room, slope);

	*half = HUGE_VAL;
	if (is_two_sided && height_between(&room, slope, 0) >= 0)
		*half = 1 +
			fmax(find_half(&room, slope, height, (double)(int64_t)(first - base.time)),
				find_half(
					&room, slope, height, (double)(int64_t)(last - base.time)));
	return (struct measure_clock_line){base.time, base.offset + (int64_t)rint(height), slope};
}
