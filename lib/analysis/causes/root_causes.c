/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds root causes: timelines first, then what is made of them. */
#include "config.h"

#include "root_causes.h"

#include <stdlib.h>

void measure_root_causes_find(struct measure_waits *waits, unsigned nr_threads)
{
	struct measure_root_causes *causes = measure_zeroed(1, sizeof(*causes));

	measure_timelines_make(&causes->timelines, waits, nr_threads);
	measure_critical_path_find(&causes->critical, &causes->timelines);
	measure_delays_find(&causes->delays, &causes->timelines, nr_threads);
	waits->root_causes = causes;
}

void measure_root_causes_free(struct measure_root_causes *causes)
{
	if (!causes)
		return;
	measure_delays_free(&causes->delays);
	measure_critical_path_free(&causes->critical);
	measure_timelines_free(&causes->timelines);
	measure_free(causes);
}
