/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Markers: moments of a thread, as journal records. */
#include "config.h"

#include "adapter.h"
#include "runtime/definitions/define.h"
#include "runtime/gate/gate.h"
#include "location.h"

static uint32_t nr_markers; /* under the definition lock */

/* The location first: it may have to be made, which takes the lock. */
void measure_marker_define(const char *category, const char *text, uint8_t severity)
{
	struct measure_def_marker def = {0, measure_location_index(), category, text, severity};
	struct measure_signals saved;
	bool is_told = false;

	if (!measure_gate_is_open() || def.location == MEASURE_UNDEFINED)
		return;
	measure_define_lock(&saved);
	if (nr_markers < MEASURE_MOST_MARKERS) {
		nr_markers++;
		def.ticks = measure_clock_now();
		MEASURE_JOURNAL(marker, &def);
		is_told = true;
	}
	measure_define_unlock(&saved);
	if (!is_told)
		measure_count(MEASURE_COUNT_LOST_MARKERS);
}
