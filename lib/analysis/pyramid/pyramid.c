/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the events of all locations into bins. Each location is read by one thread, the long ones
 * first; groups are sums of locations, so that no order matters. */
#include "config.h"

#include "pyramid.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "group_bins.h"
#include "location_bins.h"
#include "path_follower.h"
#include "sync/parallel/workers.h"

#define MOST_BINS       (UINT64_C(1) << 16) /* of a location */
#define MOST_GROUP_BINS (UINT64_C(1) << 18) /* of all groups of a kind */
#define EVENTS_PER_BIN  16

#define EVENTS_PER_PROGRESS 262144
#define MOST_UNITS          (UINT64_C(1) << 52)

struct pyramid_reading {
	struct measure_trace *trace;
	const struct measure_profile *profile;
	const struct measure_pyramid_options *options;
	struct measure_pyramid *pyramid;
	uint64_t *lives; /* ticks, by location; MEASURE_NOT_READ: unknown */
	uint32_t *order; /* of locations: the longest first */
	uint64_t nr_expected, nr_read;
	pthread_mutex_t lock;
};

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

unsigned measure_pyramid_shift(const struct measure_profile *profile)
{
	unsigned shift = 0;

	while (profile->first <= profile->last &&
		(profile->last - profile->first) >> shift >= MOST_UNITS)
		shift++;
	return shift;
}

static uint64_t units_of(const struct measure_pyramid *pyramid, uint64_t time)
{
	const uint64_t units =
		time > pyramid->start ? (time - pyramid->start) >> pyramid->shift : 0;

	return measure_earlier(units, pyramid->length);
}

/* -------------------------------------------------------------------------- sizes --- */

/* At most so many bins for a location. */
static uint64_t most_bins_of(const struct pyramid_reading *reading, uint32_t location)
{
	const struct measure_location_definition *definition =
		&reading->trace->definitions.locations[location];
	const uint64_t nr_events = definition->nr_found != MEASURE_NOT_READ ? definition->nr_found
									    : definition->nr_events;
	const uint64_t most = reading->options->most_bins ? reading->options->most_bins : MOST_BINS;
	uint64_t nr = 1;

	while (nr < most && nr * 2 <= nr_events / EVENTS_PER_BIN)
		nr *= 2;
	return nr;
}

/* The last unit of a location that begins at `first` ticks. */
static uint64_t expected_end(
	const struct pyramid_reading *reading, uint32_t location, uint64_t first)
{
	const uint64_t life = reading->lives[location];

	return life == MEASURE_NOT_READ ? reading->pyramid->length
					: units_of(reading->pyramid, first + life);
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

/* The waits of a location, in bins. */
static void share_waits(
	const struct pyramid_reading *reading, uint32_t location, const struct pyramid_share *share)
{
	const struct measure_dependencies *dependencies = &reading->options->waits->dependencies;
	const struct measure_call_table *table = &dependencies->tables[location];

	for (size_t i = dependencies->first_waits[location];
		i < dependencies->first_waits[location + 1]; i++) {
		const struct measure_wait_state *wait = &dependencies->waits[i];
		const uint64_t leave = table->calls[wait->call].leave;
		const uint64_t end = measure_earlier(wait->until, leave);
		const uint64_t from = units_of(reading->pyramid, wait->from);
		const uint64_t until = units_of(reading->pyramid, end);

		if (until > from)
			pyramid_share_out(share, from, until,
				end - wait->from == wait->ticks
					? until - from
					: wait->ticks >> reading->pyramid->shift);
	}
}

static void add_waits(struct pyramid_place *place, uint64_t end)
{
	const struct pyramid_reading *reading = place->reading;
	struct pyramid_bins *bins = &place->bins;
	const uint64_t last = end > bins->time ? end - 1 : bins->time;

	if (!reading->options->waits)
		return;
	bins->nr_waiting = (last >> bins->smallest) - bins->first_bin + 1;
	bins->waiting = measure_zeroed(bins->nr_waiting, sizeof(*bins->waiting));
	share_waits(reading, place->location,
		&(struct pyramid_share){
			bins->waiting, 1, bins->first_bin, bins->nr_waiting, bins->smallest});
	share_waits(reading, place->location,
		&(struct pyramid_share){&place->columns.bins.ticks[MEASURE_PYRAMID_WAITING],
			MEASURE_PYRAMID_NR_COLUMNS, 0, place->columns.bins.nr_bins,
			place->columns.bins.level});
}

/* ------------------------------------------------------------------------ location --- */

static uint32_t slot_of_region(struct pyramid_place *place, uint32_t region)
{
	const struct pyramid_reading *reading = place->reading;
	const struct measure_definitions *definitions = &reading->trace->definitions;
	uint32_t slot;

	if (reading->profile->same_regions && region < definitions->nr_regions)
		region = reading->profile->same_regions[region];
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
	const uint64_t first = units_of(reading->pyramid, time);
	const uint64_t end = expected_end(reading, place->location, time);
	const uint64_t most = most_bins_of(reading, place->location);

	pyramid_bins_start(&place->bins, first, choose_smallest(first, end, most), most);
	place->bins.slot = slot_of(place, 0);
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
	const uint64_t stop = units_of(place->reading->pyramid, follower->flush_stop);

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
	const uint64_t time = units_of(place->reading->pyramid, place->follower.time);
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
		location->first = units_of(reading->pyramid, place->follower.profile.first);
		location->last = place->bins.time;
		pyramid_bins_end(&place->bins, location);
	}
	measure_free(place->slots);
	measure_free(place->classes);
	measure_map_free(&place->regions);
}

