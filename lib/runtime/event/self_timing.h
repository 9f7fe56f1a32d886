/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events that time themselves: where the next one is to do so, its begin and its end. Everything
 * here is off the hot path: it comes by way of a limit that is set early and of a flag. */
#ifndef MEASURE_EVENT_SELF_TIMING_H
#define MEASURE_EVENT_SELF_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "format/segment.h"

struct measure_location;

/* Of a location. */
struct measure_self_timing {
	struct measure_timing_histograms *histograms;
	uint8_t *limit;  /* of the chunk; the writer's may be lower: there an event is chosen */
	uint32_t stride; /* bytes between those that are chosen */
	bool is_function;
	uint8_t *position;  /* of the chosen one's first record */
	uint32_t nr_chunks; /* of the location up to it */
	uint64_t events;    /* committed before it */
	uint64_t begin;
};

/* A chunk has begun, in which records may go up to the writer's limit. */
void measure_timing_plan(struct measure_location *location);

/* The writer's limit was reached. False: it is the chunk's own. True: it has gone up. */
bool measure_timing_choose(struct measure_location *location);

/* The transaction of the event that was chosen is open since `now`; it is done. */
void measure_timing_begin(struct measure_location *location, uint64_t now);
void measure_timing_end(struct measure_location *location);

/* The type of the first of `events` records at `place`, after values of counters: what these cost
 * is part of the Enter or Leave that they belong to. *nr_metrics: how many of them there are. */
uint8_t measure_timing_first_type(const uint8_t *place, uint64_t events, uint64_t *nr_metrics);

/* Ticks that MEASURE_REFERENCE_EVENTS reference events take, after some that are not timed: the
 * same work whenever it is done, that of a function's Enters and Leaves with all they need in the
 * caches, recorded nowhere. They tell how fast the processor is for events just now: its frequency,
 * and what shares the core. 0: another thread is about it, or they were interrupted. Exported for
 * measure-event-costs, which finds it by dlsym(). */
__attribute__((visibility("default"))) uint64_t measure_reference_ticks(void);

#endif
