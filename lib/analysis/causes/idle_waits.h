/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All waits of a location: those of its calls and, of a thread, the times in which it was idle or
 * had not started. The latter are waits for the first thread of the process: they pass on what
 * others waited for the thread, but are no waiting time. */
#ifndef MEASURE_ANALYSIS_CAUSES_IDLE_WAITS_H
#define MEASURE_ANALYSIS_CAUSES_IDLE_WAITS_H

#include "analysis/waits/waits.h"

struct measure_all_waits {
	const struct measure_wait_state *waits; /* those of a location together */
	const size_t *first;              /* by location, and the end */
	size_t nr_locations;
	const struct measure_call_table *tables; /* by location */
	struct measure_wait_state *own_waits;    /* NULL: those of the calls are all */
	size_t *own_first;
};

/* The calls' tables have their segments. */
void measure_all_waits_find(struct measure_all_waits *all, const struct measure_waits *waits);
void measure_all_waits_free(struct measure_all_waits *all);

/* Is it a time in which a thread was idle? Such a wait has no call. */
static inline bool measure_wait_is_idle(const struct measure_wait_state *wait)
{
	return wait->call == MEASURE_NONE;
}

/* Is the cause known, and another location than the waiting one? */
static inline bool measure_wait_has_cause(const struct measure_wait_state *wait)
{
	return wait->cause != MEASURE_NONE && wait->cause != wait->location;
}

#endif
