/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root causes of waits: the call paths in which the location that was waited for spent more time
 * than the waiting one, since the two last synchronised (delays), and its own waits, which have
 * causes in turn. doc/waits.md has the definitions. */
#ifndef MEASURE_ANALYSIS_CAUSES_DELAYS_H
#define MEASURE_ANALYSIS_CAUSES_DELAYS_H

#include "timeline.h"

/* The waiting that a call path on a location cost others. */
struct measure_delay_row {
	uint32_t pattern; /* of the wait that is charged, not of waits between it and the delay */
	uint32_t path, location;
	uint64_t short_term; /* ticks: waits for this location */
	uint64_t long_term;  /* waits for locations that had waited for it, and so on */
};

/* Parts of a row of waits, in ticks. direct + indirect + waits without a cause = all of it, and
 * propagating + terminal = all of it. */
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
	uint64_t nr_circles;   /* circles of waits that end at one time, which have no order */
};

void measure_delays_find(struct measure_delays *delays, const struct measure_timelines *timelines,
	unsigned nr_threads);
void measure_delays_free(struct measure_delays *delays);

/* Of all rows, short-term and long-term. */
uint64_t measure_delays_total(const struct measure_delays *delays);

#endif
