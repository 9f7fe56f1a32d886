/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is in the event files of a part: records and bytes by kind, visits and time by region.
 * Whoever finishes a part counts them, in the keeper's journal. */
#ifndef MEASURE_ANALYSIS_SUMMARY_RECORD_STATISTICS_H
#define MEASURE_ANALYSIS_SUMMARY_RECORD_STATISTICS_H

#include <stdint.h>

#include "io_statistics.h"
#include "base/array.h"
#include "status.h"

#define MEASURE_TALLY_KINDS 256 /* numbers of event records fit in a byte */

/* Of more bytes than this only every n-th chunk is looked at: so many take 0.2 s. */
#define MEASURE_TALLY_BYTES (UINT64_C(256) << 20)

struct measure_record_statistics_kind {
	uint64_t events;
	uint64_t bytes;
};

/* In pairs that are changed together: that takes half as long. */
struct measure_record_statistics_region {
	struct measure_record_statistics_kind enters;
	struct measure_record_statistics_kind leaves;
	uint64_t measured; /* visits whose Enter and Leave were both seen */
	uint64_t ticks;    /* in them, callees included */
	uint64_t octaves;  /* sum of their logarithms to the base of 2, rounded up */
	uint64_t nested;   /* Enters and Leaves inside of them */
};

struct measure_record_statistics {
	uint64_t nr_chunks;
	uint64_t nr_counted; /* less: the rest is estimated from so many */
	struct measure_record_statistics_kind kinds[MEASURE_TALLY_KINDS];
	MEASURE_ARRAY(struct measure_record_statistics_region) regions; /* by local id */
	MEASURE_ARRAY(uint64_t) contexts;                   /* samples in each, by local id */
	struct measure_io_statistics io;
	MEASURE_ARRAY(uint32_t)
	damaged; /* locations, where the process has overwritten something */
};

/* Counts the finished event files of locations 0 to nr_locations - 1. Of more than `most` chunks
 * every n-th is looked at, and what is in them is scaled up to the number of all events. A
 * damaged chunk counts up to the damage. Damage is what no process records: bytes that are no
 * events, other regions left than entered, or ones that cannot be, times that go back. */
measure_status_t measure_record_statistics_count(int part_fd, uint32_t nr_locations,
	uint32_t chunk_size, uint64_t most, struct measure_record_statistics *tally);

/* Appends it to the keeper's journal. */
measure_status_t measure_record_statistics_store(
	const struct measure_record_statistics *tally, int part_fd);

void measure_record_statistics_free(struct measure_record_statistics *tally);

#endif
