/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inspects a process while it is recorded, from outside: the segment is found through its keeper's
 * descriptor and mapped read-only. Nothing is locked; what is read is checked afterwards, and read
 * again if it has changed. */
#ifndef MEASURE_LIVE_LIVE_SEGMENT_H
#define MEASURE_LIVE_LIVE_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/parts.h"
#include "base/array.h"
#include "format/segment.h"
#include "status.h"

struct measure_live {
	int part_fd;
	int hold_fd; /* locked: see measure_live_hold(); -1 */
	int segment_fd;
	struct measure_segment segment;
	uint8_t *chunk; /* one, for reading */
};

/* A region that is open. */
struct measure_live_frame {
	uint32_t region; /* local id */
	bool is_older;   /* entered before `time`, which is as far as was looked */
	uint64_t time;   /* of its Enter, ticks */
};

struct measure_live_stack {
	uint64_t nr_events; /* so far */
	bool has_ended;     /* its thread is gone */
	bool is_moving;     /* changed faster than it could be read: frames are missing */
	uint64_t last_time; /* of the last event, ticks; 0: there is none */
	MEASURE_ARRAY(struct measure_live_frame) frames; /* outermost first */
};

/* MEASURE_ERROR_NOT_FOUND: no segment, the keeper is gone or just coming. MEASURE_ERROR_IO: it is
 * not for us to look at. MEASURE_ERROR_FORMAT: it is of another version. */
measure_status_t measure_live_open(
	int parts_fd, const struct measure_part_entry *entry, struct measure_live *live);
void measure_live_close(struct measure_live *live);

uint32_t measure_live_nr_locations(const struct measure_live *live);

/* What a location has open now. The caller frees the frames. */
measure_status_t measure_live_stack(
	struct measure_live *live, uint32_t location, struct measure_live_stack *stack);

/* The chunk with this number (0, 1, ...) of a location, from memory or from its file, into
 * live->chunk; *got: how much of it is there. MEASURE_ERROR_NOT_FOUND: it is not begun. */
measure_status_t measure_live_chunk(
	struct measure_live *live, uint32_t location, uint64_t sequence, size_t *got);

/* Enters that the location has taken back so far: where that is the same before and after, what was
 * read in between belongs together. */
uint32_t measure_live_taken_back(const struct measure_live *live, uint32_t location);

/* Of what was committed as `word`, when so many had been taken back: the events that are still the
 * same. Each Enter that is taken back makes the region stack lower. */
uint64_t measure_live_nr_stable(
	const struct measure_live *live, uint32_t location, uint64_t word, uint32_t taken_back);

/* A copy of the journal so far; the caller frees it. */
measure_status_t measure_live_journal(
	const struct measure_live *live, uint8_t **journal, size_t *size);

/* Writes what the process has recorded up to `until` (ticks) as a finished part into a new
 * directory `name`. Cut there, all processes of a node are cut at one moment: no message is
 * received in the snapshot that is not sent in it. */
measure_status_t measure_live_snapshot(
	struct measure_live *live, uint64_t until, int to_parts_fd, const char *name);

/* Until that is done no event is dropped that is there now: for all processes to be asked before
 * the first `until` is chosen. */
void measure_live_hold(struct measure_live *live);

/* Copies the files of a part that nobody works at. */
measure_status_t measure_part_copy(int from_fd, int to_fd);

#endif
