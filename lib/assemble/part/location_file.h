/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event file of one location of a part, `<index>.evt`: where its events end, and how to
 * carry on behind them. */
#ifndef MEASURE_ASSEMBLE_PART_LOCATION_FILE_H
#define MEASURE_ASSEMBLE_PART_LOCATION_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "status.h"

/* Where a location stands, in or before its last chunk. */
struct measure_location_state {
	uint64_t nr_events;
	uint64_t last_time;
	uint64_t sequence; /* of the last chunk, from 0 */
	size_t end;	   /* position behind its last event; 0: there is no chunk */
	bool has_program_end;
	bool has_thread; /* between ThreadBegin and ThreadEnd */
	uint32_t contingent;
	uint64_t sequence_of_thread;
	MEASURE_ARRAY(uint32_t) open; /* regions, outermost first */
};

struct measure_location_summary {
	uint64_t nr_events;
	uint64_t nr_recorded; /* with those that were not kept */
	uint64_t nr_bytes;
	uint64_t first_time; /* of events, where there are any */
	uint64_t last_time;
};

/* Of a Leave so many open regions are looked at for its Enter, from the last one on. In our files
 * it is the last one; in damaged ones it may be nowhere, time and again. */
#define MEASURE_LEAVE_LOOKS 4096

/* Closes the region and what lies above it, as readers do; one that is not open is ignored. */
static inline void measure_location_state_leave(
	struct measure_location_state *state, uint32_t region)
{
	size_t left = MEASURE_LEAVE_LOOKS;

	for (size_t i = state->open.nr; i-- > 0 && left-- > 0;) {
		if (state->open.items[i] == region) {
			state->open.nr = i;
			return;
		}
	}
}

void measure_location_file_name(uint32_t index, char name[32]);

/* Walks a whole file, or one from the chunk on that *state stands before (its `end` is 0), up to
 * event number `until` (UINT64_MAX: all). Stops at the first chunk that is damaged or missing;
 * *state and `chunk` (chunk_size bytes) are then the last good one. */
measure_status_t measure_location_file_walk(int fd, uint32_t chunk_size, uint64_t until,
	uint8_t *chunk, struct measure_location_state *state);

/* Same for a file of whole, sound chunks of which only the last one has to be looked at. Does
 * not tell the open regions. */
measure_status_t measure_location_file_resume(int fd, uint32_t chunk_size, uint8_t *chunk,
	struct measure_location_state *state);

/* Of a finished file; looks at its first and last chunk only, in `chunk` (chunk_size bytes).
 * MEASURE_ERROR_FORMAT: the file is not one that was finished. */
measure_status_t measure_location_file_summarise(int fd, uint32_t chunk_size, uint8_t *chunk,
	struct measure_location_summary *summary);

#endif
