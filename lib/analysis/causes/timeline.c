/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cuts waits out of segments, and adds up ranges. A short range is gone through span by span; of a
 * long one the ends are, and marks tell what lies between. */
#include "config.h"

#include "timeline.h"

#include <stdlib.h>

#include "sync/parallel/workers.h"

#define LEAST_DISTANCE 128 /* of marks; more where there are many paths */

/* A part of a wait in which nothing else was done. */
struct wait_piece {
	uint64_t from, until;
	uint32_t wait; /* of the location */
};

struct timeline_making {
	struct measure_timelines *timelines;
	struct measure_call_table *tables;
};

/* The timeline of a location, while it is being made. */
struct timeline_cutting {
	const struct measure_timelines *timelines;
	uint32_t location;
	struct measure_timeline *timeline;
	MEASURE_GROWING(struct wait_piece, pieces);
	size_t next; /* the first piece that has not been cut out as a whole */
};

/* ------------------------------------------------------------------------- pieces --- */

/* No more than the ticks that are left of the wait. */
static void add_piece(struct timeline_cutting *cutting, uint32_t wait, uint64_t from,
	uint64_t until, uint64_t *left)
{
	const uint64_t ticks = until > from ? measure_earlier(until - from, *left) : 0;

	if (ticks > 0)
		*measure_append(cutting, pieces) =
			(struct wait_piece){.from = from, .until = from + ticks, .wait = wait};
	*left -= ticks;
}

/* Between the calls and tasks inside of it. */
static void add_pieces(
	struct timeline_cutting *cutting, const struct measure_wait_state *wait, uint32_t number)
{
	const struct measure_call_table *table = &cutting->timelines->all.tables[cutting->location];
	const struct measure_sync_call *calls = table->calls;
	const uint64_t end = measure_earlier(wait->until, calls[wait->call].leave);
	uint64_t at = wait->from, left = wait->ticks;

	for (size_t i = (size_t)wait->call + 1; i < table->nr_calls; i++) {
		if (calls[i].first > calls[wait->call].last || calls[i].enter >= end)
			break;
		if (calls[i].outer != wait->call || calls[i].leave <= at)
			continue;
		add_piece(cutting, number, at, calls[i].enter, &left);
		at = calls[i].leave;
	}
	add_piece(cutting, number, at, end, &left);
}

static int compare_pieces(const void *left, const void *right)
{
	const struct wait_piece *a = left, *b = right;

	return (a->from > b->from) - (a->from < b->from);
}

static void find_pieces(struct timeline_cutting *cutting)
{
	const struct measure_all_waits *all = &cutting->timelines->all;
	const size_t first = all->first[cutting->location];
	const size_t end = all->first[cutting->location + 1];
	bool is_sorted = true;

	for (size_t i = first; i < end; i++) {
		const struct measure_wait_state *wait = &all->waits[i];
		uint64_t left = wait->ticks;

		if (measure_wait_is_idle(wait))
			add_piece(cutting, (uint32_t)(i - first), wait->from, wait->until, &left);
		else
			add_pieces(cutting, wait, (uint32_t)(i - first));
	}
	for (size_t i = 1; i < cutting->nr_pieces; i++)
		is_sorted &= cutting->pieces[i - 1].from <= cutting->pieces[i].from;
	if (!is_sorted)
		qsort(cutting->pieces, cutting->nr_pieces, sizeof(*cutting->pieces),
			compare_pieces);
}

/* -------------------------------------------------------------------------- spans --- */

static void add_span(struct measure_timeline *timeline, uint64_t until, uint32_t path)
{
	const size_t nr = timeline->nr_spans;

	if (until <= timeline->end)
		return;
	if (nr > 0 && timeline->spans[nr - 1].path == path)
		timeline->spans[nr - 1].until = until;
	else
		*measure_append(timeline, spans) =
			(struct measure_span){.until = until, .path = path};
	timeline->end = until;
}

