/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that time themselves: where the next one is to do so, its begin and its end. Everything
 * here is off the event path: it comes by way of a limit that is set early and of a flag. */
#ifndef MEASURE_RUNTIME_EVENT_SELF_TIMING_H
#define MEASURE_RUNTIME_EVENT_SELF_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "format/segment.h"

struct measure_location;

/* Of a location. */
struct measure_probing {
	struct measure_probes *probes;
	uint8_t *limit;  /* of the chunk; the writer's may be lower: there an event is chosen */
	uint32_t stride; /* bytes between those that are chosen */
	bool is_function;
	uint8_t *position;  /* of the chosen one's first record */
	uint32_t nr_chunks; /* of the location up to it */
	uint64_t events;    /* committed before it */
	uint64_t begin;
};

/* A chunk has begun, in which records may go up to the writer's limit. */
void measure_probe_plan(struct measure_location *location);

/* The writer's limit was reached. False: it is the chunk's own. */
bool measure_probe_choose(struct measure_location *location);

/* The bracket of the event that was chosen is open since `now`; it is done. */
void measure_probe_begin(struct measure_location *location, uint64_t now);
void measure_probe_end(struct measure_location *location);

/* The type of the first of `events` records at `place`, behind values of metrics: what these cost
 * is of the Enter or Leave that they belong to. How many of them there are. */
uint8_t measure_probe_first_type(const uint8_t *place, uint64_t events, uint64_t *nr_metrics);

#endif
