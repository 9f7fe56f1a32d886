/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What locations did, at any scale: for each location bins of 2^k ticks, on levels k from the
 * smallest one, which depends on the number of its events, to the one where a single bin has its
 * whole life. A picture takes the level that has some bins to a pixel, and costs what its pixels
 * cost, however many events there are.
 *
 * Time here is counted from the start of the trace, in units of 2^shift ticks. Bin b of level k is
 * [b * 2^k, (b + 1) * 2^k), of all locations alike. All numbers are exact: the entries of a bin and
 * its rest are together what it has in common with the life of the location, from its first event
 * to its last. */
#ifndef MEASURE_ANALYSIS_PYRAMID_PYRAMID_H
#define MEASURE_ANALYSIS_PYRAMID_PYRAMID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/profile/pack.h"
#include "analysis/profile/profile.h"
#include "analysis/waits/waits.h"
#include "state_classes.h"

#define MEASURE_PYRAMID_ENTRIES 4

/* Time in an innermost region: its index, or an enum measure_pseudo_region. Outside of all calls it
 * is MEASURE_PSEUDO_NO_REGION. Regions that are the same for the profile are one. */
struct measure_pyramid_entry {
	uint64_t ticks;
	uint32_t region;
};

struct measure_pyramid_bin {
	uint32_t nr_entries;
	/* the most ticks first; of as many, the smaller region first */
	struct measure_pyramid_entry entries[MEASURE_PYRAMID_ENTRIES];
	uint64_t rest;            /* ticks in all other regions */
	uint64_t events;          /* in the last bin with those at the end of it */
	uint64_t sends, receives; /* messages between ranks */
	uint64_t bytes_sent;
	uint64_t waiting; /* ticks, if waits were given; part of the others */
};

/* Bins that are the same and stand next to each other are a run. */
struct measure_pyramid_level {
	uint64_t first_bin, nr_bins;
	uint64_t nr_runs;
	measure_profile_pack_t runs; /* see measure_pyramid_next() */
};

/* Of a location without events there are no levels. */
struct measure_pyramid_location {
	uint64_t first, last; /* events */
	uint64_t nr_events;
	uint32_t smallest; /* k of levels[0] */
	uint32_t nr_levels;
	struct measure_pyramid_level *levels;
};

/* Ticks of several locations together, by class. Those waited are part of the others. */
#define MEASURE_PYRAMID_WAITING    MEASURE_NR_STATE_CLASSES
#define MEASURE_PYRAMID_NR_COLUMNS (MEASURE_NR_STATE_CLASSES + 1)

/* Bins from 0 on, of 2^level. Of locations of the type METRIC nothing counts. */
struct measure_pyramid_group {
	uint64_t *ticks; /* nr_bins x MEASURE_PYRAMID_NR_COLUMNS */
	uint64_t nr_bins;
	uint32_t level;
};

struct measure_pyramid {
	uint64_t start;  /* ticks of corrected time */
	uint64_t length; /* of the trace, in units of 2^shift ticks */
	unsigned shift;
	struct measure_pyramid_location *locations; /* by index */
	size_t nr_locations;
	uint8_t *classes; /* of regions: enum measure_state_class */
	struct measure_pyramid_group all;
	struct measure_pyramid_group *hosts; /* by index of the tree node; without bins: no host */
	size_t nr_hosts;
	struct measure_pyramid_group *processes; /* by location group */
	size_t nr_processes;
	uint32_t nr_broken; /* locations with event files that could not be read to their ends */
};

struct measure_pyramid_options {
	unsigned nr_threads;
	unsigned shift; /* measure_pyramid_shift() at least: less counts as that */
	/* Of a location on its smallest level; a power of two, or 0: 65,536. There is one for 16
	 * events at the most. */
	uint64_t most_bins;
	/* Of all groups of one kind together; 0: 2^18. One group has 4,096 at the most. */
	uint64_t most_group_bins;
	const struct measure_waits *waits;  /* of the same trace, or NULL */
	const struct measure_sync_job *job; /* that reads it together; NULL: this process */
	void (*progress)(double share);
};

/* Collective in a job, whose first process gets the result, and alone needs the profile with its
 * rows, and the waits; of others regions count that are the same. Reads the events of an archive
 * whose profile is known: that of the same reading as the waits, or any of the whole archive. What
 * is wrong with events goes to trace->findings. MEASURE_ERROR_FORMAT: not all could be read; what
 * could counts. The result is freed in any case. */
measure_status_t measure_pyramid_read(struct measure_trace *trace,
	const struct measure_profile *profile, const struct measure_pyramid_options *options,
	struct measure_pyramid *pyramid);
void measure_pyramid_free(struct measure_pyramid *pyramid);

/* The smallest shift with which the run has less than 2^52 units. */
unsigned measure_pyramid_shift(const struct measure_profile *profile);

/* --------------------------------------------------------------------------- runs --- */

struct measure_pyramid_cursor {
	struct measure_pack_reader reader;
	uint64_t next_bin, nr_runs; /* that is to come; runs that are left */
};

static inline struct measure_pyramid_cursor measure_pyramid_begin(
	const struct measure_pyramid_level *level)
{
	const unsigned char *bytes = (const unsigned char *)level->runs.items;

	return (struct measure_pyramid_cursor){
		.reader = {bytes, bytes ? bytes + level->runs.nr : bytes, true},
		.next_bin = level->first_bin,
		.nr_runs = level->nr_runs};
}

/* The next run: how many bins it has, from *first on, and what each of them has. 0: there is none.
 */
uint64_t measure_pyramid_next(
	struct measure_pyramid_cursor *cursor, uint64_t *first, struct measure_pyramid_bin *bin);

#endif
