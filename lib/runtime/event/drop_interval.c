/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Gaps in a location's events; see drop_interval.h. */
#include "config.h"

#include "drop_interval.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <string.h>

#include "adapter.h"
#include "transaction.h"
#include "pages.h"

#define FIRST_ROOM 1024

/* More than each of the records takes, with the timestamps. */
#define ENTER_OR_LEAVE 8
#define ALL_OTHERS     128

static _Atomic uint32_t attribute = MEASURE_UNDEFINED; /* MEASURE::LOST_EVENTS */
static _Atomic bool is_defined;

/* What analysis tools look for where recording was off. Once is enough. */
static void define(void)
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

bool measure_gap_is_open(const struct measure_location *location)
{
	return atomic_load_explicit(&location->shared->gap, memory_order_relaxed) != 0;
}

/* The store comes before the stack changes: from then on the keeper goes by the files. */
void measure_gap_begin(struct measure_location *location, uint32_t news)
{
	struct measure_segment_location *shared = location->shared;

	define();
	location->gap.news = news;
	location->gap.floor = measure_location_depth(location);
	location->writer.position = location->writer.limit + 1;
	atomic_store_explicit(&shared->gap_lost, 0, memory_order_relaxed);
	atomic_store(&shared->gap, location->time ? location->time : 1);
	measure_count(MEASURE_COUNT_GAPS);
	if (measure_pool_give_up())
		location->flags |= MEASURE_LOCATION_STOPPED;
}

void measure_gap_count(struct measure_location *location)
{
	if (location->gap.is_wanted) {
		measure_count(MEASURE_COUNT_SWITCHED_OFF);
		return;
	}
	atomic_fetch_add_explicit(&location->shared->gap_lost, 1, memory_order_relaxed);
	measure_count(MEASURE_COUNT_LOST_MEMORY);
}

/* The depth is kept where it always is; the number of events stays. */
static void shift_depth(struct measure_location *location, uint64_t change)
{
	atomic_store_explicit(&location->shared->committed,
		measure_location_committed(location) + change, memory_order_relaxed);
}

void measure_gap_enter(
	struct measure_location *location, uint64_t frame, uint32_t region, uint32_t function)
{
	*location->top++ = (struct measure_segment_frame){frame, region, function};
	shift_depth(location, 1);
}

static bool grow(struct measure_gap *gap)
{
	uint32_t room = gap->max_left ? 2 * gap->max_left : FIRST_ROOM;
	uint32_t *left = measure_pages_get(room * sizeof(*left));

	if (!left)
		return false;
	if (gap->nr_left)
		memcpy(left, gap->left, gap->nr_left * sizeof(*left));
	measure_pages_return(gap->left, gap->max_left * sizeof(*left));
	gap->left = left;
	gap->max_left = room;
	return true;
}

/* A region that was open before the gap: its Leave is still to be written. */
static void note_left(struct measure_location *location, uint32_t region)
{
	struct measure_gap *gap = &location->gap;

	if (gap->nr_left == gap->max_left && !grow(gap)) {
		location->flags |= MEASURE_LOCATION_STOPPED;
		return;
	}
	gap->left[gap->nr_left++] = region;
	gap->floor--;
}

void measure_gap_leave(struct measure_location *location)
{
	location->top--;
	shift_depth(location, (uint64_t)-1);
	if (measure_location_depth(location) < location->gap.floor)
		note_left(location, location->top->region);
	if (location->top == measure_location_floor(location) &&
		measure_location_depth(location) > 0)
		measure_stack_shrink(location);
}

/* ---------------------------------------------------------------------- its end --- */

static uint8_t *put_switch(uint8_t *place, uint8_t mode)
{
	uint8_t *end = measure_put_u8(place + MEASURE_SHAPE_MeasurementOnOff, mode);

	measure_put_head(place, MEASURE_TYPE_MeasurementOnOff, MEASURE_SHAPE_MeasurementOnOff, end);
	return end;
}

static uint8_t *put_thread_begin(const struct measure_segment_location *shared, uint8_t *place)
{
	uint8_t *end = place + MEASURE_SHAPE_ThreadBegin;

	end = measure_put_u32(end, shared->thread_contingent);
	end = measure_put_u64(end, shared->thread_sequence);
	measure_put_head(place, MEASURE_TYPE_ThreadBegin, MEASURE_SHAPE_ThreadBegin, end);
	return end;
}

