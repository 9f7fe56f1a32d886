/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills the bins of one location, in order of time. Each level has one open bin, with all regions
 * that were in it; it is added to the open bin of the next level when it closes. Times are units
 * since the start of the trace. */
#ifndef MEASURE_ANALYSIS_PYRAMID_LOCATION_BINS_H
#define MEASURE_ANALYSIS_PYRAMID_LOCATION_BINS_H

#include "base/likely.h"
#include "pyramid.h"

/* Times are below 2^52. */
#define PYRAMID_LEVELS 54

struct pyramid_counts {
	uint64_t events, sends, receives, bytes_sent, waiting;
};

struct pyramid_open_bin {
	uint64_t number;
	uint64_t *ticks; /* by slot */
	uint32_t *shown; /* slots that have ticks */
	size_t nr_shown;
	struct pyramid_counts counts;
};

/* A level in work. Its last run is not written yet. */
struct pyramid_writer {
	struct measure_pyramid_level level;
	struct pyramid_open_bin bin;
	uint64_t run_bins;
	size_t run_size;
	uint8_t run[160]; /* content of each of its bins */
};

struct pyramid_bins {
	struct pyramid_writer *writers[PYRAMID_LEVELS];
	unsigned smallest, largest; /* of the writers */
	uint64_t most_bins;
	uint64_t time;                /* up to here ticks have been charged */
	uint64_t end;                 /* of the open bin of the smallest level */
	uint32_t slot;                /* of the innermost region since `time` */
	struct pyramid_counts at_end; /* events at `end`: of the next bin, if there is one */
	uint32_t *regions;            /* by slot */
	uint32_t nr_slots, room_slots;
	/* by bin of the smallest level, from first_bin on: set by the caller, if it is known */
	uint64_t *waiting;
	uint64_t first_bin, nr_waiting;
};

/* The location begins at `time`. On its smallest level it has no more than `most_bins` bins; if it
 * lives longer than was thought when that was chosen, the next level becomes the smallest one. */
void pyramid_bins_start(
	struct pyramid_bins *bins, uint64_t time, unsigned smallest, uint64_t most_bins);

/* Another region. Returns its slot. */
uint32_t pyramid_bins_add_slot(struct pyramid_bins *bins, uint32_t region);

void pyramid_bins_pass_slowly(struct pyramid_bins *bins, uint64_t until);

/* Since `time` the location has been in the region of bins->slot. */
static inline void pyramid_bins_pass(struct pyramid_bins *bins, uint64_t until)
{
	const uint64_t ticks = until - bins->time;
	struct pyramid_open_bin *bin;

	if (unlikely(until > bins->end)) {
		pyramid_bins_pass_slowly(bins, until);
		return;
	}
	if (ticks == 0)
		return;
	bin = &bins->writers[bins->smallest]->bin;
	if (bin->ticks[bins->slot] == 0)
		bin->shown[bin->nr_shown++] = bins->slot;
	bin->ticks[bins->slot] += ticks;
	bins->time = until;
}

/* Where an event at bins->time counts. */
static inline struct pyramid_counts *pyramid_bins_counts(struct pyramid_bins *bins)
{
	return unlikely(bins->time == bins->end) ? &bins->at_end
						 : &bins->writers[bins->smallest]->bin.counts;
}

/* The location ends at bins->time: makes its levels, from the first one with no more than
 * `most_bins` bins on, and frees the rest. */
void pyramid_bins_end(
	struct pyramid_bins *bins, struct measure_pyramid_location *location, uint64_t most_bins);

#endif
