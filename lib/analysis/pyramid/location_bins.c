/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Open bins, the bins that they become, and reading these; see location_bins.h. */
#include "config.h"

#include "location_bins.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FIRST_SLOTS 64

/* --------------------------------------------------------------------------- runs --- */

/* A run: how many bins; of each: nr of entries, per entry region and ticks; rest; counts. Pseudo
 * regions are the smallest numbers: they are in most bins. */
static uint8_t *put(uint8_t *at, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = (uint8_t)(number | 0x80);
	*at++ = (uint8_t)number;
	return at;
}

static uint8_t *put_bin(uint8_t *at, const struct measure_pyramid_bin *bin)
{
	at = put(at, bin->nr_entries);
	for (uint32_t i = 0; i < bin->nr_entries; i++) {
		at = put(at, (uint32_t)(bin->entries[i].region - MEASURE_PSEUDO_NO_REGION));
		at = put(at, bin->entries[i].ticks);
	}
	at = put(at, bin->rest);
	at = put(at, bin->events);
	at = put(at, bin->sends);
	at = put(at, bin->receives);
	at = put(at, bin->bytes_sent);
	return put(at, bin->waiting);
}

uint64_t measure_pyramid_next(
	struct measure_pyramid_cursor *cursor, uint64_t *first, struct measure_pyramid_bin *bin)
{
	struct measure_pack_reader *reader = &cursor->reader;
	uint64_t nr;

	if (cursor->nr_runs == 0)
		return 0;
	cursor->nr_runs--;
	nr = measure_pack_take(reader);
	*first = cursor->next_bin;
	cursor->next_bin += nr;
	*bin = (struct measure_pyramid_bin){
		.nr_entries = measure_pack_take_index(reader, MEASURE_PYRAMID_ENTRIES + 1)};
	for (uint32_t i = 0; i < bin->nr_entries; i++) {
		bin->entries[i].region = measure_pack_take_word(reader) + MEASURE_PSEUDO_NO_REGION;
		bin->entries[i].ticks = measure_pack_take(reader);
	}
	bin->rest = measure_pack_take(reader);
	bin->events = measure_pack_take(reader);
	bin->sends = measure_pack_take(reader);
	bin->receives = measure_pack_take(reader);
	bin->bytes_sent = measure_pack_take(reader);
	bin->waiting = measure_pack_take(reader);
	return nr;
}

static void write_run(struct pyramid_writer *writer)
{
	uint8_t count[10];

	if (writer->run_bins == 0)
		return;
	measure_pack_put_bytes(
		&writer->level.runs, count, (size_t)(put(count, writer->run_bins) - count));
	measure_pack_put_bytes(&writer->level.runs, writer->run, writer->run_size);
	writer->level.nr_runs++;
	writer->run_bins = 0;
}

static void write_bin(struct pyramid_writer *writer, const struct measure_pyramid_bin *bin)
{
	uint8_t content[sizeof(writer->run)];
	const size_t size = (size_t)(put_bin(content, bin) - content);

	if (writer->run_bins == 0 || size != writer->run_size ||
		memcmp(content, writer->run, size) != 0) {
		write_run(writer);
		memcpy(writer->run, content, size);
		writer->run_size = size;
	}
	writer->run_bins++;
	writer->level.nr_bins++;
}

/* --------------------------------------------------------------------------- bins --- */

static bool is_before(
	const struct measure_pyramid_entry *entry, const struct measure_pyramid_entry *other)
{
	return entry->ticks != other->ticks ? entry->ticks > other->ticks
					    : entry->region < other->region;
}

/* Puts an entry in its place, if it is one of the first ones; the last one gives way. */
static void insert_entry(struct measure_pyramid_bin *bin, struct measure_pyramid_entry entry)
{
	uint32_t i = bin->nr_entries;

	if (i < MEASURE_PYRAMID_ENTRIES)
		bin->nr_entries++;
	else if (is_before(&entry, &bin->entries[--i]))
		bin->rest += bin->entries[i].ticks;
	else {
		bin->rest += entry.ticks;
		return;
	}
	for (; i > 0 && is_before(&entry, &bin->entries[i - 1]); i--)
		bin->entries[i] = bin->entries[i - 1];
	bin->entries[i] = entry;
}

