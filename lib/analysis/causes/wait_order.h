/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of each location in the order in which they were over. */
#ifndef MEASURE_ANALYSIS_CAUSES_WAIT_ORDER_H
#define MEASURE_ANALYSIS_CAUSES_WAIT_ORDER_H

#include "idle_waits.h"

/* Numbers of waits, those of each location together, as in `all`: by `until`,
 * then as they stand. To be freed. */
uint32_t *measure_wait_order(const struct measure_all_waits *all);

#endif
