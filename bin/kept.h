/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The segment that a keeper keeps: how large it is, and what the program finds in it. */
#ifndef MEASURE_BIN_KEPT_H
#define MEASURE_BIN_KEPT_H

#include "keeper.h"
#include "memory/segment.h"

/* Makes it, and begins the clock of the recording. *fd is close-on-exec. */
measure_status_t measure_kept_make(
	const struct measure_keeper *keeper, int *fd, struct measure_segment *segment);

#endif