/* Pieces do not overlap. */
static void cut_span(struct timeline_cutting *cutting, uint64_t until, uint32_t path)
{
	struct measure_timeline *timeline = cutting->timeline;

	for (; cutting->next < cutting->nr_pieces && cutting->pieces[cutting->next].from < until;
		cutting->next++) {
		const struct wait_piece *piece = &cutting->pieces[cutting->next];

		add_span(timeline, piece->from, path);
		add_span(timeline, measure_earlier(piece->until, until),
			piece->wait | MEASURE_SPAN_WAIT);
		if (piece->until > until)
			break;
	}
	add_span(timeline, until, path);
}

/* A thread may wait before it begins. */
static void cut_out(struct timeline_cutting *cutting, const struct measure_segments *segments)
{
	struct measure_timeline *timeline = cutting->timeline;

	timeline->begin = segments->begin;
	if (cutting->nr_pieces > 0)
		timeline->begin = measure_earlier(timeline->begin, cutting->pieces[0].from);
	timeline->end = timeline->begin;
	cut_span(cutting, segments->begin, cutting->timelines->before);
	for (size_t i = 0; i < segments->nr_spans; i++)
		cut_span(cutting, segments->spans[i].until, segments->spans[i].path);
}

/* -------------------------------------------------------------------------- paths --- */

/* Paths are numbered anew: most locations are in few of them. */
static void number_paths(struct measure_timeline *timeline, size_t nr_paths)
{
	uint32_t *numbers = measure_zeroed(nr_paths, sizeof(*numbers));

	for (size_t i = 0; i < timeline->nr_spans; i++) {
		const uint32_t path = timeline->spans[i].path;

		if (path & MEASURE_SPAN_WAIT)
			timeline->nr_pieces++;
		else
			numbers[path] = 1;
	}
	for (size_t i = 0; i < nr_paths; i++)
		timeline->nr_paths += numbers[i];
	timeline->paths = measure_zeroed(timeline->nr_paths, sizeof(*timeline->paths));
	for (size_t i = 0, nr = 0; i < nr_paths; i++) {
		if (numbers[i] == 0)
			continue;
		timeline->paths[nr] = (uint32_t)i;
		numbers[i] = (uint32_t)nr++;
	}
	for (size_t i = 0; i < timeline->nr_spans; i++)
		if (!(timeline->spans[i].path & MEASURE_SPAN_WAIT))
			timeline->spans[i].path = numbers[timeline->spans[i].path];
	measure_free(numbers);
}

static uint64_t begin_of_span(const struct measure_timeline *timeline, size_t span)
{
	return span > 0 ? timeline->spans[span - 1].until : timeline->begin;
}

static void set_marks(struct measure_timeline *timeline)
{
	const size_t nr = timeline->nr_paths;
	uint64_t *sums = measure_zeroed(nr, sizeof(*sums));

	timeline->distance = measure_later(LEAST_DISTANCE, 2 * nr);
	timeline->nr_marks = timeline->nr_spans / timeline->distance + 1;
	timeline->marks = measure_uncleared(timeline->nr_marks * nr, sizeof(*timeline->marks));
	for (size_t i = 0; i < timeline->nr_spans; i++) {
		if (i % timeline->distance == 0)
			for (size_t path = 0; path < nr; path++)
				timeline->marks[i / timeline->distance * nr + path] = sums[path];
		if (!(timeline->spans[i].path & MEASURE_SPAN_WAIT))
			sums[timeline->spans[i].path] +=
				timeline->spans[i].until - begin_of_span(timeline, i);
	}
	if (timeline->nr_spans % timeline->distance == 0)
		for (size_t path = 0; path < nr; path++)
			timeline->marks[(timeline->nr_marks - 1) * nr + path] = sums[path];
	measure_free(sums);
}

static void list_pieces(struct measure_timeline *timeline)
{
	size_t nr = 0;

	timeline->pieces = measure_uncleared(timeline->nr_pieces, sizeof(*timeline->pieces));
	for (size_t i = 0; i < timeline->nr_spans; i++)
		if (timeline->spans[i].path & MEASURE_SPAN_WAIT)
			timeline->pieces[nr++] = (uint32_t)i;
}

