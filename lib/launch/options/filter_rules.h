/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the filter rules of a recording. */
#ifndef MEASURE_LAUNCH_OPTIONS_FILTER_RULES_H
#define MEASURE_LAUNCH_OPTIONS_FILTER_RULES_H

#include <stddef.h>

#include "config/settings.h"
#include "filter/filter.h"

struct measure_rules {
	struct measure_filter *filter; /* NULL: there are none, as with the text */
	char *text;                    /* as the process wants it, see format/filter_area.h */
	size_t size;
};

/* What is wrong is said with its place: a mistake; with --lenient there are no rules then. */
measure_status_t measure_rules_read(
	struct measure_rules *rules, const struct measure_settings *settings);

#endif
