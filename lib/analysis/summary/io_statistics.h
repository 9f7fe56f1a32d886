/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was done by the handles of files, as their event files tell: for record_statistics.c. */
#ifndef MEASURE_ANALYSIS_SUMMARY_IO_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_IO_STATISTICS_H

#include <stdint.h>

#include "assemble/part/journal_file.h"
#include "base/array.h"
#include "format/event_chunk.h"
#include "status.h"

struct measure_io_statistics_handle {
	uint64_t operations; /* that have ended */
	uint64_t empty;      /* of these, without a byte where some were asked for */
	uint64_t read;       /* bytes */
	uint64_t written;
	uint64_t ticks;   /* from their begins to their ends */
	uint64_t unknown; /* operations of which the bytes are not known */
};

/* An operation that was begun. */
struct measure_io_statistics_begun {
	uint32_t handle;
	uint8_t mode;
	uint64_t operation;
	uint64_t requested;
	uint64_t time;
};

struct measure_io_statistics {
	MEASURE_ARRAY(struct measure_io_statistics_handle) handles; /* by local id */
	MEASURE_ARRAY(struct measure_io_statistics_begun) begun;    /* of the location */
};

/* The next event of a location. Handles from `most` on are damage, and left out. */
measure_status_t measure_io_statistics_note(struct measure_io_statistics *tally,
	const struct measure_chunk_event *event, uint64_t most);

/* The next event is of another location, or behind a gap. */
void measure_io_statistics_interrupt(struct measure_io_statistics *tally);

void measure_io_statistics_scale(struct measure_io_statistics *tally, double factor);
void measure_io_statistics_put(
	struct measure_frames *frames, const struct measure_io_statistics *tally);
void measure_io_statistics_free(struct measure_io_statistics *tally);

#endif
