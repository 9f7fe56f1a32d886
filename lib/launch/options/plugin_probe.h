/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asking a metric plug-in of Score-P what a word stands for, in a process of its own: what it
 * breaks there, or where it hangs, does no harm, and it starts anew where it is read. */
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
