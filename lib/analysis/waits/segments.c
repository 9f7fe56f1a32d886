/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording where a location spends its time between calls that can wait. */
#include "config.h"

#include "segments.h"

#include <string.h>

#define FIRST_PATHS 256

void measure_segments_start(
	struct measure_segment_recorder *recorder, struct measure_segments *segments)
{
	*recorder = (struct measure_segment_recorder){.segments = segments};
	measure_segments_make_room(recorder, 0);
}

void measure_segments_begin(struct measure_segment_recorder *recorder, uint64_t time)
{
	recorder->segments->begin = time;
	recorder->last = time;
}

void measure_segments_make_room(struct measure_segment_recorder *recorder, uint32_t path)
{
	const size_t nr = path < FIRST_PATHS ? FIRST_PATHS : 2 * (size_t)path;
	uint64_t *ticks = measure_zeroed(nr, sizeof(*ticks));
	uint32_t *shown = measure_zeroed(nr, sizeof(*shown));

	if (recorder->nr_paths > 0) {
		memcpy(ticks, recorder->ticks, recorder->nr_paths * sizeof(*ticks));
		memcpy(shown, recorder->shown, recorder->nr_shown * sizeof(*shown));
	}
	measure_free(recorder->ticks);
	measure_free(recorder->shown);
	recorder->ticks = ticks;
	recorder->shown = shown;
	recorder->nr_paths = nr;
}

static void add_span(struct measure_segments *segments, uint32_t path, uint64_t ticks)
{
	struct measure_span *last =
		segments->nr_spans > 0 ? &segments->spans[segments->nr_spans - 1] : NULL;
	const uint64_t from = last ? last->until : segments->begin;

	if (last && last->path == path)
		last->until += ticks;
	else
		*measure_append(segments, spans) =
			(struct measure_span){.until = from + ticks, .path = path};
}

void measure_segments_cut(struct measure_segment_recorder *recorder)
{
	for (size_t i = 0; i < recorder->nr_shown; i++) {
		const uint32_t path = recorder->shown[i];

		add_span(recorder->segments, path, recorder->ticks[path]);
		recorder->ticks[path] = 0;
	}
	recorder->nr_shown = 0;
}

void measure_segments_end(struct measure_segment_recorder *recorder)
{
	measure_segments_cut(recorder);
	measure_free(recorder->ticks);
	measure_free(recorder->shown);
	*recorder = (struct measure_segment_recorder){.nr_paths = 0};
}
