/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment that a keeper keeps: how large it is, and what the program finds in it. */
#ifndef MEASURE_BIN_KEPT_H
#define MEASURE_BIN_KEPT_H

#include "keeper.h"
#include "memory/segment.h"

/* Makes it, and begins the clock of the recording. */
measure_status_t measure_kept_make(struct measure_keeper *keeper, struct measure_segment *segment);

/* Maps what another keeper has made before it died; false: there is none that was ready, so nobody
 * has it. */
bool measure_kept_take_over(struct measure_keeper *keeper, struct measure_segment *segment);

#endif
