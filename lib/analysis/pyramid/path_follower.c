/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Following a location; see path_follower.h. What interrupts calls is charged here as fold.c does
 * it. */
#include "config.h"

#include "path_follower.h"

static size_t place_of(const struct measure_trace *trace, uint32_t location)
{
	size_t place = 0;

	while (trace->reading_order[place] != location)
		place++;
	return place;
}

bool measure_path_follower_open(struct measure_path_follower *follower,
	const struct measure_trace *trace, struct measure_findings *findings, uint32_t location)
{
	/* only the OTF2 library wants to know */
	const size_t place = trace->is_foreign ? place_of(trace, location) : 0;

	if (measure_trace_open_reader(trace, place, place + 1, findings, &follower->reader) !=
		MEASURE_OK)
		return false;
	measure_ranks_start(&follower->ranks, &trace->definitions);
	measure_profile_start(&follower->profile, trace);
	measure_fold_start(&follower->fold, &follower->profile, &follower->ranks, location);
	follower->cursor = (struct measure_fold_cursor){.next_chunk = 0};
	follower->path = 0;
	follower->flush_path = MEASURE_NONE;
	follower->nr_events = 0;
	measure_stream_open(&follower->stream, &follower->reader, location);
	return true;
}

measure_status_t measure_path_follower_close(struct measure_path_follower *follower)
{
	struct measure_location_definition *location =
		&follower->reader.definitions.locations[follower->fold.location];
	const struct measure_location_definition before = *location;
	uint64_t nr_read;
	measure_status_t status = measure_stream_close(&follower->stream, &nr_read);

	/* A location that never recorded needs no file. */
	if (nr_read == 0 && location->nr_events == 0)
		status = MEASURE_OK;
	/* who has read all of it knows better */
	if (before.nr_found != MEASURE_NOT_READ)
		*location = before;
	measure_fold_end(&follower->fold);
	measure_profile_free(&follower->profile);
	measure_ranks_free(&follower->ranks);
	measure_trace_close_reader(&follower->reader);
	return status;
}

void measure_path_follower_move_slowly(
	struct measure_path_follower *follower, const struct measure_event *event)
{
	struct measure_fold *fold = &follower->fold;

	if (event->kind == MEASURE_EVENT_BUFFER_FLUSH) {
		follower->flush_path = measure_profile_child(
			fold->profile, fold->path, MEASURE_PSEUDO_BUFFER_FLUSH);
		follower->flush_stop = fold->flush_stop;
	}
	if (fold->special & MEASURE_FOLD_OFF)
		follower->path = measure_profile_child(
			fold->profile, fold->path, MEASURE_PSEUDO_RECORDING_OFF);
	else if (fold->special & MEASURE_FOLD_IDLE)
		follower->path = measure_profile_child(fold->profile, 0, MEASURE_PSEUDO_IDLE);
}
