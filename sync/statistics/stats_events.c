/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What became of single events. */
#include "config.h"

#include "stats_internal.h"

static int64_t distance(int64_t a, int64_t b)
{
	return a < b ? b - a : a - b;
}

/* a / b > c / d, without rounding; something against nothing is more than any share. */
static bool is_more(int64_t part, int64_t whole, const struct measure_sync_share *than)
{
	if (than->whole == 0)
		return true;
	return (measure_wide_t)part * than->whole > (measure_wide_t)than->part * whole;
}

static void take_worst(struct measure_sync_share *worst, int64_t part, int64_t whole)
{
	if (part > 0 && whole > 0 && is_more(part, whole, worst))
		*worst = (struct measure_sync_share){part, whole};
}

static void add_displacement(struct measure_sync_event_stats *stats, int64_t moved)
{
	unsigned __int128 square = (unsigned __int128)moved * (unsigned __int128)moved;

	stats->nr++;
	stats->nr_moved += moved > 0;
	stats->sum += moved;
	/* Only a damaged archive has shifts of centuries. */
	if (__builtin_add_overflow(stats->squares, square, &stats->squares))
		stats->squares = ~(unsigned __int128)0;
	if (moved > stats->largest)
		stats->largest = moved;
}

static void add_position(struct measure_sync_event_stats *stats, int64_t before, int64_t after)
{
	const int64_t deviation = distance(before, after);

	stats->nr_positions++;
	stats->position_sum += deviation;
	if (deviation > stats->largest_position)
		stats->largest_position = deviation;
	take_worst(&stats->worst_position, deviation, before);
}

static enum measure_sync_distance class_of(int64_t deviation, int64_t before)
{
	static const int64_t parts[] = {[MEASURE_SYNC_DISTANCE_10000TH] = 10000,
		[MEASURE_SYNC_DISTANCE_1000TH] = 1000,
		[MEASURE_SYNC_DISTANCE_100TH] = 100,
		[MEASURE_SYNC_DISTANCE_10TH] = 10,
		[MEASURE_SYNC_DISTANCE_WHOLE] = 1};

	if (deviation == 0)
		return MEASURE_SYNC_DISTANCE_SAME;
	for (int i = MEASURE_SYNC_DISTANCE_10000TH; i <= MEASURE_SYNC_DISTANCE_WHOLE; i++)
		if ((measure_wide_t)deviation * parts[i] <= before)
			return i;
	return MEASURE_SYNC_DISTANCE_MORE;
}

static void add_distance(struct measure_sync_event_stats *stats, int64_t before, int64_t after)
{
	const int64_t deviation = distance(before, after);
	struct measure_sync_intervals *intervals = &stats->distances[class_of(deviation, before)];

	intervals->nr++;
	intervals->before += before;
	intervals->after += after;
	intervals->deviation += deviation;
	stats->nr_stretched += before == 0 && deviation > 0;
	take_worst(&stats->worst_distance, deviation, before);
}

void stats_event(struct measure_sync_event_stats *stats, struct stats_location *location,
	int64_t before, int64_t after)
{
	add_displacement(stats, distance(before, after));
	if (location->has_first) {
		add_position(stats, before - location->first_before, after - location->first_after);
		add_distance(stats, before - location->last_before, after - location->last_after);
	} else {
		location->has_first = true;
		location->first_before = before;
		location->first_after = after;
	}
	location->last_before = before;
	location->last_after = after;
}
