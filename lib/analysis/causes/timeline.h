/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What each location did at any time: it was in a call path, or it waited. Made of its segments
 * (analysis/waits/segments.h), with the waits cut out. Adds up ranges of any length: the time in
 * each path and in each wait. */
#ifndef MEASURE_ANALYSIS_CAUSES_TIMELINE_H
#define MEASURE_ANALYSIS_CAUSES_TIMELINE_H

#include "idle_waits.h"

/* A span with this bit is a piece of a wait: the rest is its number on the location. */
#define MEASURE_SPAN_WAIT (UINT32_C(1) << 31)

struct measure_timeline {
	/* its first event, or that of its process; its last; equal: there is nothing */
	uint64_t begin, end;
	/* `path` is an index of paths[], or a wait */
	MEASURE_GROWING(struct measure_span, spans);
	uint32_t *paths; /* those that it has been in, ascending */
	size_t nr_paths;
	uint32_t *pieces; /* spans that are waits */
	size_t nr_pieces;
	/* ticks by path, up to each span whose number is a multiple of `distance` */
	uint64_t *marks;
	size_t distance, nr_marks;
};

struct measure_timelines {
	const struct measure_waits *waits;
	struct measure_all_waits all; /* that are cut out */
	struct measure_timeline *locations;
	size_t nr_locations;
	/* paths of a location that is not in use, that has not begun yet, that has ended */
	uint32_t idle, before, after;
};

/* Adds the paths above to the profile. */
void measure_timelines_add_paths(struct measure_profile *profile);

/* Takes the segments of the calls' tables. Adds the paths, unless they are there. */
void measure_timelines_make(
	struct measure_timelines *timelines, struct measure_waits *waits, unsigned nr_threads);
void measure_timelines_free(struct measure_timelines *timelines);

/* ------------------------------------------------------------------------- ranges --- */

/* Ticks in paths. All zero but `ticks`, which has room for all paths of the profile, is an empty
 * one. */
struct measure_path_times {
	uint64_t *ticks;                  /* by path */
	MEASURE_GROWING(uint32_t, paths); /* those that have been added to, in any order */
};

void measure_path_times_start(
	struct measure_path_times *range, const struct measure_timelines *timelines);
void measure_path_times_clear(struct measure_path_times *range);
void measure_path_times_free(struct measure_path_times *range);

static inline void measure_path_times_add(
	struct measure_path_times *range, uint32_t path, uint64_t ticks)
{
	if (ticks == 0)
		return;
	if (range->ticks[path] == 0)
		*measure_append(range, paths) = path;
	range->ticks[path] += ticks;
}

/* Adds the time in each path, without waits, from `from` to `until`. */
void measure_timeline_paths(const struct measure_timelines *timelines, uint32_t location,
	uint64_t from, uint64_t until, struct measure_path_times *range);

/* The same with waits, which count where their calls are. */
void measure_timeline_all(const struct measure_timelines *timelines, uint32_t location,
	uint64_t from, uint64_t until, struct measure_path_times *range);

/* Calls piece(data, wait, ticks) for the pieces of waits between, in the order of time. A wait is
 * numbered on its location. */
void measure_timeline_waits(const struct measure_timeline *timeline, uint64_t from, uint64_t until,
	void (*piece)(void *data, uint32_t wait, uint64_t ticks), void *data);

#endif
