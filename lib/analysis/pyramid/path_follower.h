/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the events of a location and says where it was between them: folds them into a profile of
 * its own, whose call paths these are. */
#ifndef MEASURE_ANALYSIS_PYRAMID_PATH_FOLLOWER_H
#define MEASURE_ANALYSIS_PYRAMID_PATH_FOLLOWER_H

#include "analysis/fold/fold_stream.h"

struct measure_path_follower {
	struct measure_profile profile; /* of these events */
	struct measure_fold fold;
	struct measure_fold_cursor cursor;
	struct measure_stream stream;
	struct measure_trace reader;
	struct measure_ranks ranks;
	uint32_t path;       /* innermost one since the event before */
	uint32_t flush_path; /* MEASURE_NONE; or where it was instead ... */
	uint64_t flush_stop; /* ... until then, or until this event */
	uint64_t time;       /* of the event */
	uint64_t nr_events;
};

/* False: the location cannot be opened. `findings` are told of what is wrong with events. */
bool measure_path_follower_open(struct measure_path_follower *follower,
	const struct measure_trace *trace, struct measure_findings *findings, uint32_t location);

/* MEASURE_ERROR_FORMAT: the events broke off. Before that, all may have been read or not. */
measure_status_t measure_path_follower_close(struct measure_path_follower *follower);

/* The innermost path after the event, if that is a special one; see measure_path_follower_move().
 */
void measure_path_follower_move_slowly(
	struct measure_path_follower *follower, const struct measure_event *event);

/* The next event, or NULL. path and the others still say where it has been until that event. */
static inline const struct measure_event *measure_path_follower_next(
	struct measure_path_follower *follower)
{
	const struct measure_event *event =
		measure_fold_next(&follower->fold, &follower->stream, &follower->cursor);

	follower->time = follower->fold.last;
	follower->nr_events += event != NULL;
	return event;
}

/* Behind the event that has just been read. */
static inline void measure_path_follower_move(
	struct measure_path_follower *follower, const struct measure_event *event)
{
	const uint8_t interrupted = MEASURE_FOLD_OFF | MEASURE_FOLD_FLUSH | MEASURE_FOLD_IDLE;

	follower->path = follower->fold.path;
	follower->flush_path = MEASURE_NONE;
	if (unlikely(follower->fold.special & interrupted))
		measure_path_follower_move_slowly(follower, event);
}

#endif
