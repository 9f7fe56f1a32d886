/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where exactly a location was, from event to event: its innermost call path and when that changed.
 * For short traces, and for parts of long ones. */
#ifndef MEASURE_ANALYSIS_PYRAMID_LOCATION_SEGMENTS_H
#define MEASURE_ANALYSIS_PYRAMID_LOCATION_SEGMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/profile/profile.h"

/* Lasts until the next one; the last one to the last event of the location. */
struct measure_location_segment {
	uint64_t start; /* corrected time, ticks */
	uint32_t path;  /* innermost one, of the profile */
	bool is_call;   /* a call of it began here */
};

/* False: no more are wanted. */
typedef bool (*measure_location_segment_fn)(
	void *data, const struct measure_location_segment *segment);

/* The life of a location. */
struct measure_location_segments_end {
	uint64_t first;     /* event; first > last: there is none */
	uint64_t last;      /* event, or `until`: the end of the last segment */
	uint64_t nr_events; /* that were read */
};

/* The segments of a location that have a part in [from, until), which is not empty, in order of
 * time: the first one may have begun before. Segments without length are among them: calls of no
 * ticks. `profile` is one of the whole archive. Several threads may read at a time, each a
 * location. MEASURE_ERROR_FORMAT: not all events could be read; `findings` are told of what is
 * wrong with them. */
measure_status_t measure_location_segments_read(const struct measure_trace *trace,
	const struct measure_profile *profile, struct measure_findings *findings, uint32_t location,
	uint64_t from, uint64_t until, measure_location_segment_fn deliver, void *data,
	struct measure_location_segments_end *end);

#endif
