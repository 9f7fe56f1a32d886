/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much faster than presynchronised time the corrected clocks run. Where they are slower it
 * is by the decay rate, which is given. */
#ifndef MEASURE_SYNC_SLOPES_H
#define MEASURE_SYNC_SLOPES_H

#include "sync/correction.h"

/* In ticks, of the clocks of this rank. */
struct measure_sync_slopes {
	/* The steepest: so much more time in so much time, one tick of rounding left out.
	 * `time` 0: none is faster. */
	int64_t gain, time;
	/* Time in which a clock gains more than one in MEASURE_SYNC_RAMP, and all time. */
	measure_wide_t steep, all;
};

struct measure_sync_slopes measure_sync_slopes_of(
	const struct measure_sync_graph *graph, const struct measure_sync_correction *corrections);

void measure_sync_slopes_add(
	struct measure_sync_slopes *to, const struct measure_sync_slopes *from);

#endif
