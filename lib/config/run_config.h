/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a run was asked for, from DIR/measure.cfg, and how its directory is named for people. */
#ifndef MEASURE_CONFIG_RUN_CONFIG_H
#define MEASURE_CONFIG_RUN_CONFIG_H

#include <limits.h>
#include <stdbool.h>

#include "config/settings.h"

struct measure_run {
	struct measure_settings settings; /* the defaults where the file cannot be read */
	char directory[PATH_MAX];         /* absolute */
	const char *name;                 /* as measure_run_name() has it */
};

/* `directory_fd` is that of `directory`. */
void measure_run_read(int directory_fd, const char *directory, struct measure_run *run);

/* The directory as --output named it: as many names from the end of the absolute path as `output`
 * has, or the whole path where that is absolute or goes upwards. */
const char *measure_run_name(const char *directory, const char *output);

/* More than begin and end was to be recorded of functions: not --adapters=none, no samples. */
bool measure_run_wants_functions(const struct measure_settings *settings);

#endif
