/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations of a process or of a clock make a bundle. Bundles are laid end to end in reading order,
 * since neighbours talk most with each other, and cut into equal lengths: a bundle belongs where
 * its middle lies. */
#include "config.h"

#include "partition.h"

#include "trace/common/containers.h"

/* Products of sums of weights. */
__extension__ typedef unsigned __int128 wide_t;

/* No sum of what archives may claim is too large then. */
#define EVENTS_PER_UNIT 65536

/* Places are those in reading order. The first place of the bundle that one is in: */
static uint32_t partition_find(uint32_t *bundles, uint32_t place)
{
	while (bundles[place] != place) {
		bundles[place] = bundles[bundles[place]];
		place = bundles[place];
	}
	return place;
}

static void partition_join(uint32_t *bundles, uint32_t one, uint32_t other)
{
	one = partition_find(bundles, one);
	other = partition_find(bundles, other);
	if (one < other)
		bundles[other] = one;
	else
		bundles[one] = other;
}

/* The caller frees it. */
static uint32_t *make_bundles(const struct measure_trace *trace, const uint32_t *domains)
{
	const uint32_t nr = (uint32_t)trace->definitions.nr_locations;
	uint32_t *bundles = measure_zeroed(nr, sizeof(*bundles));
	struct measure_map firsts = {0};

	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t location = trace->reading_order[i];
		const uint32_t process = trace->definitions.locations[location].group;

		bundles[i] = i;
		partition_join(bundles, i,
			measure_map_intern(&firsts, measure_key_pair(0, domains[location]), i));
		if (process != MEASURE_NONE)
			partition_join(bundles, i,
				measure_map_intern(&firsts, measure_key_pair(1, process), i));
	}
	measure_map_free(&firsts);
	return bundles;
}

/* Of its events, as far as the archive tells, and of being there at all. */
static uint64_t weight_of(const struct measure_trace *trace, uint32_t place)
{
	const uint32_t location = trace->reading_order[place];

	return trace->definitions.locations[location].nr_events / EVENTS_PER_UNIT + 1;
}

uint32_t *measure_partition_make(
	const struct measure_trace *trace, const uint32_t *domains, uint32_t nr_ranks)
{
	const uint32_t nr = (uint32_t)trace->definitions.nr_locations;
	uint32_t *ranks = measure_zeroed(nr, sizeof(*ranks)), *bundles;
	uint64_t *weights, all = 0, before = 0;

	if (nr_ranks == 1)
		return ranks;
	bundles = make_bundles(trace, domains);
	weights = measure_zeroed(nr, sizeof(*weights));
	for (uint32_t i = 0; i < nr; i++) {
		weights[partition_find(bundles, i)] += weight_of(trace, i);
		all += weight_of(trace, i);
	}
	/* The first place of a bundle comes before the others of it, and has all of its weight. In
	 * halves, so that the middle is a whole number. */
	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t first = partition_find(bundles, i),
			       location = trace->reading_order[i];

		ranks[location] = first == i
					  ? (uint32_t)((wide_t)(2 * before + weights[i]) *
						       nr_ranks / (2 * all))
					  : ranks[trace->reading_order[first]];
		before += weights[i];
	}
	measure_free(weights);
	measure_free(bundles);
	return ranks;
}
