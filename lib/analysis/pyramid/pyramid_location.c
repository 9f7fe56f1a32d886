/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the events of one location into bins and into the groups that it is in. */
#include "config.h"

#include "pyramid_reading.h"

#include "group_bins.h"
#include "location_bins.h"
#include "path_follower.h"

#define MOST_BINS           (UINT64_C(1) << 16)
#define EVENTS_PER_BIN      16
#define EVENTS_PER_PROGRESS 262144

/* A location that is being read. */
struct pyramid_place {
	struct pyramid_reading *reading;
	struct measure_path_follower follower;
	struct pyramid_bins bins;
	struct pyramid_columns columns;
	uint32_t location;
	bool is_begun;
	MEASURE_GROWING(uint32_t, slots);  /* by path of the follower */
	MEASURE_GROWING(uint8_t, classes); /* by slot */
	struct measure_map regions;        /* slots of them */
};

/* -------------------------------------------------------------------------- sizes --- */

/* At most so many bins for a location with so many events. */
static uint64_t most_bins_of(const struct pyramid_reading *reading, uint64_t nr_events)
{
	const uint64_t most = reading->options->most_bins ? reading->options->most_bins : MOST_BINS;
	uint64_t nr = 1;

	while (nr < most && nr * 2 <= nr_events / EVENTS_PER_BIN)
		nr *= 2;
	return nr;
}

/* Before it is read. Not all tools say how many events a location has. */
static uint64_t expected_events(const struct pyramid_reading *reading, uint32_t location)
{
	const uint64_t nr_events = reading->trace->definitions.locations[location].nr_events;

	return nr_events ? nr_events : UINT64_MAX;
}

/* The last unit of a location that begins at `first` ticks. */
static uint64_t expected_end(
	const struct pyramid_reading *reading, uint32_t location, uint64_t first)
{
	const uint64_t life = reading->facts[location].life;

	return life == MEASURE_NOT_READ ? reading->pyramid->length
					: pyramid_units(reading->pyramid, first + life);
}

static unsigned choose_smallest(uint64_t first, uint64_t end, uint64_t most)
{
	const uint64_t last = end > first ? end - 1 : first;
	unsigned k = 0;

	while ((last >> k) - (first >> k) >= most)
		k++;
	return k;
}

/* ------------------------------------------------------------------------ waiting --- */

void pyramid_find_waits(
	const struct pyramid_reading *reading, uint32_t location, struct pyramid_facts *facts)
{
	const struct measure_dependencies *dependencies = &reading->options->waits->dependencies;
	const struct measure_call_table *table = &dependencies->tables[location];
	const size_t first = dependencies->first_waits[location];

	facts->nr_waits = dependencies->first_waits[location + 1] - first;
	facts->waits = measure_zeroed(facts->nr_waits, sizeof(*facts->waits));
	for (size_t i = 0; i < facts->nr_waits; i++) {
		const struct measure_wait_state *wait = &dependencies->waits[first + i];
		const uint64_t end = measure_earlier(wait->until, table->calls[wait->call].leave);
		const uint64_t from = pyramid_units(reading->pyramid, wait->from);
		const uint64_t until = pyramid_units(reading->pyramid, end);
		const uint64_t ticks = end - wait->from == wait->ticks
					       ? until - from
					       : wait->ticks >> reading->pyramid->shift;

		facts->waits[i] = (struct pyramid_wait){from, until, ticks};
	}
}

static void share_waits(const struct pyramid_facts *facts, const struct pyramid_share *share)
{
	for (size_t i = 0; i < facts->nr_waits; i++)
		pyramid_share_out(
			share, facts->waits[i].from, facts->waits[i].until, facts->waits[i].ticks);
}

static void add_waits(struct pyramid_place *place, uint64_t end)
{
	const struct pyramid_facts *facts = &place->reading->facts[place->location];
	struct pyramid_bins *bins = &place->bins;
	const uint64_t last = end > bins->time ? end - 1 : bins->time;

	bins->nr_waiting = (last >> bins->smallest) - bins->first_bin + 1;
	bins->waiting = measure_zeroed(bins->nr_waiting, sizeof(*bins->waiting));
	share_waits(facts, &(struct pyramid_share){bins->waiting, 1, bins->first_bin,
				   bins->nr_waiting, bins->smallest});
	share_waits(
		facts, &(struct pyramid_share){&place->columns.bins.ticks[MEASURE_PYRAMID_WAITING],
			       MEASURE_PYRAMID_NR_COLUMNS, 0, place->columns.bins.nr_bins,
			       place->columns.bins.level});
}

/* ------------------------------------------------------------------------ location --- */

static uint32_t slot_of_region(struct pyramid_place *place, uint32_t region)
{
	const struct pyramid_reading *reading = place->reading;
	const struct measure_definitions *definitions = &reading->trace->definitions;
	uint32_t slot;

	if (reading->same_regions && region < definitions->nr_regions)
		region = reading->same_regions[region];
	slot = measure_map_intern(&place->regions, measure_key_of(region), place->bins.nr_slots);
	if (slot == place->bins.nr_slots) {
		pyramid_bins_add_slot(&place->bins, region);
		*measure_append(place, classes) = (uint8_t)measure_state_class_of(
			reading->pyramid->classes, definitions, region);
	}
	return slot;
}

static uint32_t find_slot(struct pyramid_place *place, uint32_t path)
{
	while (path >= place->nr_slots) {
		const uint32_t region = place->follower.profile.paths[place->nr_slots].region;

		*measure_append(place, slots) = slot_of_region(place, region);
	}
	return place->slots[path];
}

