/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Markers of all processes in one order of time. Readers correct the times of events and not those
 * of markers, so these are corrected here, as readers would. */
#include "config.h"

#include "base/array.h"
#include "unify.h"

static int compare_times(const void *a, const void *b)
{
	const struct measure_otf2_marker *one = a, *other = b;

	return (one->time > other->time) - (one->time < other->time);
}

static uint64_t time_of(const struct measure_unified *unified,
	const struct measure_clock_function *function, uint64_t ticks)
{
	const struct measure_otf2_clock *clock = &unified->definitions.clock;
	uint64_t time = measure_clock_function_apply(function, ticks);

	if (time < clock->begin)
		return clock->begin;
	return time - clock->begin > clock->length ? clock->begin + clock->length : time;
}

static void markers_add(struct measure_unified *unified,
	const struct measure_clock_function *function, const struct measure_process *process,
	const struct measure_def_marker *def)
{
	const struct measure_otf2_marker marker = {time_of(unified, function, def->ticks),
		measure_location_id(process, def->location), def->category, def->text,
		(uint8_t)def->severity};

	if (def->location < measure_process_nr_locations(process))
		measure_unify_push(unified, &unified->definitions.markers, marker);
}

void measure_unify_markers(
	struct measure_unified *unified, const struct measure_clock_correction *timeline)
{
	for (size_t i = 0; i < unified->job->processes.nr; i++) {
		const struct measure_process *process = &unified->job->processes.items[i];
		for (size_t k = 0; process->part && k < process->part->markers.nr; k++)
			markers_add(unified, &timeline->corrections.items[i].function, process,
				&process->part->markers.items[k]);
	}
	measure_array_sort(&unified->definitions.markers, compare_times);
}
