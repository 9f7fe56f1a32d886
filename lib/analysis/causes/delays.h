/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root causes of waits: what the location that was waited for had done more than the one that
 * waited, since the two were together last. That are delays, and waits of its own, which had causes
 * themselves. doc/waits.md has the definitions. */
#ifndef MEASURE_ANALYSIS_CAUSES_DELAYS_H
#define MEASURE_ANALYSIS_CAUSES_DELAYS_H

#include "timeline.h"

/* What a location, being in a call path, has cost others. */
struct measure_delay_row {
	uint32_t pattern; /* of the wait in the end, not of those on the way */
	uint32_t path, location;
	uint64_t short_term; /* ticks: those who waited for it */
	uint64_t long_term;  /* those who waited for somebody who waited, and so on */
};

/* Of a row of waits; ticks. The first three, and what has no cause, are all of it; the other two,
 * too. */
struct measure_wait_costs {
	uint64_t direct;   /* for delays of the one it was for */
	uint64_t indirect; /* for waits of that one */
	uint64_t unattributed;
	uint64_t propagating; /* made others wait */
	uint64_t terminal;    /* did not */
};

struct measure_delays {
	MEASURE_GROWING(struct measure_delay_row, rows); /* by pattern, path, location */
	struct measure_wait_costs *costs;                /* by row of waits */
	uint64_t unattributed; /* waits without a cause, or for the location itself */
	uint64_t nr_circles;   /* waits for each other at one time, which have no order */
};

void measure_delays_find(struct measure_delays *delays, const struct measure_timelines *timelines,
	unsigned nr_threads);
void measure_delays_free(struct measure_delays *delays);

/* Of all rows, short-term and long-term. */
uint64_t measure_delays_total(const struct measure_delays *delays);

#endif
