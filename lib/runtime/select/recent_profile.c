/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting recent records; see recent_profile.h. */
#include "config.h"

#include "runtime/select/recent_profile.h"

#include <stddef.h>
#include <string.h>

#include "format/event_chunk.h"

#define TRIES 16 /* places of a region */

/* Often: so many calls, and one record in so many. The mean of fewer says little. */
#define FEW_CALLS 8
#define OFTEN     256

/* NULL: there are too many others. Ids are given one after the other, so most have their place to
 * themselves. */
static struct measure_recent_region *profile_find_region(
	struct measure_recent_profile *profile, uint32_t region)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		struct measure_recent_region *found =
			&profile->regions[(region + i) % MEASURE_RECENT_PROFILE_REGIONS];
		if (found->records == 0)
			found->region = region;
		if (found->region == region)
			return found;
	}
	return NULL;
}

static void profile_enter(
	struct measure_recent_profile *profile, struct measure_recent_region *region, uint64_t time)
{
	if (profile->depth == MEASURE_RECENT_PROFILE_DEPTH) {
		profile->deeper++;
		return;
	}
	profile->open[profile->depth].region = region;
	profile->open[profile->depth].time = time;
	profile->depth++;
}

/* What was entered before these records has no time in it. */
static void profile_leave(struct measure_recent_profile *profile, uint64_t time)
{
	struct measure_recent_region *region;

	if (profile->deeper > 0) {
		profile->deeper--;
		return;
	}
	if (profile->depth == 0)
		return;
	profile->depth--;
	region = profile->open[profile->depth].region;
	if (!region)
		return;
	region->calls++;
	region->ticks += time - profile->open[profile->depth].time;
}

static void recent_profile_note(void *context, const struct measure_chunk_event *event)
{
	struct measure_recent_profile *profile = context;
	struct measure_recent_region *region;

	profile->records++;
	if (event->region == UINT32_MAX)
		return;
	region = profile_find_region(profile, event->region);
	if (region)
		region->records++;
	if (event->type == MEASURE_OTF2_ENTER)
		profile_enter(profile, region, event->time);
	else
		profile_leave(profile, event->time);
}

void measure_recent_profile_read(struct measure_recent_profile *profile, const uint8_t *from,
	const uint8_t *to, uint64_t begin, uint64_t end)
{
	memset(profile, 0, offsetof(struct measure_recent_profile, open));
	measure_chunk_walk_part(from, to, begin, recent_profile_note, profile);
	while (profile->depth-- > 0)
		if (profile->open[profile->depth].region)
			profile->open[profile->depth].region->ticks +=
				end - profile->open[profile->depth].time;
}

static bool is_often(
	const struct measure_recent_profile *profile, const struct measure_recent_region *region)
{
	return region->calls >= FEW_CALLS && (uint64_t)region->records * OFTEN >= profile->records;
}

static bool is_shorter(
	const struct measure_recent_region *region, const struct measure_recent_region *other)
{
	return region->ticks * other->calls < other->ticks * region->calls;
}

struct measure_recent_region *measure_recent_profile_take(
	struct measure_recent_profile *profile, uint64_t shorter)
{
	struct measure_recent_region *best = NULL;

	for (uint32_t i = 0; i < MEASURE_RECENT_PROFILE_REGIONS; i++) {
		struct measure_recent_region *region = &profile->regions[i];
		if (!is_often(profile, region) || region->is_taken ||
			region->ticks >= shorter * region->calls)
			continue;
		if (!best || is_shorter(region, best))
			best = region;
	}
	if (best)
		best->is_taken = true;
	return best;
}
