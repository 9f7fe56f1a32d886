/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure --calibrate`: runs a program several times with and without recording, alternating, and
 * reports how much slower recording makes it, with a confidence interval. */
#ifndef MEASURE_LAUNCH_RUN_CALIBRATE_H
#define MEASURE_LAUNCH_RUN_CALIBRATE_H

#include "launch/options/options.h"

/* Returns an exit status: MEASURE_EXIT_FOUND where runs failed. */
int measure_calibrate(const struct measure_options *options);

#endif
