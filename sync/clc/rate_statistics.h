/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much faster than presynchronised time the corrected clocks run. Where they are slower it
 * is by the decay rate, which is given. */
#ifndef MEASURE_SYNC_CLC_RATE_STATISTICS_H
#define MEASURE_SYNC_CLC_RATE_STATISTICS_H

#include "correction.h"

/* In ticks, of the clocks of this rank. */
struct measure_sync_rates {
	/* The steepest: so much more time in so much time, one tick of rounding left out.
	 * `time` 0: none is faster. */
	int64_t gain, time;
	/* Time in which a clock gains more than one in MEASURE_SYNC_RAMP, and all time. */
	measure_wide_t steep, all;
};

struct measure_sync_rates measure_sync_rates_of(
	const struct measure_sync_graph *graph, const struct measure_sync_correction *corrections);

void measure_sync_rates_add(struct measure_sync_rates *to, const struct measure_sync_rates *from);

#endif
