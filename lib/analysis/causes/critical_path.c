/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks back through the waits, then compares each location with the critical path. */
#include "config.h"

#include "critical_path.h"

#include <stdlib.h>

#include "apportion.h"
#include "wait_order.h"

/* ------------------------------------------------------------------------ the walk --- */

/* The position of the walk. */
struct path_walk {
	const struct measure_all_waits *all;
	uint32_t *order;
	size_t *left; /* by location: end of the waits that have not been passed yet */
	uint32_t location;
	uint64_t time;
};

static bool has_events(const struct measure_timelines *timelines, size_t location)
{
	const struct measure_timeline *timeline = &timelines->locations[location];

	return timeline->begin > 0 || timeline->end > timeline->begin;
}

/* The latest wait that was over by now. */
static const struct measure_wait_state *last_wait(struct path_walk *walk)
{
	const size_t first = walk->all->first[walk->location];
	size_t *left = &walk->left[walk->location];

	while (*left > first) {
		const struct measure_wait_state *wait = &walk->all->waits[walk->order[--*left]];

		if (wait->until <= walk->time && measure_wait_has_cause(wait))
			return wait;
	}
	return NULL;
}

static void add_segment(
	struct measure_critical_path *critical, uint32_t location, uint64_t from, uint64_t until)
{
	const size_t nr = critical->nr_segments;

	if (from >= until)
		return;
	if (nr > 0 && critical->segments[nr - 1].location == location)
		critical->segments[nr - 1].from = from;
	else
		*measure_append(critical, segments) = (struct measure_path_segment){
			.from = from, .until = until, .location = location};
}

static void reverse_segments(struct measure_critical_path *critical)
{
	for (size_t i = 0; i < critical->nr_segments / 2; i++) {
		struct measure_path_segment *a = &critical->segments[i];
		struct measure_path_segment *b = &critical->segments[critical->nr_segments - 1 - i];
		const struct measure_path_segment kept = *a;

		*a = *b;
		*b = kept;
	}
}

static void walk_back(struct measure_critical_path *critical, const struct measure_all_waits *all,
	uint32_t location)
{
	struct path_walk walk = {.all = all,
		.order = measure_wait_order(all),
		.left = measure_zeroed(all->nr_locations, sizeof(*walk.left)),
		.location = location,
		.time = critical->last};
	const struct measure_wait_state *wait;

	for (size_t i = 0; i < all->nr_locations; i++)
		walk.left[i] = all->first[i + 1];
	while ((wait = last_wait(&walk)) && wait->until > critical->first) {
		add_segment(critical, walk.location, wait->until, walk.time);
		walk.location = wait->cause;
		walk.time = wait->until;
	}
	add_segment(critical, walk.location, critical->first, walk.time);
	reverse_segments(critical);
	measure_free(walk.order);
	measure_free(walk.left);
}

/* The location with the last event. */
static uint32_t find_ends(
	struct measure_critical_path *critical, const struct measure_timelines *timelines)
{
	uint32_t last = MEASURE_NONE;

	for (size_t i = 0; i < timelines->nr_locations; i++) {
		const struct measure_timeline *timeline = &timelines->locations[i];

		if (!has_events(timelines, i))
			continue;
		critical->nr_locations++;
		if (last == MEASURE_NONE || timeline->begin < critical->first)
			critical->first = timeline->begin;
		if (last == MEASURE_NONE || timeline->end > critical->last) {
			critical->last = timeline->end;
			last = (uint32_t)i;
		}
	}
	return last;
}

/* ------------------------------------------------------------------------- profile --- */

static int compare_critical_rows(const void *left, const void *right)
{
	const struct measure_critical_row *a = left, *b = right;

	return (a->path > b->path) - (a->path < b->path);
}

static void find_profile(
	struct measure_critical_path *critical, const struct measure_timelines *timelines)
{
	struct measure_path_times range;

	critical->locations = measure_zeroed(timelines->nr_locations, sizeof(*critical->locations));
	measure_path_times_start(&range, timelines);
	for (size_t i = 0; i < critical->nr_segments; i++) {
		const struct measure_path_segment *segment = &critical->segments[i];

		critical->locations[segment->location] += segment->until - segment->from;
		measure_timeline_all(
			timelines, segment->location, segment->from, segment->until, &range);
	}
	for (size_t i = 0; i < range.nr_paths; i++)
		*measure_append(critical, rows) = (struct measure_critical_row){
			.path = range.paths[i], .ticks = range.ticks[range.paths[i]]};
	if (critical->nr_rows > 1)
		qsort(critical->rows, critical->nr_rows, sizeof(*critical->rows),
			compare_critical_rows);
	measure_path_times_free(&range);
}