/* ------------------------------------------------------------------------- making --- */

static void make_timeline(void *data, size_t location)
{
	struct timeline_making *making = data;
	struct measure_segments *segments = &making->tables[location].segments;
	struct timeline_cutting cutting = {.timelines = making->timelines,
		.location = (uint32_t)location,
		.timeline = &making->timelines->locations[location]};

	find_pieces(&cutting);
	cut_out(&cutting, segments);
	measure_free(cutting.pieces);
	measure_free(segments->spans);
	*segments = (struct measure_segments){.begin = segments->begin};
	number_paths(cutting.timeline, making->timelines->waits->profile.nr_paths);
	list_pieces(cutting.timeline);
	set_marks(cutting.timeline);
}

void measure_timelines_add_paths(struct measure_profile *profile)
{
	measure_profile_child(profile, 0, MEASURE_PSEUDO_IDLE);
	measure_profile_child(profile, 0, MEASURE_PSEUDO_BEFORE_FIRST);
	measure_profile_child(profile, 0, MEASURE_PSEUDO_AFTER_LAST);
}

void measure_timelines_make(
	struct measure_timelines *timelines, struct measure_waits *waits, unsigned nr_threads)
{
	const size_t nr = waits->dependencies.nr_locations;
	struct timeline_making making = {timelines, waits->dependencies.tables};

	*timelines = (struct measure_timelines){.waits = waits,
		.nr_locations = nr,
		.locations = measure_zeroed(nr, sizeof(*timelines->locations)),
		.idle = measure_profile_child(&waits->profile, 0, MEASURE_PSEUDO_IDLE),
		.before = measure_profile_child(&waits->profile, 0, MEASURE_PSEUDO_BEFORE_FIRST),
		.after = measure_profile_child(&waits->profile, 0, MEASURE_PSEUDO_AFTER_LAST)};
	measure_all_waits_find(&timelines->all, waits);
	measure_workers_share(nr_threads, nr, make_timeline, &making);
}

void measure_timelines_free(struct measure_timelines *timelines)
{
	for (size_t i = 0; i < timelines->nr_locations; i++) {
		measure_free(timelines->locations[i].spans);
		measure_free(timelines->locations[i].paths);
		measure_free(timelines->locations[i].pieces);
		measure_free(timelines->locations[i].marks);
	}
	measure_free(timelines->locations);
	measure_all_waits_free(&timelines->all);
	*timelines = (struct measure_timelines){.nr_locations = 0};
}

/* ------------------------------------------------------------------------- ranges --- */

void measure_path_times_start(
	struct measure_path_times *range, const struct measure_timelines *timelines)
{
	*range = (struct measure_path_times){
		.ticks = measure_zeroed(timelines->waits->profile.nr_paths, sizeof(*range->ticks))};
}

void measure_path_times_clear(struct measure_path_times *range)
{
	for (size_t i = 0; i < range->nr_paths; i++)
		range->ticks[range->paths[i]] = 0;
	range->nr_paths = 0;
}

void measure_path_times_free(struct measure_path_times *range)
{
	measure_free(range->ticks);
	measure_free(range->paths);
	*range = (struct measure_path_times){.nr_paths = 0};
}

