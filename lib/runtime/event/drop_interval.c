/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Intervals in which events are dropped; see drop_interval.h. */
#include "config.h"

#include "runtime/event/drop_interval.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "adapter.h"
#include "runtime/event/transaction.h"
#include "pages.h"

#define FIRST_ROOM 1024

/* More than each of the records takes, with the timestamps. */
#define ENTER_OR_LEAVE 8
#define ALL_OTHERS     128

static _Atomic uint32_t attribute = MEASURE_UNDEFINED; /* MEASURE::LOST_EVENTS */
static _Atomic bool is_defined;

/* What analysis tools look for where recording was off. Once is enough. */
static void drop_define(void)
{
	const struct measure_region_info info = {
		.name = "MEASUREMENT OFF",
		.role = OTF2_REGION_ROLE_ARTIFICIAL,
		.paradigm = OTF2_PARADIGM_MEASUREMENT_SYSTEM,
	};

	if (atomic_exchange(&is_defined, true))
		return;
	measure_region_define(&info);
	atomic_store(&attribute,
		measure_attribute_define("MEASURE::LOST_EVENTS",
			"events that were dropped while measurement was off", OTF2_TYPE_UINT64));
}

/* The store comes before the stack changes: from then on the keeper goes by the files. */
void measure_drop_begin(struct measure_location *location, uint32_t news)
{
	struct measure_segment_location *shared = location->shared;

	drop_define();
	location->drop.news = news;
	location->drop.floor = measure_location_depth(location);
	location->writer.position = location->writer.limit + 1;
	atomic_store_explicit(&shared->drop_lost, 0, memory_order_relaxed);
	atomic_store(&shared->drop_since, location->time ? location->time : 1);
	measure_count(MEASURE_COUNT_DROP_INTERVALS);
	if (measure_pool_give_up())
		location->flags |= MEASURE_LOCATION_STOPPED;
}

void measure_drop_count(struct measure_location *location)
{
	if (location->drop.is_wanted) {
		measure_count(MEASURE_COUNT_SWITCHED_OFF);
		return;
	}
	atomic_fetch_add_explicit(&location->shared->drop_lost, 1, memory_order_relaxed);
	measure_count(MEASURE_COUNT_LOST_MEMORY);
}

/* The depth is kept where it always is; the number of events stays. */
static void location_shift_depth(struct measure_location *location, uint64_t change)
{
	atomic_store_explicit(&location->shared->committed,
		measure_location_committed(location) + change, memory_order_relaxed);
}

void measure_drop_enter(
	struct measure_location *location, uint64_t frame, uint32_t region, uint32_t function)
{
	*location->top++ = (struct measure_segment_frame){frame, region, function};
	location_shift_depth(location, 1);
}

static bool drop_make_room(struct measure_drop_interval *drop)
{
	uint32_t room = drop->max_left ? 2 * drop->max_left : FIRST_ROOM;
	uint32_t *left = measure_pages_get(room * sizeof(*left));

	if (!left)
		return false;
	if (drop->nr_left)
		memcpy(left, drop->left, drop->nr_left * sizeof(*left));
	measure_pages_return(drop->left, drop->max_left * sizeof(*left));
	drop->left = left;
	drop->max_left = room;
	return true;
}

/* A region that was open before: its Leave is still to be written. */
static void drop_note_left(struct measure_location *location, uint32_t region)
{
	struct measure_drop_interval *drop = &location->drop;

	if (drop->nr_left == drop->max_left && !drop_make_room(drop)) {
		location->flags |= MEASURE_LOCATION_STOPPED;
		return;
	}
	drop->left[drop->nr_left++] = region;
	drop->floor--;
}

void measure_drop_leave(struct measure_location *location)
{
	location->top--;
	location_shift_depth(location, (uint64_t)-1);
	if (measure_location_depth(location) < location->drop.floor)
		drop_note_left(location, location->top->region);
	if (measure_stack_is_low(location))
		measure_stack_shrink(location);
}

/* ---------------------------------------------------------------------- its end --- */

/* In front of the record that it belongs to. */
static uint8_t *put_lost(uint8_t *place, uint64_t nr_lost)
{
	uint32_t id = atomic_load(&attribute);
	uint8_t *end = place + MEASURE_OTF2_SIZED;

	if (id == MEASURE_UNDEFINED) /* another thread is about to define it */
		return place;
	end = measure_put_u32(end, 1);
	end = measure_put_u32(end, id);
	end = measure_put_u8(end, OTF2_TYPE_UINT64);
	end = measure_put_u64(end, nr_lost);
	measure_put_head(place, MEASURE_OTF2_ATTRIBUTES, end);
	return end;
}