/* --------------------------------------------------------------------- comparison --- */

/* Divides the ticks that a location lost among the call paths that are longer on the critical path.
 */
static void add_impact(struct measure_critical_path *critical, const struct measure_path_times *own,
	unsigned __int128 own_ticks)
{
	const uint64_t length = critical->last - critical->first;
	const uint64_t lost = length > own_ticks ? (uint64_t)(length - own_ticks) : 0;
	unsigned __int128 weights = 0;
	struct measure_apportion apportion;

	for (size_t i = 0; i < critical->nr_rows; i++) {
		const struct measure_critical_row *row = &critical->rows[i];
		const uint64_t ticks = own->ticks[row->path];

		weights += row->ticks > ticks ? row->ticks - ticks : 0;
		critical->activities += row->ticks < ticks ? row->ticks : ticks;
	}
	apportion = measure_apportion_start(lost, weights);
	for (size_t i = 0; i < critical->nr_rows; i++) {
		struct measure_critical_row *row = &critical->rows[i];
		const uint64_t ticks = own->ticks[row->path];

		row->impact += measure_apportion_next(
			&apportion, row->ticks > ticks ? row->ticks - ticks : 0);
	}
	critical->impact += apportion.given;
}

/* The part of the impact for call paths that the location is never in. */
static void add_inter(struct measure_critical_path *critical, const struct measure_path_times *own,
	unsigned __int128 own_ticks)
{
	const uint64_t length = critical->last - critical->first;
	unsigned __int128 taken = own_ticks, weights = 0;
	struct measure_apportion apportion;

	for (size_t i = 0; i < critical->nr_rows; i++) {
		const struct measure_critical_row *row = &critical->rows[i];
		const uint64_t ticks = own->ticks[row->path];

		if (ticks == 0)
			weights += row->ticks;
		else
			taken += row->ticks > ticks ? row->ticks - ticks : 0;
	}
	apportion =
		measure_apportion_start(length > taken ? (uint64_t)(length - taken) : 0, weights);
	for (size_t i = 0; i < critical->nr_rows; i++) {
		struct measure_critical_row *row = &critical->rows[i];

		row->inter += measure_apportion_next(
			&apportion, own->ticks[row->path] == 0 ? row->ticks : 0);
	}
}

static void set_imbalance(struct measure_critical_path *critical, const unsigned __int128 *sums)
{
	for (size_t i = 0; i < critical->nr_rows; i++) {
		struct measure_critical_row *row = &critical->rows[i];
		const unsigned __int128 all =
			(unsigned __int128)row->ticks * critical->nr_locations;

		if (all > sums[i])
			row->imbalance = (uint64_t)((all - sums[i]) / critical->nr_locations);
		if (row->inter > row->impact)
			row->inter = row->impact;
	}
}

static void compare_locations(
	struct measure_critical_path *critical, const struct measure_timelines *timelines)
{
	unsigned __int128 *sums = measure_zeroed(critical->nr_rows, sizeof(*sums));
	struct measure_path_times own;

	measure_path_times_start(&own, timelines);
	for (uint32_t i = 0; i < timelines->nr_locations; i++) {
		const struct measure_timeline *timeline = &timelines->locations[i];
		unsigned __int128 ticks = 0, here = critical->activities;

		if (!has_events(timelines, i))
			continue;
		measure_timeline_paths(timelines, i, timeline->begin, timeline->end, &own);
		for (size_t k = 0; k < own.nr_paths; k++)
			ticks += own.ticks[own.paths[k]];
		for (size_t k = 0; k < critical->nr_rows; k++)
			sums[k] += own.ticks[critical->rows[k].path];
		add_impact(critical, &own, ticks);
		here = critical->activities - here;
		critical->others += ticks - here;
		add_inter(critical, &own, ticks);
		measure_path_times_clear(&own);
	}
	set_imbalance(critical, sums);
	measure_path_times_free(&own);
	measure_free(sums);
}

void measure_critical_path_find(
	struct measure_critical_path *critical, const struct measure_timelines *timelines)
{
	uint32_t location;

	*critical = (struct measure_critical_path){.nr_locations = 0};
	location = find_ends(critical, timelines);
	if (location != MEASURE_NONE)
		walk_back(critical, &timelines->all, location);
	find_profile(critical, timelines);
	compare_locations(critical, timelines);
}

void measure_critical_path_free(struct measure_critical_path *critical)
{
	measure_free(critical->segments);
	measure_free(critical->rows);
	measure_free(critical->locations);
	*critical = (struct measure_critical_path){.nr_locations = 0};
}
