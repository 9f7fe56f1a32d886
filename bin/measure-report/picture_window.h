/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The window of time that the user wants to see in a picture. */
#ifndef MEASURE_BIN_MEASURE_REPORT_PICTURE_WINDOW_H
#define MEASURE_BIN_MEASURE_REPORT_PICTURE_WINDOW_H

#include "analysis/waits/waits.h"
#include "picture_options.h"

/* Sets the window, if there is one. False: there is nothing in it, which has been said. */
bool picture_window_find(const struct picture_options *options, const struct measure_waits *waits,
	struct measure_picture_options *picture);

#endif
