/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of regions of which the filter records some: decided one by one, beside the event path.
 * All of these that are open lie in a stack of the location's own, also those that are not
 * recorded and that the region stack, which the keeper sees, knows nothing of: so the exit of each
 * is known for what it is. lib/event only. */
#ifndef MEASURE_RUNTIME_SELECT_CALL_FILTER_H
#define MEASURE_RUNTIME_SELECT_CALL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/event/record_internal.h"

/* `begin`: what times of the filter count from, in ticks. Once, before the gate opens. */
void measure_calls_start(uint64_t begin);

/* Enters the region, or not. In a bracket, as the others. `frame` and `function`, as in the region
 * stack: of a function, or 0. */
void measure_calls_enter(
	struct measure_location *location, uint32_t region, uint64_t frame, uint32_t function);

/* Leaves the region where the call was recorded, or takes it back where that was too short. `exit`:
 * of a function, or NULL. False: nothing was written. */
bool measure_calls_leave(
	struct measure_location *location, uint32_t region, const struct measure_exit *exit);

/* Is it the exit of the innermost one of all calls, with no region entered behind it? */
bool measure_calls_is_innermost(
	const struct measure_location *location, uint32_t region, const struct measure_exit *exit);

/* The frame of the innermost call, where that is not recorded; else 0. */
uint64_t measure_calls_frame(const struct measure_location *location);

/* That one was left without our seeing it. */
void measure_calls_forget(struct measure_location *location);

/* The thread is over. */
void measure_calls_end(struct measure_location *location);

/* In a forked child, which goes on with `calls`, the parent's: of the `nr` regions that were open
 * those are again that have a function. */
void measure_calls_restart(struct measure_location *location, struct measure_calls *calls,
	const struct measure_segment_frame *open, uint32_t nr);

#endif