static inline uint32_t slot_of(struct pyramid_place *place, uint32_t path)
{
	return likely(path < place->nr_slots) ? place->slots[path] : find_slot(place, path);
}

static void begin(struct pyramid_place *place, uint64_t time)
{
	const struct pyramid_reading *reading = place->reading;
	const uint64_t first = pyramid_units(reading->pyramid, time);
	const uint64_t end = expected_end(reading, place->location, time);
	const uint64_t most = most_bins_of(reading, expected_events(reading, place->location));

	pyramid_bins_start(&place->bins, first, choose_smallest(first, end, most), most);
	place->bins.slot = slot_of(place, 0);
	if (reading->facts[place->location].nr_waits > 0)
		add_waits(place, end);
	place->is_begun = true;
}

static inline void pass(struct pyramid_place *place, uint64_t until)
{
	struct pyramid_bins *bins = &place->bins;

	pyramid_columns_pass(&place->columns, place->classes[bins->slot], bins->time, until);
	pyramid_bins_pass(bins, until);
}

/* A flush has been elsewhere until it was over. */
static void pass_flush(struct pyramid_place *place, uint64_t time)
{
	const struct measure_path_follower *follower = &place->follower;
	const uint32_t slot = place->bins.slot;
	const uint64_t stop = pyramid_units(place->reading->pyramid, follower->flush_stop);

	place->bins.slot = slot_of(place, follower->flush_path);
	if (stop > place->bins.time)
		pass(place, measure_earlier(stop, time));
	place->bins.slot = slot;
}

static void count_message(struct pyramid_counts *counts, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_MPI_SEND:
	case MEASURE_EVENT_MPI_ISEND:
		counts->sends++;
		if (event->sent != UINT64_MAX)
			counts->bytes_sent += event->sent;
		break;
	case MEASURE_EVENT_MPI_RECV:
	case MEASURE_EVENT_MPI_IRECV:
		counts->receives++;
		break;
	default:
		break;
	}
}

static inline void take_event(struct pyramid_place *place, const struct measure_event *event)
{
	const uint64_t time = pyramid_units(place->reading->pyramid, place->follower.time);
	struct pyramid_counts *counts;

	if (unlikely(!place->is_begun))
		begin(place, place->follower.time);
	if (unlikely(place->follower.flush_path != MEASURE_NONE))
		pass_flush(place, time);
	pass(place, time);
	counts = pyramid_bins_counts(&place->bins);
	counts->events++;
	if (unlikely(event->kind != MEASURE_EVENT_ENTER && event->kind != MEASURE_EVENT_LEAVE))
		count_message(counts, event);
	measure_path_follower_move(&place->follower, event);
	place->bins.slot = slot_of(place, place->follower.path);
}

static void show_progress(struct pyramid_reading *reading, uint64_t nr_events)
{
	if (!reading->options->progress || !reading->nr_expected)
		return;
	pthread_mutex_lock(&reading->lock);
	reading->nr_read += nr_events;
	reading->options->progress((double)reading->nr_read / (double)reading->nr_expected);
	pthread_mutex_unlock(&reading->lock);
}

static void read_events(struct pyramid_place *place)
{
	const struct measure_event *event;

	while ((event = measure_path_follower_next(&place->follower))) {
		take_event(place, event);
		if (unlikely(place->follower.nr_events % EVENTS_PER_PROGRESS == 0))
			show_progress(place->reading, EVENTS_PER_PROGRESS);
	}
}

static void end(struct pyramid_place *place)
{
	struct pyramid_reading *reading = place->reading;
	struct measure_pyramid_location *location = &reading->pyramid->locations[place->location];

	location->nr_events = place->follower.nr_events;
	if (place->is_begun) {
		location->first = pyramid_units(reading->pyramid, place->follower.profile.first);
		location->last = place->bins.time;
		pyramid_bins_end(
			&place->bins, location, most_bins_of(reading, location->nr_events));
	}
	measure_free(place->slots);
	measure_free(place->classes);
	measure_map_free(&place->regions);
}

void pyramid_location_read(void *data, size_t index)
{
	struct pyramid_reading *reading = data;
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const uint32_t location = pyramid_location_of(reading, reading->job->rank, index);
	struct pyramid_facts *facts = &reading->facts[location];
	struct pyramid_place *place = measure_zeroed(1, sizeof(*place));
	struct measure_findings findings = {
		.nr_kept_per_check = reading->trace->findings->nr_kept_per_check};
	bool is_broken = true;

	place->reading = reading;
	place->location = location;
	if (reading->options->waits)
		pyramid_find_waits(reading, location, facts);
	pyramid_columns_start(&place->columns, &reading->pyramid->all);
	if (measure_path_follower_open(&place->follower, reading->trace, &findings, location)) {
		read_events(place);
		end(place);
		is_broken = measure_path_follower_close(&place->follower) != MEASURE_OK;
	}
	pthread_mutex_lock(&reading->lock);
	if (definitions->locations[location].type != OTF2_LOCATION_TYPE_METRIC)
		pyramid_groups_add(reading->pyramid, definitions,
			definitions->locations[location].group, &place->columns);
	reading->pyramid->nr_broken += is_broken;
	measure_findings_append(reading->trace->findings, &findings);
	pthread_mutex_unlock(&reading->lock);
	measure_findings_free(&findings);
	measure_free(facts->waits);
	facts->waits = NULL;
	measure_free(place->columns.bins.ticks);
	measure_free(place);
}
