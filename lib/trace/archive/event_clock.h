/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the ticks that events were recorded at to their times. As an archive is opened, its clock
 * offsets say so; who has corrected clocks in memory gives other functions. These may change
 * between two events of one tick, which no archive can say by offsets. */
#ifndef MEASURE_TRACE_ARCHIVE_EVENT_CLOCK_H
#define MEASURE_TRACE_ARCHIVE_EVENT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock/clock_function.h"

struct measure_trace;

/* Behind a tick other offsets hold, and at that tick from an event on; UINT64_MAX: of none. */
struct measure_clock_step {
	uint64_t raw, position;
	const struct measure_clock_function *offsets;
};

/* Of a location. */
struct measure_event_clock {
	const struct measure_clock_function *offsets;
	const struct measure_clock_step *steps; /* in order */
	size_t nr_steps;
};

static inline bool measure_clock_step_is_done(
	const struct measure_clock_step *step, uint64_t raw, uint64_t position)
{
	return raw > step->raw || (raw == step->raw && position >= step->position);
}

/* The one that holds for a location of a trace. */
struct measure_event_clock measure_event_clock_of(
	const struct measure_trace *trace, uint32_t location);

/* The time of one event alone, in no order with others; or of another tick in an event. */
uint64_t measure_event_time(
	const struct measure_trace *trace, uint32_t location, uint64_t raw, uint64_t position);

#endif
