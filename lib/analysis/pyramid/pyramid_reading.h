/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What reading a pyramid is made of: pyramid.c gives locations to threads, pyramid_location.c reads
 * them, pyramid_ranks.c gives them to the processes of a job. */
#ifndef MEASURE_ANALYSIS_PYRAMID_PYRAMID_READING_H
#define MEASURE_ANALYSIS_PYRAMID_PYRAMID_READING_H

#include <pthread.h>

#include "pyramid.h"
#include "sync/parallel/sync_ranks.h"

/* In units. */
struct pyramid_wait {
	uint64_t from, until;
	uint64_t ticks; /* that were waited, no more than that */
};

/* All that is known of a location before it is read. */
struct pyramid_facts {
	uint64_t life; /* ticks; MEASURE_NOT_READ: unknown */
	struct pyramid_wait *waits;
	size_t nr_waits;
};

struct pyramid_reading {
	struct measure_trace *trace;
	const uint32_t *same_regions; /* of the profile, or NULL */
	const struct measure_pyramid_options *options;
	const struct measure_sync_job *job;
	struct measure_pyramid *pyramid;
	struct pyramid_facts *facts; /* by location */
	/* of locations: the longest first; each rank takes those that are its turn */
	uint32_t *order;
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

static inline uint64_t pyramid_units(const struct measure_pyramid *pyramid, uint64_t time)
{
	const uint64_t units =
		time > pyramid->start ? (time - pyramid->start) >> pyramid->shift : 0;

	return measure_earlier(units, pyramid->length);
}

/* Locations that are read by a rank: the index-th one. */
static inline uint32_t pyramid_location_of(
	const struct pyramid_reading *reading, uint32_t rank, size_t index)
{
	return reading->order[index * reading->job->size + rank];
}

static inline size_t pyramid_nr_locations_of(const struct pyramid_reading *reading, uint32_t rank)
{
	const size_t nr = reading->pyramid->nr_locations;

	return (nr + reading->job->size - 1 - rank) / reading->job->size;
}

/* Finds the waits of a location. */
void pyramid_find_waits(
	const struct pyramid_reading *reading, uint32_t location, struct pyramid_facts *facts);

/* Reads the index-th location of this rank. Its facts are freed. */
void pyramid_location_read(void *reading, size_t index);

/* Collective: all ranks learn from the first one where the trace begins and how long it is, and the
 * facts of the locations that they read. */
void pyramid_ranks_share(struct pyramid_reading *reading);

/* Collective: the first rank gets what all have read. */
void pyramid_ranks_gather(struct pyramid_reading *reading);

#endif
