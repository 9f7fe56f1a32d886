/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What recording cost: from the events that timed themselves. */
#ifndef MEASURE_ASSEMBLE_CLOSE_SELF_TIMING_COSTS_H
#define MEASURE_ASSEMBLE_CLOSE_SELF_TIMING_COSTS_H

#include <stdint.h>

#include "assemble/part/part.h"
#include "format/self_timings.h"
#include "format/segment.h"
#include "status.h"

/* Bytes of a histogram as text. */
#define MEASURE_TIMING_TEXT 2048

/* Of one kind, summed over locations. */
struct measure_cost {
	uint64_t samples;
	uint64_t events;
	uint64_t ticks;
	uint64_t buckets[MEASURE_TIMING_BUCKETS];
};

/* Appends the segment's histograms to the keeper's journal. */
measure_status_t measure_costs_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd);

const char *measure_cost_name(uint32_t kind); /* "FUNCTION_ENTER" */

void measure_cost_add(struct measure_cost *cost, const struct measure_def_self_timing *timing);

/* "SAMPLES EVENTS TICKS FLOOR:COUNT FLOOR:COUNT ...", as doc/properties.md has it. */
void measure_cost_print(const struct measure_cost *cost, char text[MEASURE_TIMING_TEXT]);

#endif
