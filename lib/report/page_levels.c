/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of the pyramid: of each location its levels, without the finest ones where they are
 * too large; and of all together, hosts and processes, the time by class. */
#include "config.h"

#include <stdlib.h>

#include "page_bytes.h"
#include "page_run.h"

#define SHARE 30 /* per cent of the room, beside segments */

static uint64_t region_row(const struct measure_page_run *run, uint32_t region)
{
	return region == MEASURE_PSEUDO_NO_REGION
		       ? 0
		       : measure_page_row(
				 measure_map_get(&run->region_rows, measure_key_of(region)));
}

static void add_bin(const struct measure_page_run *run, struct measure_page_bytes *bytes,
	const struct measure_pyramid_bin *bin)
{
	measure_page_bytes_number(bytes, bin->nr_entries);
	for (uint32_t i = 0; i < bin->nr_entries; i++) {
		measure_page_bytes_number(bytes, region_row(run, bin->entries[i].region));
		measure_page_bytes_number(bytes, bin->entries[i].ticks);
	}
	measure_page_bytes_number(bytes, bin->rest);
	measure_page_bytes_number(bytes, bin->events);
	measure_page_bytes_number(bytes, bin->sends);
	measure_page_bytes_number(bytes, bin->receives);
	measure_page_bytes_number(bytes, bin->bytes_sent);
	measure_page_bytes_number(bytes, bin->waiting);
}

static void add_level(const struct measure_page_run *run, struct measure_page_bytes *bytes,
	const struct measure_pyramid_level *level)
{
	struct measure_pyramid_cursor cursor = measure_pyramid_begin(level);
	struct measure_pyramid_bin bin;
	uint64_t first, nr;

	measure_page_bytes_number(bytes, level->nr_runs);
	while ((nr = measure_pyramid_next(&cursor, &first, &bin)) > 0) {
		measure_page_bytes_number(bytes, nr);
		add_bin(run, bytes, &bin);
	}
}

/* Without levels below number `least`; the top one stays. */
static void add_location(const struct measure_page_run *run, struct measure_page_bytes *bytes,
	const struct measure_pyramid_location *location, uint32_t least)
{
	uint32_t from = least > location->smallest ? least - location->smallest : 0;

	if (from >= location->nr_levels)
		from = location->nr_levels ? location->nr_levels - 1 : 0;
	measure_page_bytes_number(bytes, location->smallest + from);
	measure_page_bytes_number(bytes, location->nr_levels - from);
	for (uint32_t i = from; i < location->nr_levels; i++)
		add_level(run, bytes, &location->levels[i]);
}

static uint32_t least_level(const struct measure_page_run *run)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < run->pyramid.nr_locations; i++)
		if (run->pyramid.locations[i].nr_levels > 0 &&
			run->pyramid.locations[i].smallest < least)
			least = run->pyramid.locations[i].smallest;
	return least == UINT32_MAX ? 0 : least;
}

static uint32_t top_level(const struct measure_page_run *run)
{
	uint32_t top = 0;

	for (size_t i = 0; i < run->pyramid.nr_locations; i++) {
		const struct measure_pyramid_location *location = &run->pyramid.locations[i];

		if (location->smallest + location->nr_levels > top)
			top = location->smallest + location->nr_levels;
	}
	return top;
}

static uint64_t count_runs(const struct measure_pyramid_location *location, uint32_t least)
{
	uint64_t nr = 0;

	for (uint32_t i = 0; i < location->nr_levels; i++)
		if (location->smallest + i >= least)
			nr += location->levels[i].nr_runs;
	return nr;
}

static uint64_t count_all_runs(const struct measure_page_run *run, uint32_t least)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < run->pyramid.nr_locations; i++)
		nr += count_runs(&run->pyramid.locations[i], least);
	return nr;
}

/* What the first locations need says early what all do. */
static bool is_hopeless(uint64_t used, uint64_t nr_runs, uint64_t nr_all_runs, uint64_t most)
{
	const double expected = nr_runs ? (double)used / (double)nr_runs * (double)nr_all_runs : 0;

	return used > most || expected > 1.25 * (double)most + 65536;
}

/* Stops where it is hopeless: then it has more characters than `most`, or lacks locations.
 * False: so it is. */
static bool write_levels(struct measure_page_run *run, uint32_t least, uint64_t most)
{
	const uint64_t nr_all_runs = count_all_runs(run, least), before = run->page->size;
	struct measure_page_block *block = measure_page_open(run->page, run->number, "pyramid");
	struct measure_page_bytes bytes = {.nr_bytes = 0};
	uint64_t nr_runs = 0;
	bool is_fitting = true;

	for (size_t i = 0; is_fitting && i < run->trace->definitions.nr_locations; i++) {
		const struct measure_pyramid_location *location =
			&run->pyramid.locations[run->locations[i]];

		bytes.nr_bytes = 0;
		add_location(run, &bytes, location, least);
		measure_page_bytes_write(&bytes, block);
		nr_runs += count_runs(location, least);
		is_fitting =
			!is_hopeless(measure_page_block_size(block), nr_runs, nr_all_runs, most);
	}
	measure_page_bytes_free(&bytes);
	measure_page_close(run->page);
	return is_fitting && run->page->size - before <= most;
}

uint64_t measure_page_pyramid_room(const struct measure_page_run *run)
{
	return run->room / 100 * SHARE;
}

/* Each level has half as many bins as the one below. */
void measure_page_write_pyramid(struct measure_page_run *run)
{
	const uint64_t most =
		run->is_complete ? measure_page_pyramid_room(run) : measure_page_room(run->page);
	const uint32_t top = top_level(run);
	uint32_t least = least_level(run);

	if (run->trace->definitions.nr_locations == 0)
		return;
	run->shares[MEASURE_PAGE_PYRAMID].is_there = true;
	while (!write_levels(run, least, least < top ? most : UINT64_MAX)) {
		measure_page_drop(run->page);
		least++;
	}
	run->finest = least;
}

/* -------------------------------------------------------------------------- groups --- */

static void write_group(struct measure_page_block *block, struct measure_page_bytes *bytes,
	const struct measure_pyramid_group *group)
{
	bytes->nr_bytes = 0;
	measure_page_bytes_number(bytes, group->level);
	measure_page_bytes_number(bytes, group->nr_bins);
	for (uint64_t i = 0; i < group->nr_bins; i++)
		for (int class = 0; class < MEASURE_NR_STATE_CLASSES; class ++)
			measure_page_bytes_number(
				bytes, group->ticks[i * MEASURE_PYRAMID_NR_COLUMNS + class]);
	measure_page_bytes_write(bytes, block);
}

void measure_page_write_groups(struct measure_page_run *run)
{
	struct measure_page_block *block = measure_page_open(run->page, run->number, "groups");
	struct measure_page_bytes bytes = {.nr_bytes = 0};

	run->shares[MEASURE_PAGE_GROUPS].is_there = true;
	write_group(block, &bytes, &run->pyramid.all);
	for (size_t i = 0; i < run->nr_hosts; i++)
		write_group(block, &bytes, &run->pyramid.hosts[run->hosts[i]]);
	for (size_t i = 0; i < run->nr_processes; i++)
		write_group(block, &bytes, &run->pyramid.processes[run->processes[i]]);
	measure_page_bytes_free(&bytes);
	measure_page_close(run->page);
}
