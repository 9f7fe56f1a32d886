/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The spooler's work: from the segment to the part's files. Committed journal bytes go to
 * `journal`, FULL chunks to `<location>.evt` at sequence * chunk_size, then the chunks are FREE
 * again. Of chunks that are not full what is committed follows every now and then (flush.h).
 * Belongs to the keeper; one thread at a time. */
#ifndef MEASURE_KEEPER_SPOOL_SPOOL_H
#define MEASURE_KEEPER_SPOOL_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "config/settings.h"
#include "flush.h"
#include "retention.h"
#include "format/segment.h"
#include "status.h"

#define MEASURE_SPOOL_FILES 64 /* event files open at a time */

struct measure_spool {
	const struct measure_segment *segment;
	int part_fd;
	enum measure_spool_mode mode;
	int journal_fd;
	uint64_t journal_written;
	bool is_journal_bad; /* there are bytes in it that are no records */
	uint64_t clock; /* counts uses, for the LRU below */
	struct measure_spool_file {
		uint32_t location;
		int fd; /* -1: unused */
		uint64_t used;
	} files[MEASURE_SPOOL_FILES];
	uint64_t chunks_written;
	measure_status_t status; /* once not MEASURE_OK, nothing is written any more */
	uint64_t rested;	 /* processor time of the thread then, ns */
	uint64_t wary_until;	 /* CLOCK_MONOTONIC, ns: it takes no rests before */
	bool is_last;		 /* the pass */
	bool may_block;		 /* a full disk is no failure */
	bool is_blocked;	 /* the disk is full just now: tried again with every pass */
	int error;		 /* errno of either moment */
	uint64_t chunks_before;	 /* chunks_written before the last nap */
	int nap;		 /* ms */
	struct measure_flush flush;
	struct measure_retention *retention; /* NULL: all events are kept */
};

/* Creates the part's journal file. The descriptor stays the caller's. */
measure_status_t measure_spool_open(struct measure_spool *spool,
	const struct measure_segment *segment, int part_fd, enum measure_spool_mode mode);

/* Writes what there is to write by the mode, everything where `is_last`. Where the disk is full
 * it sets is_blocked and leaves the rest for the next pass, unless this is the last one or
 * --full=stop. Any other failure is for good: sets keeper_stopped in the segment, which makes the
 * process stop recording, and returns the status from then on. */
measure_status_t measure_spool_pass(struct measure_spool *spool, bool is_last);

/* The same where another keeper has died: goes on behind what that one has written. A chunk that it
 * was just writing is written anew. */
measure_status_t measure_spool_resume(struct measure_spool *spool,
	const struct measure_segment *segment, int part_fd, enum measure_spool_mode mode);

void measure_spool_close(struct measure_spool *spool);

/* All may be killed soon: whatever the mode says, the next passes write all that is committed. */
void measure_spool_hurry(struct measure_spool *spool);

/* Sleeps for some milliseconds, more the longer there was nothing to write, but not where there are
 * news since `seen` was read from full_events. Woken by threads that wait, and where more chunks
 * are in use than may wait. */
void measure_spool_wait(struct measure_spool *spool, uint32_t seen);

/* Wakes measure_spool_wait() from another thread of the keeper. */
void measure_spool_wake(const struct measure_segment *segment);

/* ------------------------------------------------- for flush.c: chunks that are not full --- */

/* By errno: a full disk may be tried again, any other failure is for good. */
measure_status_t measure_spool_fail(struct measure_spool *spool);

/* Writes what is committed of the journal. */
measure_status_t measure_spool_journal(struct measure_spool *spool);

/* One that was done with. */
void measure_spool_free_chunk(struct measure_spool *spool, uint32_t index);

/* The event file of a location: open already, or in place of the one longest unused. -1: none. */
int measure_spool_event_file(struct measure_spool *spool, uint32_t location);

/* Gives the processor away now and then, while much is written. */
void measure_spool_rest(struct measure_spool *spool);

/* There is a chunk at `offset` with other events than those from `first_event` on. */
bool measure_spool_is_taken(int fd, uint64_t offset, uint64_t first_event);

uint64_t measure_spool_now(void); /* CLOCK_MONOTONIC, ns */

#endif
