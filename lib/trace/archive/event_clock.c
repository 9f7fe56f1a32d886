/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times of single events; streams read those of many in a row (stream.c). */
#include "config.h"

#include "event_clock.h"

#include "base/array.h"
#include "trace.h"

struct measure_event_clock measure_event_clock_of(
	const struct measure_trace *trace, uint32_t location)
{
	if (trace->clocks)
		return trace->clocks[location];
	return (struct measure_event_clock){.offsets = &trace->offsets[location]};
}

uint64_t measure_event_time(
	const struct measure_trace *trace, uint32_t location, uint64_t raw, uint64_t position)
{
	const struct measure_event_clock clock = measure_event_clock_of(trace, location);
	const size_t nr_done = measure_count_first(
		clock.nr_steps, i, measure_clock_step_is_done(&clock.steps[i], raw, position));

	return measure_clock_function_apply(
		nr_done ? clock.steps[nr_done - 1].offsets : clock.offsets, raw);
}
