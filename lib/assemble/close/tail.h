/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that end a location whose process is gone: a Leave for each open region, ThreadEnd
 * where its thread was created, ProgramEnd on the first location. OTF2 itself encodes them,
 * into memory. */
#ifndef MEASURE_ASSEMBLE_CLOSE_TAIL_H
#define MEASURE_ASSEMBLE_CLOSE_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"

struct measure_tail {
	const uint32_t *enters; /* regions that are entered first, outermost first */
	uint32_t nr_enters;
	uint64_t enter_time;
	const uint32_t *regions; /* open ones, outermost first */
	uint32_t nr_regions;
	uint64_t leave_time; /* of the Leave records, and of what follows them but ProgramEnd */
	bool has_program_end;
	uint64_t end_time;   /* of ProgramEnd; not before leave_time */
	int64_t exit_status; /* INT64_MIN: unknown (OTF2_UNDEFINED_INT64) */
	bool has_thread_end;
	uint32_t contingent; /* of ThreadEnd */
	uint64_t sequence;   /* of ThreadEnd */
	bool has_team_end;
	uint32_t team; /* of ThreadTeamEnd, behind the Leaves */
	bool has_off; /* its events were dropped from then on: MeasurementOnOff comes first */
	uint64_t off_time;
};

/* The encoded events: chunks as in a file of their own, events numbered from 1. Always at
 * least one chunk; its payload follows directly behind any record of another chunk, as it
 * begins with its own timestamp. Valid until the next call on the same writer. */
struct measure_tail_chunks {
	uint8_t **chunks; /* chunk_size bytes each */
	uint32_t nr_chunks;
	uint64_t nr_events;
};

/* Bytes of an event file without events. */
#define MEASURE_TAIL_EMPTY 20

struct measure_tail_writer;

measure_status_t measure_tail_open(uint32_t chunk_size, struct measure_tail_writer **writer);
measure_status_t measure_tail_write(struct measure_tail_writer *writer,
	const struct measure_tail *tail, struct measure_tail_chunks *chunks);
void measure_tail_close(struct measure_tail_writer *writer);

#endif
