/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queries a Score-P metric plug-in in a process of its own, so that a crash or hang there does no
 * harm, and the plug-in starts afresh when it is used. */
#ifndef MEASURE_LAUNCH_OPTIONS_PLUGIN_PROBE_H
#define MEASURE_LAUNCH_OPTIONS_PLUGIN_PROBE_H

#include <stdint.h>

#include "metric/scorep.h"

struct measure_plugin_answer {
	uint32_t nr;  /* metrics */
	char why[96]; /* why there are none; "": it has none of that name */
};

void measure_plugin_probe(const struct measure_scorep *plugin, const char *word,
	struct measure_plugin_answer *answer);

#endif
