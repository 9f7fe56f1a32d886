/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `measure --attach PID` and `measure --detach PID`. */
#ifndef MEASURE_BIN_ATTACH_H
#define MEASURE_BIN_ATTACH_H

#include "launch/options/options.h"

/* Returns an exit status. */
int measure_attach(const struct measure_options *options);

#endif