/* Entries of the stack from `floor` on, lowest first. */
static uint8_t *put_enters(const struct measure_location *location, uint32_t floor, uint8_t *place)
{
	struct measure_location view = *location;
	uint32_t nr = measure_location_depth(location) - floor;

	for (uint32_t i = 0; i < nr; i++) {
		if (view.top == measure_location_floor(&view))
			measure_stack_shrink(&view);
		view.top--;
	}
	for (uint32_t i = 0; i < nr; i++) {
		if (view.top == view.ceiling)
			measure_stack_rise(&view);
		place = measure_put_enter(place, view.top++->region);
	}
	return place;
}

/* The chunk is new and empty; returns the end of what was written, and how many events these
 * are. */
static uint8_t *drop_restate(struct measure_location *location, uint32_t *nr_events)
{
	const struct measure_drop_interval *drop = &location->drop;
	struct measure_segment_location *shared = location->shared;
	uint8_t *place = measure_put_time(&location->writer, atomic_load(&shared->drop_since));

	place = measure_put_measurement_on_off(place, MEASURE_SWITCH_OFF);
	location->writer.position = place;
	place = measure_put_time(&location->writer, location->time);
	for (uint32_t i = 0; i < drop->nr_left; i++)
		place = measure_put_leave(place, drop->left[i]);
	*nr_events = drop->nr_left + 1;
	if (drop->has_begun) {
		*nr_events += 1;
		atomic_store(&shared->thread_begin,
			measure_committed_events(measure_location_committed(location)) +
				*nr_events);
		place = measure_put_thread_begin(
			place, shared->thread_contingent, shared->thread_sequence);
	}
	place = put_enters(location, drop->floor, place);
	place = put_lost(place, atomic_load(&shared->drop_lost));
	place = measure_put_measurement_on_off(place, MEASURE_SWITCH_ON);
	*nr_events += measure_location_depth(location) - drop->floor + 1;
	return place;
}

static bool drop_has_room(const struct measure_location *location)
{
	const struct measure_drop_interval *drop = &location->drop;
	uint64_t nr = (uint64_t)drop->nr_left + measure_location_depth(location) - drop->floor;

	return ALL_OTHERS + nr * ENTER_OR_LEAVE <=
	       (uint64_t)(location->timing.limit - location->writer.position);
}

static void drop_count_end(const struct measure_location *location, uint32_t nr_restated)
{
	if (location->drop.is_wanted)
		return;
	uint64_t begin = atomic_load(&location->shared->drop_since);

	measure_count_more(MEASURE_COUNT_DROP_TICKS, location->time - begin);
	measure_count_more(MEASURE_COUNT_RESTATED, nr_restated);
}

/* There is a chunk with room, or it is never to be had. */
static bool drop_end_here(struct measure_location *location)
{
	struct measure_drop_interval *drop = &location->drop;
	uint32_t nr_events;

	if (!drop_has_room(location)) { /* recursion deeper than a chunk is long */
		location->writer.position = location->writer.limit + 1;
		location->flags |= MEASURE_LOCATION_STOPPED;
		return false;
	}
	uint8_t *end = drop_restate(location, &nr_events);
	measure_transaction_commit(location, nr_events * MEASURE_COMMIT_EVENT, end);
	drop_count_end(location, drop->nr_left + measure_location_depth(location) - drop->floor);
	/* After the commit: until now the keeper goes by the files. */
	atomic_store(&location->shared->drop_since, 0);
	atomic_store(&location->shared->drop_is_wanted, 0);
	measure_pages_return(drop->left, drop->max_left * sizeof(*drop->left));
	*drop = (struct measure_drop_interval){0};
	return true;
}

bool measure_drop_end(struct measure_location *location)
{
	struct measure_drop_interval *drop = &location->drop;
	uint32_t news = measure_pool_news();

	if (news == drop->news)
		return false;
	drop->news = news;
	return measure_location_next_chunk(location) && drop_end_here(location);
}

/* ------------------------------------------------------- where the program wants it --- */

/* The writer's limit is moved so that each record takes the slow path. */
void measure_drop_begin_wanted(struct measure_location *location)
{
	struct measure_drop_interval *drop = &location->drop;

	if (measure_location_drops(location))
		return;
	drop_define();
	*drop = (struct measure_drop_interval){.floor = measure_location_depth(location),
		.is_wanted = true,
		.limit = location->writer.limit};
	location->writer.limit = location->writer.position - 1;
	atomic_store(&location->shared->drop_is_wanted, 1);
	atomic_store_explicit(&location->shared->drop_lost, 0, memory_order_relaxed);
	atomic_store(&location->shared->drop_since, location->time ? location->time : 1);
}

/* If the chunk is full and there is no other one, the interval goes on for that reason. */
void measure_drop_end_wanted(struct measure_location *location)
{
	struct measure_drop_interval *drop = &location->drop;

	if (!drop->is_wanted)
		return;
	location->writer.limit = drop->limit;
	drop->news = measure_pool_news();
	if (!drop_has_room(location) && !measure_location_next_chunk(location)) {
		drop->is_wanted = false;
		atomic_store(&location->shared->drop_is_wanted, 0);
		location->writer.position = location->writer.limit + 1;
		return;
	}
	drop_end_here(location);
}
