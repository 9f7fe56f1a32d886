/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a location spent its time, as far as waiting is concerned: between two boundaries, which
 * are Enters and Leaves of calls that can wait and moments that others wait for, how long it was in
 * each call path. In what order it was there between them is forgotten: the paths stand one behind
 * the other, in the order in which they came up. */
#ifndef MEASURE_ANALYSIS_WAITS_SEGMENTS_H
#define MEASURE_ANALYSIS_WAITS_SEGMENTS_H

#include <stdint.h>

#include "base/likely.h"
#include "trace/common/containers.h"

/* From the end of the span before. */
struct measure_span {
	uint64_t until;
	uint32_t path; /* innermost one */
} __attribute__((packed, aligned(4)));
_Static_assert(sizeof(struct measure_span) == 12, "two of these per call");

/* Of a location, from its first event to its last, without gaps. */
struct measure_segments {
	uint64_t begin;
	MEASURE_GROWING(struct measure_span, spans);
};

/* The segment that is being recorded. */
struct measure_segment_recorder {
	struct measure_segments *segments;
	uint64_t *ticks; /* by path */
	uint32_t *shown; /* paths with ticks, in the order in which they came up */
	size_t nr_shown;
	size_t nr_paths; /* room of both */
	uint64_t last;   /* up to here time has been charged */
	uint32_t path;   /* innermost since */
};

void measure_segments_start(
	struct measure_segment_recorder *recorder, struct measure_segments *segments);
/* The first event, at `time`. */
void measure_segments_begin(struct measure_segment_recorder *recorder, uint64_t time);
void measure_segments_make_room(struct measure_segment_recorder *recorder, uint32_t path);

/* Ends a segment at the last time that was charged. */
void measure_segments_cut(struct measure_segment_recorder *recorder);
void measure_segments_end(struct measure_segment_recorder *recorder);

static inline void measure_segments_charge(struct measure_segment_recorder *recorder, uint64_t time)
{
	const uint32_t path = recorder->path;
	const uint64_t ticks = time - recorder->last;
	uint64_t *sum = &recorder->ticks[path];

	if (*sum == 0 && ticks > 0)
		recorder->shown[recorder->nr_shown++] = path;
	*sum += ticks;
	recorder->last = time;
}

/* From now on the location is there. */
static inline void measure_segments_move(struct measure_segment_recorder *recorder, uint32_t path)
{
	if (unlikely(path >= recorder->nr_paths))
		measure_segments_make_room(recorder, path);
	recorder->path = path;
}

#endif
