/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What finishing a part is made of: where its locations stand (location_state.c), and what is added
 * there (part_close.c). */
#ifndef MEASURE_ASSEMBLE_CLOSE_PART_CLOSE_INTERNAL_H
#define MEASURE_ASSEMBLE_CLOSE_PART_CLOSE_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/location_file.h"
#include "assemble/part/part_fold.h"
#include "format/journal_records.h"
#include "format/segment.h"
#include "tail.h"
#include "status.h"

#define MEASURE_MOST_OPEN 64

struct measure_part_close_state {
	const struct measure_segment *segment; /* NULL: from files only */
	int part_fd;
	const struct measure_def_end *end; /* NULL: unknown */
	uint32_t chunk_size;
	enum measure_kept kept;
	struct measure_part_fold *fold; /* NULL: all events are kept */
	uint32_t nr_locations;
	uint32_t *current; /* of each location: the chunk that holds its last committed event */
	uint8_t *chunk;    /* chunk_size bytes */
	struct measure_tail_writer *tails;
	uint64_t end_time;  /* no event of the process so far is later */
	uint64_t lost;      /* events committed that are in no file */
	uint64_t drop_ticks; /* of drop intervals that have not ended */
	bool is_finished;   /* there is an END already */
	bool is_distrusted; /* the process has overwritten what it shares: only events count */
	struct {
		uint32_t nr;
		uint32_t items[MEASURE_MOST_OPEN];
	} open;             /* regions that were, when it ended: some of them */
	uint64_t *nr_own;   /* of each location: events before those that finishing has added */
};

static inline uint64_t measure_part_close_committed(
	const struct measure_part_close_state *finish, uint32_t location)
{
	return atomic_load_explicit(
		&finish->segment->locations[location].committed, memory_order_acquire);
}

/* When a location's events began to be dropped; 0: they were not. */
static inline uint64_t measure_part_close_drop_since(
	const struct measure_part_close_state *finish, uint32_t location)
{
	if (!finish->segment || location >= finish->nr_locations)
		return 0;
	return atomic_load(&finish->segment->locations[location].drop_since);
}

/* Because the program had recording off: its events are in the segment, as always. */
static inline bool measure_part_close_drop_is_wanted(
	const struct measure_part_close_state *finish, uint32_t location)
{
	return measure_part_close_drop_since(finish, location) != 0 &&
	       atomic_load(&finish->segment->locations[location].drop_is_wanted) != 0;
}

/* How many locations there are, and which chunks hold their last events. There is a segment. */
measure_status_t measure_part_close_look(struct measure_part_close_state *finish);

/* Where a location stands, by its event file and the segment; what was not in the file yet stands
 * in finish->chunk, or comes to the file. Where the segment does not say it, the events do.
 * `until`: as of measure_location_file_walk(). The caller frees state->open. */
measure_status_t measure_part_close_stand(struct measure_part_close_state *finish, int fd,
	uint32_t location, uint64_t until, struct measure_location_state *state);

/* kept_events.c: a location whose event file is complete. Makes its profile, and leaves those
 * events in the file that are to be kept. */
measure_status_t measure_part_close_keep(
	struct measure_part_close_state *finish, int fd, uint32_t location);

/* That was done before: by somebody who did not come to the end of the part. */
bool measure_part_close_is_kept(const struct measure_part_close_state *finish, uint32_t location);

#endif
