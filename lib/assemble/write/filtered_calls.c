/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that were left out one by one; see filtered_calls.h. */
#include "config.h"

#include "filtered_calls.h"

#include <stdlib.h>
#include <string.h>

#include "assemble/part/journal_file.h"
#include "format/filter_area.h"

static uint64_t filtered_calls_count(
	const struct measure_segment *segment, uint32_t nr_rows, uint32_t region)
{
	uint64_t sum = 0;

	for (uint32_t row = 0; row < nr_rows; row++)
		sum += atomic_load_explicit(
			&measure_filter_counters(segment, row)[region], memory_order_relaxed);
	return sum;
}

static void add_polls(const struct measure_segment *segment, struct measure_frames *frames)
{
	for (uint32_t i = 0; i < MEASURE_POLLS; i++) {
		const struct measure_segment_poll *poll = &segment->header->polls[i];
		uint32_t region = atomic_load_explicit(&poll->region, memory_order_relaxed);
		uint64_t calls = atomic_load_explicit(&poll->calls, memory_order_relaxed);
		const struct measure_def_region_filtered def = {region - 1, calls, calls,
			atomic_load_explicit(&poll->ticks, memory_order_relaxed)};
		if (region && calls)
			MEASURE_FRAMES_ADD(frames, region_filtered, &def);
	}
}

measure_status_t measure_filtered_calls_store(
	const struct measure_segment *segment, uint32_t nr_locations, int part_fd)
{
	const struct measure_filter_area *area = segment->filter;
	uint32_t nr_regions = area ? atomic_load(&area->nr_regions) : 0;
	uint32_t nr_rows = nr_locations < MEASURE_FILTER_ROWS ? nr_locations : MEASURE_FILTER_ROWS;
	struct measure_frames frames = {0};

	for (uint32_t i = 0; i < nr_regions && i < MEASURE_FILTER_REGIONS; i++) {
		const struct measure_def_region_filtered def = {
			i, filtered_calls_count(segment, nr_rows, i), 0, 0};
		if (def.calls)
			MEASURE_FRAMES_ADD(&frames, region_filtered, &def);
	}
	add_polls(segment, &frames);
	return measure_frames_append(&frames, part_fd, MEASURE_JOURNAL_OF_KEEPER);
}

static void add_part(const struct measure_unified *unified, size_t process, double tick,
	struct measure_filtered_calls_region *regions)
{
	const struct measure_part *part = unified->job->processes.items[process].part;
	const measure_id_map_t *map = &unified->locals.items[process].regions;

	for (size_t i = 0; part && i < part->filtered.nr; i++) {
		const struct measure_def_region_filtered *def = &part->filtered.items[i];
		if (def->region >= map->nr ||
			map->items[def->region] >= unified->definitions.regions.nr)
			continue;
		struct measure_filtered_calls_region *region = &regions[map->items[def->region]];
		region->calls += def->calls;
		region->polls += def->polls < def->calls ? def->polls : def->calls;
		region->poll_seconds += (double)def->poll_ticks * tick;
	}
}

static int filtered_calls_compare(const void *left, const void *right)
{
	const struct measure_filtered_calls_region *a = left, *b = right;

	if (a->calls != b->calls)
		return a->calls < b->calls ? 1 : -1;
	return (a->region > b->region) - (a->region < b->region);
}

measure_status_t measure_filtered_calls_make(
	const struct measure_unified *unified, double tick, struct measure_filtered_calls *filtered)
{
	size_t nr = unified->definitions.regions.nr;
	struct measure_filtered_calls_region *regions = calloc(nr + 1, sizeof(*regions));
	measure_status_t status = regions ? MEASURE_OK : MEASURE_ERROR_MEMORY;

	for (size_t i = 0; i < unified->job->processes.nr && status == MEASURE_OK; i++)
		add_part(unified, i, tick, regions);
	for (size_t i = 0; i < nr && status == MEASURE_OK; i++) {
		if (regions[i].calls == 0)
			continue;
		regions[i].region = (uint32_t)i;
		filtered->calls += regions[i].calls;
		filtered->polls += regions[i].polls;
		status = measure_array_push(&filtered->regions, regions[i]);
	}
	measure_array_sort(&filtered->regions, filtered_calls_compare);
	free(regions);
	return status;
}

void measure_filtered_calls_free(struct measure_filtered_calls *filtered)
{
	free(filtered->regions.items);
	memset(filtered, 0, sizeof(*filtered));
}
