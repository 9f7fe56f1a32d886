/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a filter leaves out of an archive, as it would have while recording: regions are matched and
 * calls decided by lib/filter, location by location in the order of their events. Knows nothing of
 * how records are written. */
#ifndef MEASURE_SYNC_WRITE_ARCHIVE_FILTER_H
#define MEASURE_SYNC_WRITE_ARCHIVE_FILTER_H

#include "filter/filter.h"
#include "sync/graph/graph.h"

/* What becomes of an Enter or a Leave. */
enum measure_sync_verdict {
	MEASURE_SYNC_KEEP, /* it is written: what is held comes before it, and is settled */
	MEASURE_SYNC_DROP,
	MEASURE_SYNC_HOLD,     /* of an Enter: whether it stays is not known yet */
	MEASURE_SYNC_TAKE_BACK /* of a Leave: dropped, and the Enter that is held last as well */
};

struct measure_sync_filter;

/* `filter` and `graph`, which has been read, must outlive it. */
struct measure_sync_filter *measure_sync_filter_new(
	const struct measure_filter *filter, const struct measure_sync_graph *graph);
void measure_sync_filter_free(struct measure_sync_filter *filter);

/* Goes on to a location. `region` below: an index, or MEASURE_NONE. */
void measure_sync_filter_begin(struct measure_sync_filter *filter, uint32_t location);
enum measure_sync_verdict measure_sync_filter_enter(
	struct measure_sync_filter *filter, uint32_t region, uint64_t raw);
enum measure_sync_verdict measure_sync_filter_leave(
	struct measure_sync_filter *filter, uint32_t region, uint64_t raw);

/* Something was written: what is held stays. */
void measure_sync_filter_settle(struct measure_sync_filter *filter);

/* By region, how many calls rules on single calls have left out so far, on all locations. */
uint64_t *measure_sync_filter_counts(struct measure_sync_filter *filter);

/* archive_filter_regions.c: what the rules say of a region in a process (its location group). */
struct measure_sync_region_filter {
	const struct measure_filter *filter;
	const struct measure_definitions *definitions;
	uint32_t *ranks; /* of the processes, as their launcher has it */
	uint32_t process;
	struct measure_sync_region_outcome {
		struct measure_filter_outcome matched;
		bool is_known;
	} * regions; /* in that process */
};

void measure_sync_region_filter_start(struct measure_sync_region_filter *regions,
	const struct measure_filter *filter, const struct measure_definitions *definitions);
void measure_sync_region_filter_free(struct measure_sync_region_filter *regions);
void measure_sync_region_filter_process(
	struct measure_sync_region_filter *regions, uint32_t process);
const struct measure_filter_outcome *measure_sync_region_filter(
	struct measure_sync_region_filter *regions, uint32_t region);

#endif
