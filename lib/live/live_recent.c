/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds up the last events of a location; see live_recent.h. What was open before the first of them
 * is known in two ways: a Leave without an Enter says what was on top until then, and what is never
 * left is what the stack still has. */
#include "config.h"

#include "live_recent.h"

#include <stdlib.h>
#include <string.h>

#include "format/event_chunk.h"

#define MOST_CHUNKS 1024 /* of a location, that one look reads */

struct recent_scan {
	struct live_recent *recent;
	uint64_t until;
	uint64_t now;     /* time of the event before */
	uint64_t pending; /* ticks in what was open before all that was seen to be entered */
	MEASURE_ARRAY(uint32_t) open; /* regions that were seen to be entered */
	measure_status_t status;
};

/* NULL: no memory. */
static struct live_recent_region *region_of(struct recent_scan *scan, uint32_t id)
{
	const size_t nr = scan->recent->regions.nr;

	if (id < nr)
		return &scan->recent->regions.items[id];
	scan->status = measure_array_reserve(&scan->recent->regions, (size_t)id + 1);
	if (scan->status != MEASURE_OK)
		return NULL;
	memset(&scan->recent->regions.items[nr], 0,
		((size_t)id + 1 - nr) * sizeof(*scan->recent->regions.items));
	scan->recent->regions.nr = (size_t)id + 1;
	return &scan->recent->regions.items[id];
}

static void spend(struct recent_scan *scan, uint32_t id, uint64_t ticks)
{
	struct live_recent_region *region = region_of(scan, id);

	if (region)
		region->ticks += ticks;
}

/* Time goes on, in the innermost region. */
static void pass(struct recent_scan *scan, uint64_t time)
{
	const uint64_t ticks = time > scan->now ? time - scan->now : 0;

	if (scan->open.nr > 0)
		spend(scan, scan->open.items[scan->open.nr - 1], ticks);
	else
		scan->pending += ticks;
	if (time > scan->now)
		scan->now = time;
}

static void enter(struct recent_scan *scan, uint32_t id)
{
	struct live_recent_region *region = region_of(scan, id);

	if (!region)
		return;
	region->visits++;
	scan->status = measure_array_push(&scan->open, id);
}

static void leave(struct recent_scan *scan, uint32_t id)
{
	if (scan->open.nr > 0) {
		scan->open.nr--;
		return;
	}
	spend(scan, id, scan->pending);
	scan->pending = 0;
}

static void recent_note_event(void *context, const struct measure_chunk_event *event)
{
	struct recent_scan *scan = context;

	if (event->time > scan->until || scan->status != MEASURE_OK)
		return;
	if (event->time >= scan->recent->from) {
		scan->recent->nr_events++;
		pass(scan, event->time);
	}
	if (event->region == UINT32_MAX || event->time < scan->recent->from)
		return;
	if (event->type == MEASURE_OTF2_ENTER)
		enter(scan, event->region);
	else if (event->type == MEASURE_OTF2_LEAVE)
		leave(scan, event->region);
}

/* The last chunk that begins before the window; *first: its time, if it begins later. */
static uint64_t find_first_chunk(
	struct measure_live *live, uint32_t location, uint64_t nr, uint64_t from, uint64_t *first)
{
	const uint64_t least = nr > MOST_CHUNKS ? nr - MOST_CHUNKS : 0;
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	uint64_t sequence = nr;
	size_t got;

	*first = from;
	while (sequence > least) {
		if (measure_live_chunk(live, location, sequence - 1, &got) != MEASURE_OK ||
			measure_chunk_header_read(live->chunk, got, &header) != MEASURE_OK)
			break;
		measure_chunk_walk(live->chunk, got, header.first_event, NULL, NULL, &walk);
		sequence--;
		if (walk.last_event >= walk.first_event && walk.first_time <= from)
			return sequence;
		if (walk.last_event >= walk.first_event)
			*first = walk.first_time;
	}
	if (sequence == 0)
		*first = from;
	return sequence;
}

/* The innermost region that has been open all the time gets what is left; where the stack changed
 * too fast to be read, nobody knows which. */
static void settle(struct recent_scan *scan, const struct measure_live_stack *stack)
{
	size_t nr = stack->frames.nr;

	while (nr > 0 && !stack->frames.items[nr - 1].is_older &&
		stack->frames.items[nr - 1].time > scan->recent->from)
		nr--;
	if (nr > 0)
		spend(scan, stack->frames.items[nr - 1].region, scan->pending);
	else if (stack->is_moving)
		scan->recent->unknown += scan->pending;
	else
		scan->recent->outside += scan->pending;
}

measure_status_t live_recent_read(struct measure_live *live, uint32_t location,
	const struct measure_live_stack *stack, uint64_t from, uint64_t until,
	struct live_recent *recent)
{
	const uint64_t nr = atomic_load(&live->segment.locations[location].nr_chunks);
	const uint32_t taken_back = measure_live_taken_back(live, location);
	const uint64_t word = atomic_load_explicit(
		&live->segment.locations[location].committed, memory_order_acquire);
	struct recent_scan scan = {.recent = recent, .until = until, .status = MEASURE_OK};
	uint64_t sequence;
	size_t got;

	memset(recent, 0, sizeof(*recent));
	sequence = find_first_chunk(live, location, nr, from, &recent->from);
	scan.now = recent->from;
	for (; sequence < nr && scan.status == MEASURE_OK; sequence++) {
		struct measure_chunk_walk walk;

		if (measure_live_chunk(live, location, sequence, &got) == MEASURE_OK)
			measure_chunk_walk(live->chunk, got,
				measure_live_nr_stable(live, location, word, taken_back),
				recent_note_event, &scan, &walk);
	}
	if (!stack->has_ended)
		pass(&scan, until);
	settle(&scan, stack);
	free(scan.open.items);
	return scan.status;
}