static struct measure_pyramid_bin content_of(
	const struct pyramid_bins *bins, const struct pyramid_open_bin *open)
{
	struct measure_pyramid_bin bin = {.nr_entries = 0,
		.events = open->counts.events,
		.sends = open->counts.sends,
		.receives = open->counts.receives,
		.bytes_sent = open->counts.bytes_sent,
		.waiting = open->counts.waiting};

	for (size_t i = 0; i < open->nr_shown; i++) {
		const uint32_t slot = open->shown[i];

		insert_entry(&bin, (struct measure_pyramid_entry){.ticks = open->ticks[slot],
					   .region = bins->regions[slot]});
	}
	return bin;
}

static void add_counts(struct pyramid_counts *sum, const struct pyramid_counts *counts)
{
	sum->events += counts->events;
	sum->sends += counts->sends;
	sum->receives += counts->receives;
	sum->bytes_sent += counts->bytes_sent;
	sum->waiting += counts->waiting;
}

static void charge(struct pyramid_open_bin *bin, uint32_t slot, uint64_t ticks)
{
	if (bin->ticks[slot] == 0)
		bin->shown[bin->nr_shown++] = slot;
	bin->ticks[slot] += ticks;
}

/* It goes on as the next bin of its level, empty. */
static void empty_into(struct pyramid_open_bin *bin, struct pyramid_open_bin *upper)
{
	for (size_t i = 0; i < bin->nr_shown; i++) {
		charge(upper, bin->shown[i], bin->ticks[bin->shown[i]]);
		bin->ticks[bin->shown[i]] = 0;
	}
	add_counts(&upper->counts, &bin->counts);
	bin->nr_shown = 0;
	bin->counts = (struct pyramid_counts){0};
	bin->number++;
}

static void write_open_bin(struct pyramid_bins *bins, unsigned k)
{
	struct pyramid_open_bin *open = &bins->writers[k]->bin;
	struct measure_pyramid_bin bin;

	if (k == bins->smallest && open->number - bins->first_bin < bins->nr_waiting)
		open->counts.waiting = bins->waiting[open->number - bins->first_bin];
	bin = content_of(bins, open);
	write_bin(bins->writers[k], &bin);
}

/* ------------------------------------------------------------------------- levels --- */

static void add_writer(struct pyramid_bins *bins, unsigned k, uint64_t number)
{
	struct pyramid_writer *writer = measure_zeroed(1, sizeof(*writer));

	writer->bin.number = writer->level.first_bin = number;
	writer->bin.ticks = measure_zeroed(bins->room_slots, sizeof(*writer->bin.ticks));
	writer->bin.shown = measure_zeroed(bins->room_slots, sizeof(*writer->bin.shown));
	bins->writers[k] = writer;
	bins->largest = k;
}

static void free_writer(struct pyramid_writer *writer)
{
	measure_free(writer->bin.ticks);
	measure_free(writer->bin.shown);
	measure_free(writer);
}

static void free_level(struct pyramid_bins *bins, unsigned k)
{
	free(bins->writers[k]->level.runs.items);
	free_writer(bins->writers[k]);
}

/* Waiting time of bins that are twice as long. */
static void widen_waiting(struct pyramid_bins *bins)
{
	const uint64_t first = bins->first_bin, nr = bins->nr_waiting;

	bins->first_bin = first >> 1;
	bins->nr_waiting = nr ? ((first + nr - 1) >> 1) - bins->first_bin + 1 : 0;
	for (uint64_t i = 0; i < nr; i++) {
		const uint64_t ticks = bins->waiting[i];

		bins->waiting[i] = 0;
		bins->waiting[((first + i) >> 1) - bins->first_bin] += ticks;
	}
}

/* The location lives longer than was expected. Its smallest level, whose open bin is empty, is
 * given up. */
static void drop_smallest(struct pyramid_bins *bins)
{
	free_level(bins, bins->smallest++);
	widen_waiting(bins);
	bins->writers[bins->smallest]->bin.counts.waiting = 0;
}

static void set_end(struct pyramid_bins *bins)
{
	const uint64_t next = bins->writers[bins->smallest]->bin.number + 1;
	const unsigned k = bins->smallest;

	bins->end = next << k;
}

