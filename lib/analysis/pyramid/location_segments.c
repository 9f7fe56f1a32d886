/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Segments of a location; see location_segments.h. */
#include "config.h"

#include "location_segments.h"

#include "analysis/waits/dependencies.h"
#include "path_follower.h"

/* A location that is being read. */
struct segment_reading {
	const struct measure_profile *profile; /* of the archive */
	struct measure_path_follower follower;
	uint64_t from, until;
	measure_location_segment_fn deliver;
	void *data;
	struct measure_location_segment held; /* the last one before `from` */
	bool is_held, is_over;
	uint32_t path; /* of the last segment; MEASURE_NONE: there was none */
	/* by path of the follower: that of the profile */
	MEASURE_GROWING(uint32_t, numbers);
};

/* The path of the profile; its parent, where the profile lacks it. */
static uint32_t number_of(struct segment_reading *reading, uint32_t path)
{
	const struct measure_profile *profile = reading->profile;
	const struct measure_profile_path *paths = reading->follower.profile.paths;

	while (path >= reading->nr_numbers) {
		const size_t i = reading->nr_numbers;
		const uint32_t parent = i > 0 ? reading->numbers[paths[i].parent] : 0;
		uint32_t region = paths[i].region, number = MEASURE_NONE;

		if (profile->same_regions && region < profile->trace->definitions.nr_regions)
			region = profile->same_regions[region];
		if (i > 0)
			number = measure_map_get(
				&profile->children, measure_key_pair(parent, region));
		*measure_append(reading, numbers) = number == MEASURE_NONE ? parent : number;
	}
	return reading->numbers[path];
}

static void deliver(struct segment_reading *reading, const struct measure_location_segment *segment)
{
	if (!reading->is_over)
		reading->is_over = !reading->deliver(reading->data, segment);
}

static void begin_segment(
	struct segment_reading *reading, uint64_t start, uint32_t path, bool is_call)
{
	const struct measure_location_segment segment = {
		.start = start, .path = number_of(reading, path), .is_call = is_call};

	if (segment.path == reading->path && !is_call)
		return;
	reading->path = segment.path;
	if (start < reading->from) {
		reading->held = segment;
		reading->is_held = true;
		return;
	}
	if (reading->is_held && start > reading->from)
		deliver(reading, &reading->held);
	reading->is_held = false;
	if (start < reading->until)
		deliver(reading, &segment);
}

static bool is_enter(const struct measure_event *event)
{
	return event->kind == MEASURE_EVENT_ENTER ||
	       event->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER;
}

/* What was between an event at `time` and this one began with a flush. */
static void take_flush(struct segment_reading *reading, uint64_t time)
{
	const struct measure_path_follower *follower = &reading->follower;

	if (follower->flush_stop <= time || follower->time == time)
		return;
	begin_segment(reading, time, follower->flush_path, false);
	if (follower->flush_stop < follower->time)
		begin_segment(reading, follower->flush_stop, follower->path, false);
}

static void read_segments(
	struct segment_reading *reading, struct measure_location_segments_end *end)
{
	struct measure_path_follower *follower = &reading->follower;
	const struct measure_event *event;

	while (!reading->is_over && (event = measure_path_follower_next(follower))) {
		if (end->nr_events++ == 0)
			end->first = follower->time;
		if (follower->flush_path != MEASURE_NONE)
			take_flush(reading, end->last);
		end->last = measure_earlier(follower->time, reading->until);
		if (follower->time >= reading->until)
			break;
		measure_path_follower_move(follower, event);
		begin_segment(reading, follower->time, follower->path,
			is_enter(event) && follower->path == follower->fold.path);
	}
	if (reading->is_held && end->last > reading->from)
		deliver(reading, &reading->held);
}

measure_status_t measure_location_segments_read(const struct measure_trace *trace,
	const struct measure_profile *profile, struct measure_findings *findings, uint32_t location,
	uint64_t from, uint64_t until, measure_location_segment_fn fn, void *data,
	struct measure_location_segments_end *end)
{
	struct segment_reading *reading = measure_zeroed(1, sizeof(*reading));
	measure_status_t status = MEASURE_ERROR_FORMAT;

	*end = (struct measure_location_segments_end){.first = UINT64_MAX};
	reading->profile = profile;
	reading->from = from;
	reading->until = until;
	reading->deliver = fn;
	reading->data = data;
	reading->path = MEASURE_NONE;
	if (measure_path_follower_open(&reading->follower, trace, findings, location)) {
		read_segments(reading, end);
		status = measure_path_follower_close(&reading->follower);
	}
	measure_free(reading->numbers);
	measure_free(reading);
	return status;
}
