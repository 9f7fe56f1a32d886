/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds root causes: timelines first, then what is made of them. */
#include "config.h"

#include "root_causes.h"

#include <stdlib.h>

void measure_root_causes_prepare(struct measure_waits *waits)
{
	measure_timelines_add_paths(&waits->profile);
}

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

void measure_root_causes_sum_paths(struct measure_waits *waits)
{
	const struct measure_root_causes *causes = waits->root_causes;
	const struct measure_delays *delays = &causes->delays;
	const struct measure_critical_path *critical = &causes->critical;
	struct measure_path_waits *paths = measure_zeroed(waits->profile.nr_paths, sizeof(*paths));

	for (size_t i = 0; i < waits->nr_rows; i++)
		if (measure_wait_patterns[waits->rows[i].pattern].part == MEASURE_WAIT_ADDED)
			paths[waits->rows[i].path].waiting += waits->rows[i].ticks;
	for (size_t i = 0; i < delays->nr_rows; i++) {
		paths[delays->rows[i].path].delay_short += delays->rows[i].short_term;
		paths[delays->rows[i].path].delay_long += delays->rows[i].long_term;
	}
	for (size_t i = 0; i < critical->nr_rows; i++)
		paths[critical->rows[i].path].critical += critical->rows[i].ticks;
	waits->profile.waits = paths;
}
