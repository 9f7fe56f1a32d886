/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of each location in the order in which they were over. */
#ifndef MEASURE_ANALYSIS_CAUSES_WAIT_ORDER_H
#define MEASURE_ANALYSIS_CAUSES_WAIT_ORDER_H

#include "analysis/waits/waits.h"

/* Numbers of waits, those of each location together, as dependencies->first_waits says: by `until`,
 * then as they stand. To be freed. */
uint32_t *measure_wait_order(const struct measure_dependencies *dependencies);

/* Another location is to blame for it: not nobody, and not the one that has waited. */
static inline bool measure_wait_has_cause(const struct measure_wait *wait)
{
	return wait->cause != MEASURE_NONE && wait->cause != wait->location;
}

#endif
