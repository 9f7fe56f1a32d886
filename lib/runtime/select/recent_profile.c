/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting a stretch of records; see recent_profile.h. */
#include "config.h"

#include "recent_profile.h"

#include <stddef.h>
#include <string.h>

#include "format/event_chunk.h"

#define TRIES 16 /* places of a region */

/* Often: so many calls, and one record in so many. The mean of fewer says little. */
#define FEW_CALLS 8
#define OFTEN     256

/* NULL: there are too many others. Ids are given one after the other, so most have their place to
 * themselves. */
static struct measure_stretch_region *find(struct measure_stretch *stretch, uint32_t region)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		struct measure_stretch_region *found =
			&stretch->regions[(region + i) % MEASURE_STRETCH_REGIONS];
		if (found->records == 0)
			found->region = region;
		if (found->region == region)
			return found;
	}
	return NULL;
}

static void enter(
	struct measure_stretch *stretch, struct measure_stretch_region *region, uint64_t time)
{
	if (stretch->depth == MEASURE_STRETCH_DEPTH) {
		stretch->deeper++;
		return;
	}
	stretch->open[stretch->depth].region = region;
	stretch->open[stretch->depth].time = time;
	stretch->depth++;
}

/* What was entered before the stretch has no time in it. */
static void leave(struct measure_stretch *stretch, uint64_t time)
{
	struct measure_stretch_region *region;

	if (stretch->deeper > 0) {
		stretch->deeper--;
		return;
	}
	if (stretch->depth == 0)
		return;
	stretch->depth--;
	region = stretch->open[stretch->depth].region;
	if (!region)
		return;
	region->calls++;
	region->ticks += time - stretch->open[stretch->depth].time;
}

static void note(void *context, const struct measure_chunk_event *event)
{
	struct measure_stretch *stretch = context;
	struct measure_stretch_region *region;

	stretch->records++;
	if (event->region == UINT32_MAX)
		return;
	region = find(stretch, event->region);
	if (region)
		region->records++;
	if (event->type == MEASURE_CHUNK_ENTER)
		enter(stretch, region, event->time);
	else
		leave(stretch, event->time);
}

void measure_stretch_read(struct measure_stretch *stretch, const uint8_t *from, const uint8_t *to,
	uint64_t begin, uint64_t end)
{
	memset(stretch, 0, offsetof(struct measure_stretch, open));
	measure_chunk_walk_part(from, to, begin, note, stretch);
	while (stretch->depth-- > 0)
		if (stretch->open[stretch->depth].region)
			stretch->open[stretch->depth].region->ticks +=
				end - stretch->open[stretch->depth].time;
}

static bool is_often(
	const struct measure_stretch *stretch, const struct measure_stretch_region *region)
{
	return region->calls >= FEW_CALLS && (uint64_t)region->records * OFTEN >= stretch->records;
}

static bool is_shorter(
	const struct measure_stretch_region *region, const struct measure_stretch_region *other)
{
	return region->ticks * other->calls < other->ticks * region->calls;
}

struct measure_stretch_region *measure_stretch_take(
	struct measure_stretch *stretch, uint64_t shorter)
{
	struct measure_stretch_region *best = NULL;

	for (uint32_t i = 0; i < MEASURE_STRETCH_REGIONS; i++) {
		struct measure_stretch_region *region = &stretch->regions[i];
		if (!is_often(stretch, region) || region->is_taken ||
			region->ticks >= shorter * region->calls)
			continue;
		if (!best || is_shorter(region, best))
			best = region;
	}
	if (best)
		best->is_taken = true;
	return best;
}