/* The span that a time lies in: the first one that ends after it. */
static size_t find_span(const struct measure_timeline *timeline, uint64_t time)
{
	size_t low = 0, high = timeline->nr_spans;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (timeline->spans[middle].until <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static uint32_t path_of_wait(
	const struct measure_timelines *timelines, uint32_t location, uint32_t number)
{
	const struct measure_all_waits *all = &timelines->all;
	const struct measure_wait_state *wait = &all->waits[all->first[location] + number];

	return measure_wait_is_idle(wait) ? timelines->idle
					  : all->tables[location].calls[wait->call].path;
}

static void add_spans(const struct measure_timelines *timelines, uint32_t location, size_t first,
	uint64_t from, uint64_t until, bool with_waits, struct measure_path_times *range)
{
	const struct measure_timeline *timeline = &timelines->locations[location];

	for (size_t i = first; i < timeline->nr_spans && from < until; i++) {
		const struct measure_span *span = &timeline->spans[i];
		const uint64_t end = measure_earlier(span->until, until);

		if (!(span->path & MEASURE_SPAN_WAIT))
			measure_path_times_add(range, timeline->paths[span->path], end - from);
		else if (with_waits)
			measure_path_times_add(range,
				path_of_wait(timelines, location, span->path & ~MEASURE_SPAN_WAIT),
				end - from);
		from = end;
	}
}

static void add_between_marks(const struct measure_timeline *timeline, size_t first, size_t last,
	struct measure_path_times *range)
{
	const uint64_t *before = &timeline->marks[first * timeline->nr_paths];
	const uint64_t *after = &timeline->marks[last * timeline->nr_paths];

	for (size_t path = 0; path < timeline->nr_paths; path++)
		measure_path_times_add(range, timeline->paths[path], after[path] - before[path]);
}

/* The part of a range in which the location has no events. */
static void add_outside(const struct measure_timelines *timelines, uint32_t location, uint64_t from,
	uint64_t until, struct measure_path_times *range)
{
	const struct measure_timeline *timeline = &timelines->locations[location];
	const uint64_t begin = timeline->begin, end = timeline->end;

	if (from < begin)
		measure_path_times_add(
			range, timelines->before, measure_earlier(until, begin) - from);
	if (until > end)
		measure_path_times_add(range, timelines->after, until - measure_later(from, end));
}

void measure_timeline_paths(const struct measure_timelines *timelines, uint32_t location,
	uint64_t from, uint64_t until, struct measure_path_times *range)
{
	const struct measure_timeline *timeline = &timelines->locations[location];
	const size_t distance = timeline->distance;
	size_t first, last, mark, end_mark;

	if (until <= from)
		return;
	add_outside(timelines, location, from, until, range);
	from = measure_later(from, timeline->begin);
	until = measure_earlier(until, timeline->end);
	if (until <= from)
		return;
	first = find_span(timeline, from);
	mark = first / distance + 1;
	/* most ranges are short */
	if (mark * distance >= timeline->nr_spans ||
		begin_of_span(timeline, mark * distance) >= until) {
		add_spans(timelines, location, first, from, until, false, range);
		return;
	}
	last = find_span(timeline, until);
	end_mark = last / distance;
	if (end_mark <= mark) {
		add_spans(timelines, location, first, from, until, false, range);
		return;
	}
	add_spans(timelines, location, first, from, begin_of_span(timeline, mark * distance), false,
		range);
	add_between_marks(timeline, mark, end_mark, range);
	add_spans(timelines, location, end_mark * distance,
		begin_of_span(timeline, end_mark * distance), until, false, range);
}

void measure_timeline_all(const struct measure_timelines *timelines, uint32_t location,
	uint64_t from, uint64_t until, struct measure_path_times *range)
{
	const struct measure_timeline *timeline = &timelines->locations[location];

	if (until <= from)
		return;
	add_outside(timelines, location, from, until, range);
	from = measure_later(from, timeline->begin);
	add_spans(timelines, location, find_span(timeline, from), from,
		measure_earlier(until, timeline->end), true, range);
}

void measure_timeline_waits(const struct measure_timeline *timeline, uint64_t from, uint64_t until,
	void (*piece)(void *data, uint32_t wait, uint64_t ticks), void *data)
{
	const size_t first = find_span(timeline, from);
	size_t low = 0, high = timeline->nr_pieces;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (timeline->pieces[middle] < first)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < timeline->nr_pieces; low++) {
		const size_t i = timeline->pieces[low];
		const struct measure_span *span = &timeline->spans[i];
		const uint64_t begin = measure_later(begin_of_span(timeline, i), from);

		if (begin >= until)
			return;
		piece(data, span->path & ~MEASURE_SPAN_WAIT,
			measure_earlier(span->until, until) - begin);
	}
}
