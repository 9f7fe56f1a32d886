/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What recording cost: from the events that timed themselves. */
#ifndef MEASURE_ANALYSIS_SUMMARY_OVERHEAD_H
#define MEASURE_ANALYSIS_SUMMARY_OVERHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "assemble/part/part.h"
#include "format/self_timings.h"
#include "format/segment.h"
#include "status.h"

/* Bytes of a histogram as text. */
#define MEASURE_PROBE_TEXT 2048

/* Of one kind, summed over locations. */
struct measure_cost {
	uint64_t samples;
	uint64_t events;
	uint64_t ticks;
	uint64_t buckets[MEASURE_PROBE_BUCKETS];
};

/* Appends the segment's histograms to the keeper's journal, behind the tally. */
measure_status_t measure_costs_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd);

const char *measure_cost_name(uint32_t kind);  /* "FUNCTION_ENTER" */
const char *measure_cost_words(uint32_t kind); /* for people */

void measure_cost_add(struct measure_cost *cost, const struct measure_def_probe *probe);

/* Ticks that a bracket took, the median; and of one event the mean, without brackets of more
 * than eight medians: these were interrupted. 0: there are no samples. */
double measure_cost_median(const struct measure_cost *cost);
double measure_cost_mean(const struct measure_cost *cost);

/* Ticks that an event of a kind adds to the program. */
double measure_cost_typical(const struct measure_cost *cost, uint32_t kind);

/* "SAMPLES EVENTS TICKS FLOOR:COUNT FLOOR:COUNT ...", as doc/properties.md has it. */
void measure_cost_print(const struct measure_cost *cost, char text[MEASURE_PROBE_TEXT]);

#endif
