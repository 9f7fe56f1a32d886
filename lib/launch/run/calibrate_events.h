/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure --calibrate-events`: what recording one event costs on this processor. */
#ifndef MEASURE_LAUNCH_RUN_CALIBRATE_EVENTS_H
#define MEASURE_LAUNCH_RUN_CALIBRATE_EVENTS_H

#include "launch/options/options.h"

/* Returns the exit status. */
int measure_calibrate_events(const struct measure_options *options);

#endif
