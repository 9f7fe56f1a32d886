/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the events of all locations into bins. Each location is read by one thread, the long ones
 * first; groups are sums of locations, so that no order matters. */
#include "config.h"

#include "pyramid.h"

#include <malloc.h>
#include <stdlib.h>

#include "group_bins.h"
#include "pyramid_reading.h"
#include "sync/parallel/workers.h"

#define MOST_GROUP_BINS (UINT64_C(1) << 18) /* of all groups of a kind */
#define MOST_UNITS      (UINT64_C(1) << 52)

unsigned measure_pyramid_shift(const struct measure_profile *profile)
{
	unsigned shift = 0;

	while (profile->first <= profile->last &&
		(profile->last - profile->first) >> shift >= MOST_UNITS)
		shift++;
	return shift;
}

static void find_lives(struct pyramid_reading *reading, const struct measure_profile *profile)
{
	const size_t nr = reading->trace->definitions.nr_locations;

	reading->facts = measure_zeroed(nr, sizeof(*reading->facts));
	for (size_t i = 0; i < nr; i++)
		reading->facts[i].life = MEASURE_NOT_READ;
	for (size_t i = 0; i < profile->nr_rows; i++)
		if (profile->rows[i].path == 0 && profile->rows[i].location < nr)
			reading->facts[profile->rows[i].location].life = profile->rows[i].inclusive;
}

struct pyramid_size {
	uint64_t nr_events;
	uint32_t location;
};

static int compare_sizes(const void *left, const void *right)
{
	const struct pyramid_size *a = left, *b = right;

	if (a->nr_events != b->nr_events)
		return a->nr_events < b->nr_events ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

static void order_locations(struct pyramid_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const size_t nr = definitions->nr_locations;
	struct pyramid_size *sizes = measure_zeroed(nr, sizeof(*sizes));

	for (uint32_t i = 0; i < nr; i++) {
		sizes[i] = (struct pyramid_size){definitions->locations[i].nr_events, i};
	}
	measure_sort(sizes, nr, compare_sizes);
	reading->order = measure_zeroed(nr, sizeof(*reading->order));
	for (size_t i = 0; i < nr; i++) {
		reading->order[i] = sizes[i].location;
		if (i % reading->job->size == reading->job->rank)
			reading->nr_expected += sizes[i].nr_events;
	}
	measure_free(sizes);
}

static void start_pyramid(
	const struct pyramid_reading *reading, const struct measure_profile *profile)
{
	struct measure_pyramid *pyramid = reading->pyramid;

	*pyramid =
		(struct measure_pyramid){.nr_locations = reading->trace->definitions.nr_locations,
			.shift = measure_pyramid_shift(profile),
			.classes = measure_state_classes_find(&reading->trace->definitions)};
	if (reading->options->shift > pyramid->shift)
		pyramid->shift = reading->options->shift;
	if (profile->first <= profile->last) {
		pyramid->start = profile->first;
		pyramid->length = (profile->last - profile->first) >> pyramid->shift;
	}
	pyramid->locations = measure_zeroed(pyramid->nr_locations, sizeof(*pyramid->locations));
}

measure_status_t measure_pyramid_read(struct measure_trace *trace,
	const struct measure_profile *profile, const struct measure_pyramid_options *options,
	struct measure_pyramid *pyramid)
{
	const uint64_t most = options->most_group_bins ? options->most_group_bins : MOST_GROUP_BINS;
	struct pyramid_reading reading = {.trace = trace,
		.same_regions = profile->same_regions,
		.options = options,
		.job = options->job ? options->job : &measure_sync_job_of_one,
		.pyramid = pyramid};

	start_pyramid(&reading, profile);
	find_lives(&reading, profile);
	order_locations(&reading);
	if (reading.job->size > 1)
		pyramid_ranks_share(&reading);
	pyramid_groups_start(pyramid, &trace->definitions, most);
	pthread_mutex_init(&reading.lock, NULL);
	malloc_trim(0); /* see waits_read.c */
	measure_workers_share(options->nr_threads,
		pyramid_nr_locations_of(&reading, reading.job->rank), pyramid_location_read,
		&reading);
	pthread_mutex_destroy(&reading.lock);
	if (reading.job->size > 1)
		pyramid_ranks_gather(&reading);
	measure_free(reading.facts);
	measure_free(reading.order);
	return pyramid->nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}

static void free_location(struct measure_pyramid_location *location)
{
	for (uint32_t i = 0; i < location->nr_levels; i++)
		free(location->levels[i].runs.items);
	measure_free(location->levels);
}

static void free_groups(struct measure_pyramid_group *groups, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		measure_free(groups[i].ticks);
	measure_free(groups);
}

void measure_pyramid_free(struct measure_pyramid *pyramid)
{
	for (size_t i = 0; i < pyramid->nr_locations; i++)
		free_location(&pyramid->locations[i]);
	measure_free(pyramid->locations);
	measure_free(pyramid->classes);
	measure_free(pyramid->all.ticks);
	free_groups(pyramid->hosts, pyramid->nr_hosts);
	free_groups(pyramid->processes, pyramid->nr_processes);
	*pyramid = (struct measure_pyramid){.nr_locations = 0};
}
