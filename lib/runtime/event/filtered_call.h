/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Enters and Leaves of calls that the filter decides about one by one: what it decides
 * (select/call_filter.h) is written, left out, or taken back. In a transaction. */
#ifndef MEASURE_EVENT_FILTERED_CALL_H
#define MEASURE_EVENT_FILTERED_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event/location.h"
#include "runtime/select/call_filter.h"

/* Enters the region, or not. `frame` and `function`, as on the region stack: of a function, or 0. */
void measure_filtered_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function);

/* Leaves the region if the call was recorded, or takes it back if that was too short. `exit`:
 * of a function, or NULL. False: nothing was written. */
bool measure_filtered_leave(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit);

/* Is it the exit of the innermost one of all calls, with no region entered after it? */
static inline bool measure_filtered_is_innermost(
	const struct measure_location *location, uint32_t region, const struct measure_exit *exit)
{
	return measure_call_filter_is_innermost(
		location->calls, region, measure_location_depth(location), exit);
}

#endif
