/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The libraries of wrappers that --wrap names. */
#ifndef MEASURE_LAUNCH_OPTIONS_WRAP_NAMES_H
#define MEASURE_LAUNCH_OPTIONS_WRAP_NAMES_H

#include <limits.h>
#include <stdbool.h>

#include "config/settings.h"
#include "status.h"

/* Replaces names by paths: libmeasure-wrap-NAME.so in the user's directory (the place where
 * measure-wrap puts it), the current one, or where Measure is installed. One that is not there, was
 * made for another version, or lacks a group that is named, is a mistake. */
measure_status_t measure_wraps_check(struct measure_settings *settings);

/* The next path of a list that has been checked; false: there is none. */
bool measure_wraps_next(const char **list, char path[PATH_MAX]);

#endif