/* The open bin of the smallest level is full, and there is more to come. */
static void next_bin(struct pyramid_bins *bins)
{
	unsigned k = bins->smallest;

	do {
		write_open_bin(bins, k);
		if (k == bins->largest)
			add_writer(bins, k + 1, bins->writers[k]->bin.number >> 1);
		empty_into(&bins->writers[k]->bin, &bins->writers[k + 1]->bin);
	} while (bins->writers[k++]->bin.number % 2 == 0);
	while (bins->writers[bins->smallest]->level.nr_bins >= bins->most_bins)
		drop_smallest(bins);
	add_counts(&bins->writers[bins->smallest]->bin.counts, &bins->at_end);
	bins->at_end = (struct pyramid_counts){0};
	set_end(bins);
}

void pyramid_bins_pass_slowly(struct pyramid_bins *bins, uint64_t until)
{
	while (until > bins->end) {
		if (bins->end > bins->time)
			charge(&bins->writers[bins->smallest]->bin, bins->slot,
				bins->end - bins->time);
		bins->time = bins->end;
		next_bin(bins);
	}
	pyramid_bins_pass(bins, until);
}

/* -------------------------------------------------------------------------- slots --- */

static void *grow_slots(void *items, size_t nr, size_t room, size_t size)
{
	void *grown = measure_zeroed(room, size);

	memcpy(grown, items, nr * size);
	measure_free(items);
	return grown;
}

uint32_t pyramid_bins_add_slot(struct pyramid_bins *bins, uint32_t region)
{
	const uint32_t nr = bins->nr_slots;

	if (nr == bins->room_slots) {
		bins->room_slots = 2 * nr;
		bins->regions =
			grow_slots(bins->regions, nr, bins->room_slots, sizeof(*bins->regions));
		for (unsigned k = bins->smallest; k <= bins->largest; k++) {
			struct pyramid_open_bin *bin = &bins->writers[k]->bin;

			bin->ticks =
				grow_slots(bin->ticks, nr, bins->room_slots, sizeof(*bin->ticks));
			bin->shown =
				grow_slots(bin->shown, nr, bins->room_slots, sizeof(*bin->shown));
		}
	}
	bins->regions[nr] = region;
	return bins->nr_slots++;
}

/* ------------------------------------------------------------------ start and end --- */

void pyramid_bins_start(
	struct pyramid_bins *bins, uint64_t time, unsigned smallest, uint64_t most_bins)
{
	const uint64_t number = time >> smallest;

	*bins = (struct pyramid_bins){.smallest = smallest,
		.most_bins = most_bins,
		.time = time,
		.room_slots = FIRST_SLOTS,
		.first_bin = number};
	bins->regions = measure_zeroed(FIRST_SLOTS, sizeof(*bins->regions));
	add_writer(bins, smallest, number);
	set_end(bins);
}

/* The last bin of a level; of the upper one it is a part. */
static void close_level(struct pyramid_bins *bins, unsigned k)
{
	struct pyramid_writer *writer = bins->writers[k];

	write_open_bin(bins, k);
	if (k < bins->largest)
		empty_into(&writer->bin, &bins->writers[k + 1]->bin);
	write_run(writer);
}

void pyramid_bins_end(
	struct pyramid_bins *bins, struct measure_pyramid_location *location, uint64_t most_bins)
{
	add_counts(&bins->writers[bins->smallest]->bin.counts, &bins->at_end);
	for (unsigned k = bins->smallest; k <= bins->largest; k++)
		close_level(bins, k);
	while (bins->writers[bins->smallest]->level.nr_bins > most_bins)
		free_level(bins, bins->smallest++);
	location->smallest = bins->smallest;
	location->nr_levels = bins->largest - bins->smallest + 1;
	location->levels = measure_zeroed(location->nr_levels, sizeof(*location->levels));
	for (unsigned k = bins->smallest; k <= bins->largest; k++) {
		location->levels[k - bins->smallest] = bins->writers[k]->level;
		free_writer(bins->writers[k]);
	}
	measure_free(bins->regions);
	measure_free(bins->waiting);
}
