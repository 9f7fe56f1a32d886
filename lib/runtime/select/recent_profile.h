/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the last records of a location say of its regions: how often each is called, and for how
 * long. For throttle.c; allocates nothing, and has no state of its own. */
#ifndef MEASURE_SELECT_RECENT_PROFILE_H
#define MEASURE_SELECT_RECENT_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#define MEASURE_RECENT_PROFILE_REGIONS 1024 /* others are seldom called, in so few records */
#define MEASURE_RECENT_PROFILE_DEPTH   256  /* open at a time; what lies deeper has no time */

struct measure_recent_region {
	uint32_t region;
	uint32_t records; /* 0: unused */
	uint32_t calls;   /* from Enter to Leave */
	bool is_taken;
	uint64_t ticks; /* in these calls, callees included, and in those that are still open */
};

struct measure_recent_profile {
	uint64_t records; /* of every kind */
	uint32_t depth;
	uint32_t deeper;
	struct measure_recent_region regions[MEASURE_RECENT_PROFILE_REGIONS];
	struct {
		struct measure_recent_region *region;
		uint64_t time;
	} open[MEASURE_RECENT_PROFILE_DEPTH];
};

/* Reads the records between two positions of a chunk; the one before them had the time `begin`, and
 * now it is `end`. */
void measure_recent_profile_read(struct measure_recent_profile *profile, const uint8_t *from,
	const uint8_t *to, uint64_t begin, uint64_t end);

/* The region whose calls are shortest, of those that are called often and are shorter than so many
 * ticks. Another one each time; NULL: no more. */
struct measure_recent_region *measure_recent_profile_take(
	struct measure_recent_profile *profile, uint64_t shorter);

#endif
