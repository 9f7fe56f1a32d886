/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histograms of what events cost; see self_timing_costs.h. */
#include "config.h"

#include "self_timing_costs.h"

#include <stdio.h>

#include "assemble/part/journal_file.h"

static void overhead_put(struct measure_frames *frames, uint32_t location, uint32_t kind,
	const struct measure_probe *probe)
{
	uint32_t pairs[2 * MEASURE_PROBE_BUCKETS];
	struct measure_def_probe def = {location, kind, probe->events, probe->ticks, {0, pairs}};

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS; i++) {
		if (probe->buckets[i] == 0)
			continue;
		pairs[def.buckets.nr++] = i;
		pairs[def.buckets.nr++] = probe->buckets[i];
	}
	if (def.buckets.nr)
		MEASURE_FRAMES_ADD(frames, probe, &def);
}

measure_status_t measure_costs_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd)
{
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < nr_locations; i++)
		for (uint32_t kind = 0; kind < MEASURE_PROBE_KINDS; kind++)
			overhead_put(&frames, i, kind, &segment->probes[i].kinds[kind]);
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

static const char *const names[] = {
#define PROBE(KIND, words) #KIND,
#include "format/self_timings.def"
#undef PROBE
};

const char *measure_cost_name(uint32_t kind)
{
	return names[kind];
}

void measure_cost_add(struct measure_cost *cost, const struct measure_def_probe *probe)
{
	cost->events += probe->events;
	cost->ticks += probe->ticks;
	for (uint32_t i = 0; i + 1 < probe->buckets.nr; i += 2) {
		if (probe->buckets.items[i] >= MEASURE_PROBE_BUCKETS)
			continue;
		cost->buckets[probe->buckets.items[i]] += probe->buckets.items[i + 1];
		cost->samples += probe->buckets.items[i + 1];
	}
}

void measure_cost_print(const struct measure_cost *cost, char text[MEASURE_PROBE_TEXT])
{
	int nr = snprintf(text, MEASURE_PROBE_TEXT, "%llu %llu %llu",
		(unsigned long long)cost->samples, (unsigned long long)cost->events,
		(unsigned long long)cost->ticks);

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS && nr < MEASURE_PROBE_TEXT; i++)
		if (cost->buckets[i])
			nr += snprintf(text + nr, (size_t)(MEASURE_PROBE_TEXT - nr), " %llu:%llu",
				(unsigned long long)measure_probe_floor(i),
				(unsigned long long)cost->buckets[i]);
}
