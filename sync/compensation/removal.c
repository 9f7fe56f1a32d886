/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Removing prices from times; see removal.h. */
#include "config.h"

#include "removal.h"

static int64_t whole_ticks(int64_t parts)
{
	return parts >> MEASURE_PRICE_BITS;
}

void measure_removal_begin(
	struct measure_removal *removal, const struct measure_event *event, uint64_t time)
{
	removal->now = time;
	removal->is_new_tick = !removal->has_event || event->raw != removal->raw;
	removal->interval = removal->has_event ? (int64_t)(time - removal->time) : 0;
	removal->price = measure_event_pricing_next(&removal->pricing, event, time);
	removal->raw = event->raw;
}

static void removal_end(struct measure_removal *removal, int64_t removed)
{
	removal->removed += (uint64_t)removed;
	removal->owed += removal->price.after;
	removal->time = removal->now;
	removal->has_event = true;
}

int64_t measure_removal_local(struct measure_removal *removal)
{
	int64_t removed;

	if (!removal->has_event) {
		removal_end(removal, 0);
		return (int64_t)removal->now;
	}
	removal->owed += removal->price.before;
	removed = whole_ticks(removal->owed);
	if (removed > removal->interval - 1)
		removed = removal->interval > 1 ? removal->interval - 1 : 0;
	removal->owed -= removed * MEASURE_PRICE_TICK;
	removal_end(removal, removed);
	return removal->interval - removed;
}

bool measure_removal_is_own(const struct measure_removal *removal, int64_t rest)
{
	const int64_t there = removal->interval - rest - whole_ticks(removal->price.before);

	return removal->has_event && whole_ticks(removal->owed) >= there;
}

int64_t measure_removal_receive(struct measure_removal *removal, int64_t rest, bool is_own)
{
	const int64_t owed = removal->owed + removal->price.before;
	const int64_t own = removal->interval - whole_ticks(owed);
	int64_t removed = whole_ticks(removal->price.before);

	if (rest < 0)
		rest = 0;
	if (is_own) {
		rest = own > 0 ? own : 0;
		removed = removal->interval - rest;
		removal->owed = owed - removed * MEASURE_PRICE_TICK;
	} else {
		removal->hidden += removal->owed;
		removal->owed = removal->price.before % MEASURE_PRICE_TICK;
	}
	/* more than a tick: longer than all that there was */
	if (removal->owed >= MEASURE_PRICE_TICK) {
		removal->hidden += removal->owed;
		removal->owed = 0;
	}
	removal_end(removal, removed);
	return rest;
}
