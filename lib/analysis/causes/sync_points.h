/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When two locations last synchronised before one waited for the other. delays.h compares what each
 * has done since then. */
#ifndef MEASURE_ANALYSIS_CAUSES_SYNC_POINTS_H
#define MEASURE_ANALYSIS_CAUSES_SYNC_POINTS_H

#include "timeline.h"

/* By wait, the time at which the first of the two left the last synchronisation of both, before the
 * wait; without one, the first event of either. To be freed. */
uint64_t *measure_sync_points_find(const struct measure_timelines *timelines, unsigned nr_threads);

#endif