/* In front of the record that it belongs to. */
static uint8_t *put_lost(uint8_t *place, uint64_t nr_lost)
{
	uint32_t id = atomic_load(&attribute);
	uint8_t *end = place + MEASURE_SIZED;

	if (id == MEASURE_UNDEFINED) /* another thread is about to define it */
		return place;
	end = measure_put_u32(end, 1);
	end = measure_put_u32(end, id);
	end = measure_put_u8(end, OTF2_TYPE_UINT64);
	end = measure_put_u64(end, nr_lost);
	measure_put_head(place, MEASURE_RECORD_ATTRIBUTES, MEASURE_SIZED, end);
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
static uint8_t *restate(struct measure_location *location, uint32_t *nr_events)
{
	const struct measure_gap *gap = &location->gap;
	struct measure_segment_location *shared = location->shared;
	uint8_t *place = measure_put_time(&location->writer, atomic_load(&shared->gap));

	place = put_switch(place, MEASURE_SWITCH_OFF);
	location->writer.position = place;
	place = measure_put_time(&location->writer, location->time);
	for (uint32_t i = 0; i < gap->nr_left; i++)
		place = measure_put_leave(place, gap->left[i]);
	*nr_events = gap->nr_left + 1;
	if (gap->has_begun) {
		*nr_events += 1;
		atomic_store(&shared->thread_begin,
			measure_committed_events(measure_location_committed(location)) +
				*nr_events);
		place = put_thread_begin(shared, place);
	}
	place = put_enters(location, gap->floor, place);
	place = put_switch(put_lost(place, atomic_load(&shared->gap_lost)), MEASURE_SWITCH_ON);
	*nr_events += measure_location_depth(location) - gap->floor + 1;
	return place;
}

static bool has_room(const struct measure_location *location)
{
	const struct measure_gap *gap = &location->gap;
	uint64_t nr = (uint64_t)gap->nr_left + measure_location_depth(location) - gap->floor;

	return ALL_OTHERS + nr * ENTER_OR_LEAVE <=
	       (uint64_t)(location->probing.limit - location->writer.position);
}

static void count_end(const struct measure_location *location, uint32_t nr_restated)
{
	if (location->gap.is_wanted)
		return;
	uint64_t begin = atomic_load(&location->shared->gap);

	measure_count_more(MEASURE_COUNT_GAP_TICKS, location->time - begin);
	measure_count_more(MEASURE_COUNT_RESTATED, nr_restated);
}

/* There is a chunk with room, or it is never to be had. */
static bool end_here(struct measure_location *location)
{
	struct measure_gap *gap = &location->gap;
	uint32_t nr_events;

	if (!has_room(location)) { /* recursion deeper than a chunk is long */
		location->writer.position = location->writer.limit + 1;
		location->flags |= MEASURE_LOCATION_STOPPED;
		return false;
	}
	uint8_t *end = restate(location, &nr_events);
	measure_commit(location, nr_events * MEASURE_COMMIT_EVENT, end);
	count_end(location, gap->nr_left + measure_location_depth(location) - gap->floor);
	/* After the commit: until now the keeper goes by the files. */
	atomic_store(&location->shared->gap, 0);
	atomic_store(&location->shared->gap_is_wanted, 0);
	measure_pages_return(gap->left, gap->max_left * sizeof(*gap->left));
	*gap = (struct measure_gap){0};
	return true;
}

bool measure_gap_end(struct measure_location *location)
{
	struct measure_gap *gap = &location->gap;
	uint32_t news = measure_pool_news();

	if (news == gap->news)
		return false;
	gap->news = news;
	return measure_location_next_chunk(location) && end_here(location);
}

/* ------------------------------------------------------- where the program wants it --- */

/* The writer's limit is moved so that each record goes the slow way. */
static void begin_wanted(struct measure_location *location)
{
	struct measure_gap *gap = &location->gap;

	if (measure_gap_is_open(location))
		return;
	define();
	*gap = (struct measure_gap){.floor = measure_location_depth(location),
		.is_wanted = true,
		.limit = location->writer.limit};
	location->writer.limit = location->writer.position - 1;
	atomic_store(&location->shared->gap_is_wanted, 1);
	atomic_store_explicit(&location->shared->gap_lost, 0, memory_order_relaxed);
	atomic_store(&location->shared->gap, location->time ? location->time : 1);
}

/* Where the chunk is full and there is no other one, the gap goes on for that reason. */
static void end_wanted(struct measure_location *location)
{
	struct measure_gap *gap = &location->gap;

	if (!gap->is_wanted)
		return;
	location->writer.limit = gap->limit;
	gap->news = measure_pool_news();
	if (!has_room(location) && !measure_location_next_chunk(location)) {
		gap->is_wanted = false;
		atomic_store(&location->shared->gap_is_wanted, 0);
		location->writer.position = location->writer.limit + 1;
		return;
	}
	end_here(location);
}

void measure_record_switch(bool is_on)
{
	struct measure_location *location = measure_record_begin_followed();
	int saved = errno;

	if (!location)
		return;
	if (is_on)
		end_wanted(location);
	else
		begin_wanted(location);
	errno = saved;
	measure_record_end(location);
}
