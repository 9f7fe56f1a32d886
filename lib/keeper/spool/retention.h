/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --profile and --keep: chunks of events that are not kept are folded into the profile of their
 * location (assemble/part/part_fold.h) and dropped.
 *
 *	--profile	full chunks are folded in event memory, and are never written
 *	--keep		full chunks are written to files as ever; those that are too old, or too
 *many, are folded and taken out of the files again
 *
 * A chunk is dropped only after what was folded of it has been saved: whoever dies, it is in the
 *one or in the other. Belongs to the spooler's thread. */
#ifndef MEASURE_KEEPER_SPOOL_RETENTION_H
#define MEASURE_KEEPER_SPOOL_RETENTION_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/part_fold.h"
#include "base/array.h"
#include "config/settings.h"
#include "status.h"

struct measure_spool;

/* A chunk in an event file: which one of its location, the order of these says. */
struct measure_retained_chunk {
	uint32_t location;
	uint64_t written; /* CLOCK_MONOTONIC, ns: no event of it is later */
};

struct measure_retention {
	enum measure_kept kept;
	uint64_t most_ns, most_bytes; /* of events that are kept; UINT64_MAX: any */
	struct measure_part_fold fold;
	uint8_t *chunk;                  /* one, in memory of our own */
	MEASURE_ARRAY(uint32_t) folded;  /* chunks of the segment: folded, but not saved yet */
	MEASURE_ARRAY(uint32_t) changed; /* locations */
	MEASURE_ARRAY(struct measure_retained_chunk)
	retained; /* from `first` on, in order of time */
	size_t first;
	bool cannot_punch; /* that was said */
	uint64_t held_since; /* somebody reads the files, and nothing is dropped; 0: nobody does */
};

/* The part may have been another keeper's. */
measure_status_t measure_retention_open(
	struct measure_spool *spool, const struct measure_settings *settings);
void measure_retention_close(struct measure_spool *spool);

/* Chunks that are in files. */
static inline uint64_t measure_retention_nr(const struct measure_retention *retention)
{
	return retention->retained.nr - retention->first;
}

/* --profile: folds the full chunks of event memory, and frees them. MEASURE_ERROR_IO: it could not
 * be saved; see measure_spool_fail(). */
measure_status_t measure_retention_fold(struct measure_spool *spool);

/* --keep: a chunk was written. */
void measure_retention_note(struct measure_spool *spool, uint32_t location);

/* --keep: drops what need not be kept any more, but not so much at once that no chunks are written
 * for long: to be called whenever so many have been written. */
#define MEASURE_RETENTION_WRITTEN 8
measure_status_t measure_retention_trim(struct measure_spool *spool);

/* Is that the first event behind those that were folded, in the first chunk? */
bool measure_retention_continues(
	struct measure_spool *spool, uint32_t location, uint64_t sequence, uint64_t first_event);

#endif
