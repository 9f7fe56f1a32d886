/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ticks of a location by class, in bins of one level from the start of the trace on; and groups of
 * locations, which are sums of these. */
#ifndef MEASURE_ANALYSIS_PYRAMID_GROUP_BINS_H
#define MEASURE_ANALYSIS_PYRAMID_GROUP_BINS_H

#include "base/likely.h"
#include "pyramid.h"

struct pyramid_columns {
	struct measure_pyramid_group bins;
	uint64_t *row; /* that of the bin in which time is now */
	uint64_t end;  /* of that bin */
};

/* Empty groups: the one of all, of hosts, and of processes that have locations. Together those of a
 * kind have no more than `most` bins, but one each. */
void pyramid_groups_start(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint64_t most);

/* Adds a location of a process to all groups that it is in. */
void pyramid_groups_add(struct measure_pyramid *pyramid,
	const struct measure_definitions *definitions, uint32_t process,
	const struct pyramid_columns *columns);

/* Those of a location, empty; time is 0. */
void pyramid_columns_start(
	struct pyramid_columns *columns, const struct measure_pyramid_group *like);

void pyramid_columns_pass_slowly(
	struct pyramid_columns *columns, unsigned column, uint64_t from, uint64_t until);

/* Time does not go back. */
static inline void pyramid_columns_pass(
	struct pyramid_columns *columns, unsigned column, uint64_t from, uint64_t until)
{
	if (unlikely(until > columns->end))
		pyramid_columns_pass_slowly(columns, column, from, until);
	else
		columns->row[column] += until - from;
}

/* Shares `ticks` out over [from, until), by time, to bins of 2^level: sums[stride * i] is that of
 * bin first + i, for each i below nr. */
struct pyramid_share {
	uint64_t *sums;
	size_t stride;
	uint64_t first, nr;
	unsigned level;
};

void pyramid_share_out(
	const struct pyramid_share *share, uint64_t from, uint64_t until, uint64_t ticks);

#endif
