/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a location of a process that goes on has done lately: visits and exclusive times of its
 * regions between two times. */
#ifndef MEASURE_LIVE_LIVE_RECENT_H
#define MEASURE_LIVE_LIVE_RECENT_H

#include "live_segment.h"

struct live_recent_region {
	uint64_t visits, ticks;
};

struct live_recent {
	MEASURE_ARRAY(struct live_recent_region) regions; /* by local id */
	uint64_t outside;                                 /* ticks in no region */
	uint64_t unknown;                                 /* ticks in a region that is not known */
	uint64_t nr_events;
	uint64_t from; /* where it begins: later than asked for where there are too many events */
};

/* Times in ticks; `stack` is what the location has open, looked at after `until`. The caller frees
 * the regions in any case. */
measure_status_t live_recent_read(struct measure_live *live, uint32_t location,
	const struct measure_live_stack *stack, uint64_t from, uint64_t until,
	struct live_recent *recent);

#endif
