/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histograms of what events cost; see self_timing_costs.h. */
#include "config.h"

#include "self_timing_costs.h"

#include <stdio.h>

#include "assemble/part/journal_file.h"

static void overhead_put(struct measure_frames *frames, uint32_t location, uint32_t kind,
	const struct measure_timing_histogram *timing)
{
	uint32_t pairs[2 * MEASURE_TIMING_BUCKETS];
	struct measure_def_self_timing def = {
		location, kind, timing->events, timing->ticks, {0, pairs}};

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS; i++) {
		if (timing->buckets[i] == 0)
			continue;
		pairs[def.buckets.nr++] = i;
		pairs[def.buckets.nr++] = timing->buckets[i];
	}
	if (def.buckets.nr)
		MEASURE_FRAMES_ADD(frames, self_timing, &def);
}

measure_status_t measure_costs_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd)
{
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < nr_locations; i++)
		for (uint32_t kind = 0; kind < MEASURE_TIMING_KINDS; kind++)
			overhead_put(&frames, i, kind, &segment->timings[i].kinds[kind]);
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

static const char *const names[] = {
#define SELF_TIMING(KIND, words) #KIND,
#include "format/self_timings.def"
#undef SELF_TIMING
};

const char *measure_cost_name(uint32_t kind)
{
	return names[kind];
}

void measure_cost_add(struct measure_cost *cost, const struct measure_def_self_timing *timing)
{
	cost->events += timing->events;
	cost->ticks += timing->ticks;
	for (uint32_t i = 0; i + 1 < timing->buckets.nr; i += 2) {
		if (timing->buckets.items[i] >= MEASURE_TIMING_BUCKETS)
			continue;
		cost->buckets[timing->buckets.items[i]] += timing->buckets.items[i + 1];
		cost->samples += timing->buckets.items[i + 1];
	}
}

void measure_cost_print(const struct measure_cost *cost, char text[MEASURE_TIMING_TEXT])
{
	int nr = snprintf(text, MEASURE_TIMING_TEXT, "%llu %llu %llu",
		(unsigned long long)cost->samples, (unsigned long long)cost->events,
		(unsigned long long)cost->ticks);

	for (uint32_t i = 0; i < MEASURE_TIMING_BUCKETS && nr < MEASURE_TIMING_TEXT; i++)
		if (cost->buckets[i])
			nr += snprintf(text + nr, (size_t)(MEASURE_TIMING_TEXT - nr), " %llu:%llu",
				(unsigned long long)measure_timing_floor(i),
				(unsigned long long)cost->buckets[i]);
}
