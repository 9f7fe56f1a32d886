/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histograms of what events cost; see overhead.h. */
#include "config.h"

#include "overhead.h"

#include <stdio.h>
#include <stdlib.h>

#include "assemble/part/journal_file.h"

#define INTERRUPTED 8 /* medians */

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

static const char *const all_words[] = {
#define PROBE(KIND, words) words,
#include "format/self_timings.def"
#undef PROBE
};

const char *measure_cost_name(uint32_t kind)
{
	return names[kind];
}

const char *measure_cost_words(uint32_t kind)
{
	return all_words[kind];
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

/* The middle of a bucket. */
static double middle(uint32_t bucket)
{
	return ((double)measure_probe_floor(bucket) + (double)measure_probe_floor(bucket + 1)) / 2;
}

double measure_cost_median(const struct measure_cost *cost)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS; i++) {
		seen += cost->buckets[i];
		if (2 * seen >= cost->samples && seen)
			return middle(i);
	}
	return 0;
}

double measure_cost_mean(const struct measure_cost *cost)
{
	double limit = INTERRUPTED * measure_cost_median(cost), sum = 0;
	uint64_t nr = 0;

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS && middle(i) <= limit; i++) {
		sum += (double)cost->buckets[i] * middle(i);
		nr += cost->buckets[i];
	}
	return nr && cost->events ? sum / (double)nr * (double)cost->samples / (double)cost->events
				  : 0;
}

#define FASTEST 0.4 /* of all brackets */

/* Of the fastest brackets, the mean: clocks may count in steps as long as an event. */
static double fastest(const struct measure_cost *cost)
{
	double wanted = FASTEST * (double)cost->samples, left = wanted, sum = 0;

	for (uint32_t i = 0; i < MEASURE_PROBE_BUCKETS && left > 0; i++) {
		double nr = (double)cost->buckets[i] < left ? (double)cost->buckets[i] : left;
		sum += nr * middle(i);
		left -= nr;
	}
	return wanted > 0 ? sum / wanted : 0;
}

/* An event that times itself runs code that no other one does, which is not in the caches: it takes
 * some 10 ns more. Of functions that are called all the time the fastest ones take what the
 * processor time of paired runs tells of all of them: 10 ns where the median is 20, 30 where it is
 * 37 (tests/e2e/overhead/cost_estimate.sh). Other calls are fewer, and find the caches as the program left them. */
double measure_cost_typical(const struct measure_cost *cost, uint32_t kind)
{
	double ticks = kind == MEASURE_PROBE_FUNCTION_ENTER || kind == MEASURE_PROBE_FUNCTION_LEAVE
			       ? fastest(cost)
			       : measure_cost_median(cost);

	if (kind == MEASURE_PROBE_SAMPLE || cost->events == 0)
		return measure_cost_mean(cost);
	return ticks * (double)cost->samples / (double)cost->events;
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