static void read_location(void *data, size_t index)
{
	struct pyramid_reading *reading = data;
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const uint32_t location = reading->order[index];
	struct pyramid_place *place = measure_zeroed(1, sizeof(*place));
	struct measure_findings findings = {
		.nr_kept_per_check = reading->trace->findings->nr_kept_per_check};
	bool is_broken = true;

	place->reading = reading;
	place->location = location;
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
	measure_free(place->columns.bins.ticks);
	measure_free(place);
}

/* ------------------------------------------------------------------------ reading --- */

static uint64_t *find_lives(const struct measure_profile *profile, size_t nr_locations)
{
	uint64_t *lives = measure_zeroed(nr_locations, sizeof(*lives));

	for (size_t i = 0; i < nr_locations; i++)
		lives[i] = MEASURE_NOT_READ;
	for (size_t i = 0; i < profile->nr_rows; i++)
		if (profile->rows[i].path == 0 && profile->rows[i].location < nr_locations)
			lives[profile->rows[i].location] = profile->rows[i].inclusive;
	return lives;
}

struct pyramid_size {
	uint64_t nr_events;
	uint32_t location;
};

static int compare_sizes(const void *left, const void *right)
{
	const struct pyramid_size *a = left, *b = right;

	if (a->nr_events != b->nr_events)
		return a->nr_events < b->nr_events ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

static void order_locations(struct pyramid_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const size_t nr = definitions->nr_locations;
	struct pyramid_size *sizes = measure_zeroed(nr, sizeof(*sizes));

	for (uint32_t i = 0; i < nr; i++) {
		sizes[i] = (struct pyramid_size){definitions->locations[i].nr_events, i};
		reading->nr_expected += sizes[i].nr_events;
	}
	measure_sort(sizes, nr, compare_sizes);
	reading->order = measure_zeroed(nr, sizeof(*reading->order));
	for (size_t i = 0; i < nr; i++)
		reading->order[i] = sizes[i].location;
	measure_free(sizes);
}

static void start_pyramid(const struct pyramid_reading *reading)
{
	const struct measure_profile *profile = reading->profile;
	const struct measure_definitions *definitions = &reading->trace->definitions;
	const unsigned least = measure_pyramid_shift(profile);
	const uint64_t most = reading->options->most_group_bins;
	struct measure_pyramid *pyramid = reading->pyramid;

	*pyramid = (struct measure_pyramid){.nr_locations = definitions->nr_locations,
		.shift = reading->options->shift > least ? reading->options->shift : least,
		.classes = measure_state_classes_find(definitions)};
	if (profile->first <= profile->last) {
		pyramid->start = profile->first;
		pyramid->length = (profile->last - profile->first) >> pyramid->shift;
	}
	pyramid->locations = measure_zeroed(pyramid->nr_locations, sizeof(*pyramid->locations));
	pyramid_groups_start(pyramid, definitions, most ? most : MOST_GROUP_BINS);
}

measure_status_t measure_pyramid_read(struct measure_trace *trace,
	const struct measure_profile *profile, const struct measure_pyramid_options *options,
	struct measure_pyramid *pyramid)
{
	const size_t nr = trace->definitions.nr_locations;
	struct pyramid_reading reading = {
		.trace = trace, .profile = profile, .options = options, .pyramid = pyramid};

	start_pyramid(&reading);
	reading.lives = find_lives(profile, nr);
	order_locations(&reading);
	pthread_mutex_init(&reading.lock, NULL);
	malloc_trim(0); /* see waits_read.c */
	measure_workers_share(options->nr_threads, nr, read_location, &reading);
	pthread_mutex_destroy(&reading.lock);
	measure_free(reading.lives);
	measure_free(reading.order);
	return pyramid->nr_broken ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}

static void free_location(struct measure_pyramid_location *location)
{
	for (uint32_t i = 0; i < location->nr_levels; i++)
		free(location->levels[i].runs.items);
	measure_free(location->levels);
}

static void free_groups(struct measure_pyramid_group *groups, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		measure_free(groups[i].ticks);
	measure_free(groups);
}

void measure_pyramid_free(struct measure_pyramid *pyramid)
{
	for (size_t i = 0; i < pyramid->nr_locations; i++)
		free_location(&pyramid->locations[i]);
	measure_free(pyramid->locations);
	measure_free(pyramid->classes);
	measure_free(pyramid->all.ticks);
	free_groups(pyramid->hosts, pyramid->nr_hosts);
	free_groups(pyramid->processes, pyramid->nr_processes);
	*pyramid = (struct measure_pyramid){.nr_locations = 0};
}
