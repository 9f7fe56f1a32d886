/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes committed events of chunks that are not full to the event files, so that little is lost if
 * the process and its keeper are killed together. The process does nothing for it. Part of the
 * spooler, see spool.h. */
#ifndef MEASURE_KEEPER_SPOOL_FLUSH_H
#define MEASURE_KEEPER_SPOOL_FLUSH_H

#include <stdbool.h>
#include <stdint.h>

#include "format/event_chunk.h"

struct measure_spool;

/* What is known of a location's current chunk. */
struct measure_flush_location {
	uint64_t sequence;               /* of the chunk + 1; 0: none was seen */
	struct measure_chunk_walk fixed; /* up to events that the process cannot take back */
	uint64_t nr_events;     /* committed when it was written last; UINT64_MAX: write it anew */
	uint32_t nr_taken_back; /* by then */
};

struct measure_flush {
	uint64_t period; /* between two looks, ns; 0: no looks */
	uint64_t next;   /* CLOCK_MONOTONIC, ns */
	bool is_urgent;  /* the next look comes at once, and leaves no chunk for a later one */
	uint32_t most_taken_back; /* events, by one region that is taken back: with its metrics */
	struct measure_flush_location *locations;
	uint8_t *bytes; /* one chunk */
};

/* From now on events are in their files after so many seconds, if processor and disk allow. 0: when
 * their chunk is full. */
void measure_flush_set(struct measure_spool *spool, double seconds);

/* Looks at all current chunks, where it is time. */
void measure_flush_look(struct measure_spool *spool);

/* Milliseconds until it is time, at most `most`. */
int measure_flush_left(const struct measure_spool *spool, int most);

/* Events of the chunk that is to be written may be in the file at `offset` already. Cuts the file
 * where it differs from the chunk: if this process were killed while it writes, old and new bytes
 * together would make no sense. False: that failed; errno says why. */
bool measure_flush_cut(int fd, uint64_t offset, const uint8_t *bytes, uint64_t size);

void measure_flush_free(struct measure_flush *flush);

#endif
