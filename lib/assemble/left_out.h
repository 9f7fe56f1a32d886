/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that were left out one by one, by rules on single calls or as unsuccessful polls: from the
 * counters of the processes to a list of the archive's regions. */
#ifndef MEASURE_ASSEMBLE_LEFT_OUT_H
#define MEASURE_ASSEMBLE_LEFT_OUT_H

#include <stdint.h>

#include "assemble/unify.h"
#include "base/array.h"
#include "memory/segment.h"
#include "status.h"

struct measure_left_out_region {
	uint32_t region; /* of the archive */
	uint64_t calls;
	uint64_t polls; /* of these, unsuccessful ones (lib/event/polls.h) */
	double poll_seconds;
};

struct measure_left_out {
	MEASURE_ARRAY(struct measure_left_out_region) regions; /* the most calls first */
	uint64_t calls;                                        /* of all of them */
	uint64_t polls;
};

/* Appends the segment's counters to the keeper's journal, behind the tally. */
measure_status_t measure_left_out_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd);

/* Adds up what the parts say; `tick`: its seconds. `left_out` is all zero before; freed in any
 * case. */
measure_status_t measure_left_out_make(
	const struct measure_unified *unified, double tick, struct measure_left_out *left_out);
void measure_left_out_free(struct measure_left_out *left_out);

#endif
