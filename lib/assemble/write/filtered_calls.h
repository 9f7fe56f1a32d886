/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that were left out one by one, by rules on single calls or as unsuccessful polls: from the
 * counters of the processes to a list of the archive's regions. */
#ifndef MEASURE_ASSEMBLE_WRITE_FILTERED_CALLS_H
#define MEASURE_ASSEMBLE_WRITE_FILTERED_CALLS_H

#include <stdint.h>

#include "assemble/unify/unify.h"
#include "base/array.h"
#include "format/segment.h"
#include "status.h"

struct measure_filtered_calls_region {
	uint32_t region; /* of the archive */
	uint64_t calls;
	uint64_t polls; /* of these, unsuccessful ones (lib/runtime/select/throttle.h) */
	double poll_seconds;
};

struct measure_filtered_calls {
	MEASURE_ARRAY(struct measure_filtered_calls_region) regions; /* the most calls first */
	uint64_t calls;                                              /* of all of them */
	uint64_t polls;
};

/* Appends the segment's counters to the keeper's journal. */
measure_status_t measure_filtered_calls_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd);

/* Adds up what the parts say; `tick`: its seconds. `filtered` is all zero before; freed in any
 * case. */
measure_status_t measure_filtered_calls_make(const struct measure_unified *unified, double tick,
	struct measure_filtered_calls *filtered);
void measure_filtered_calls_free(struct measure_filtered_calls *filtered);

#endif
