/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that keeps a location from going on: the waits of its calls and, of a thread, the times in
 * which it was not in use or not begun yet, which are for the first thread of its process. These
 * hand on what others waited for them; waiting time of their own they have none. */
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

/* Has it no call? */
static inline bool measure_wait_is_idle(const struct measure_wait_state *wait)
{
	return wait->call == MEASURE_NONE;
}

/* Another location is to blame for it: not nobody, and not the one that has waited. */
static inline bool measure_wait_has_cause(const struct measure_wait_state *wait)
{
	return wait->cause != MEASURE_NONE && wait->cause != wait->location;
}

#endif
