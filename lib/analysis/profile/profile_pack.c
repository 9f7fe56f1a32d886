/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packs profiles; see profile_pack.h. All numbers are 64 bits wide, in the order of the structures;
 * arrays come after their lengths. */
#include "config.h"

#include "profile_pack.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ packing --- */

static void put_bytes(measure_profile_pack_t *pack, const void *data, size_t size)
{
	if (measure_array_reserve(pack, pack->nr + size) != MEASURE_OK)
		measure_out_of_memory();
	if (size > 0)
		memcpy(pack->items + pack->nr, data, size);
	pack->nr += size;
}

static void put(measure_profile_pack_t *pack, uint64_t number)
{
	put_bytes(pack, &number, sizeof(number));
}

static void put_histogram(measure_profile_pack_t *pack, const struct measure_histogram *histogram)
{
	put(pack, histogram ? histogram->nr_pages : 0);
	for (uint64_t page = 0; histogram && page < MEASURE_HISTOGRAM_PAGES; page++) {
		if (histogram->pages[page] == 0)
			continue;
		put(pack, page);
		put_bytes(pack, histogram->counts[histogram->pages[page] - 1],
			sizeof(*histogram->counts));
	}
}

static void put_path(measure_profile_pack_t *pack, const struct measure_profile_path *path)
{
	const uint64_t numbers[] = {path->parent, path->region, path->visits, path->inclusive,
		path->bytes, path->min, path->max};

	put_bytes(pack, numbers, sizeof(numbers));
	put_histogram(pack, path->calls);
}

static void put_table(measure_profile_pack_t *pack, const struct measure_profile_table *table,
	enum measure_table_name name)
{
	put(pack, table->nr);
	put_bytes(pack, table->keys, table->nr * sizeof(*table->keys));
	put_bytes(pack, table->values,
		table->nr * measure_profile_table_width(name) * sizeof(*table->values));
}

void measure_profile_pack(const struct measure_profile *profile, measure_profile_pack_t *pack)
{
	const uint64_t numbers[] = {profile->faults.unopened, profile->faults.repaired,
		profile->faults.cut, profile->faults.backward, profile->nr_events,
		profile->nr_chunks_read, profile->nr_tasks_created, profile->nr_tasks_completed,
		profile->first, profile->last, profile->nr_locations, profile->nr_broken,
		profile->nr_paths, profile->nr_rows, profile->nr_metrics};

	put_bytes(pack, numbers, sizeof(numbers));
	for (size_t i = 0; i < profile->nr_paths; i++)
		put_path(pack, &profile->paths[i]);
	put_bytes(pack, profile->rows, profile->nr_rows * sizeof(*profile->rows));
	put_bytes(pack, profile->metrics, profile->nr_metrics * sizeof(*profile->metrics));
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		put_table(pack, &profile->tables[name], (enum measure_table_name)name);
}

/* ---------------------------------------------------------------------- unpacking --- */

struct profile_unpacking {
	const char *at, *end;
	bool is_good;
};

/* NULL: there are not so many. */
static const void *take_bytes(struct profile_unpacking *unpacking, uint64_t nr, size_t size)
{
	const char *at = unpacking->at;

	if (!unpacking->is_good || nr > (size_t)(unpacking->end - at) / size) {
		unpacking->is_good = false;
		return NULL;
	}
	unpacking->at += nr * size;
	return at;
}

static uint64_t take(struct profile_unpacking *unpacking)
{
	const void *bytes = take_bytes(unpacking, 1, sizeof(uint64_t));
	uint64_t number = 0;

	if (bytes)
		memcpy(&number, bytes, sizeof(number));
	return number;
}

static struct measure_histogram *take_histogram(struct profile_unpacking *unpacking)
{
	const uint64_t nr = take(unpacking);
	struct measure_histogram *histogram;

	if (nr == 0 || nr > MEASURE_HISTOGRAM_PAGES)
		return NULL;
	histogram = measure_zeroed(1, sizeof(*histogram));
	for (uint64_t i = 0; i < nr && unpacking->is_good; i++) {
		const uint64_t page = take(unpacking);
		const void *counts = take_bytes(unpacking, 1, sizeof(*histogram->counts));

		if (!counts || page >= MEASURE_HISTOGRAM_PAGES || histogram->pages[page]) {
			unpacking->is_good = false;
			break;
		}
		const uint32_t place = measure_histogram_add_page(histogram, (uint32_t)page);
		memcpy(histogram->counts[place - 1], counts, sizeof(*histogram->counts));
	}
	return histogram;
}

/* The root is there already. */
static void take_path(
	struct profile_unpacking *unpacking, struct measure_profile *profile, uint64_t index)
{
	const uint32_t parent = (uint32_t)take(unpacking), region = (uint32_t)take(unpacking);
	struct measure_profile_path *path;

	if (index > 0 && parent >= index)
		unpacking->is_good = false;
	if (!unpacking->is_good)
		return;
	if (index > 0 && measure_profile_child_slowly(profile, parent, region) != index) {
		unpacking->is_good = false;
		return;
	}
	path = &profile->paths[index];
	path->visits = take(unpacking);
	path->inclusive = take(unpacking);
	path->bytes = take(unpacking);
	path->min = take(unpacking);
	path->max = take(unpacking);
	path->calls = take_histogram(unpacking);
}

/* A copy of an array. */
static void *take_array(struct profile_unpacking *unpacking, uint64_t nr, size_t size)
{
	const void *bytes = take_bytes(unpacking, nr, size);
	void *array = bytes ? measure_zeroed(nr, size) : NULL;

	if (array && nr > 0)
		memcpy(array, bytes, nr * size);
	return array;
}

static bool is_key_good(
	const struct measure_profile *profile, enum measure_table_name name, struct measure_key key)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	return (kinds[0] != MEASURE_KEY_PATH || key.high < profile->nr_paths) &&
	       (kinds[1] != MEASURE_KEY_PATH || key.low < profile->nr_paths);
}

static void take_table(struct profile_unpacking *unpacking, struct measure_profile *profile,
	enum measure_table_name name)
{
	const uint32_t width = measure_profile_table_width(name);
	const uint64_t nr = take(unpacking);
	const char *keys = take_bytes(unpacking, nr, sizeof(struct measure_key));
	const char *values = take_bytes(unpacking, nr, width * sizeof(uint64_t));
	uint64_t *row = measure_zeroed(width, sizeof(*row));
	struct measure_key key;

	for (uint64_t i = 0; values && i < nr; i++) {
		memcpy(&key, keys + i * sizeof(key), sizeof(key));
		memcpy(row, values + i * width * sizeof(*row), width * sizeof(*row));
		unpacking->is_good &= is_key_good(profile, name, key);
		measure_profile_table_add(&profile->tables[name], name, key, row);
	}
	measure_free(row);
}

/* Rows and metrics name paths and locations. */
static bool are_references_good(const struct measure_profile *profile)
{
	const size_t nr_locations = profile->trace->definitions.nr_locations;

	for (size_t i = 0; i < profile->nr_rows; i++)
		if (profile->rows[i].path >= profile->nr_paths ||
			profile->rows[i].location >= nr_locations)
			return false;
	for (size_t i = 0; i < profile->nr_metrics; i++)
		if (profile->metrics[i].path >= profile->nr_paths ||
			profile->metrics[i].location >= nr_locations)
			return false;
	return true;
}

bool measure_profile_unpack(struct measure_profile *profile, const struct measure_trace *trace,
	const void *data, size_t size)
{
	struct profile_unpacking unpacking = {data, (const char *)data + size, true};
	uint64_t nr_paths;

	measure_profile_start(profile, trace);
	profile->faults.unopened = take(&unpacking);
	profile->faults.repaired = take(&unpacking);
	profile->faults.cut = take(&unpacking);
	profile->faults.backward = take(&unpacking);
	profile->nr_events = take(&unpacking);
	profile->nr_chunks_read = take(&unpacking);
	profile->nr_tasks_created = take(&unpacking);
	profile->nr_tasks_completed = take(&unpacking);
	profile->first = take(&unpacking);
	profile->last = take(&unpacking);
	profile->nr_locations = (uint32_t)take(&unpacking);
	profile->nr_broken = (uint32_t)take(&unpacking);
	nr_paths = take(&unpacking);
	const uint64_t nr_rows = take(&unpacking), nr_metrics = take(&unpacking);
	for (uint64_t i = 0; i < nr_paths && unpacking.is_good; i++)
		take_path(&unpacking, profile, i);
	profile->rows = take_array(&unpacking, nr_rows, sizeof(*profile->rows));
	profile->metrics = take_array(&unpacking, nr_metrics, sizeof(*profile->metrics));
	if (unpacking.is_good) {
		profile->nr_rows = profile->room_rows = nr_rows;
		profile->nr_metrics = profile->room_metrics = nr_metrics;
	}
	for (int name = 0; name < MEASURE_NR_TABLES && unpacking.is_good; name++)
		take_table(&unpacking, profile, (enum measure_table_name)name);
	return unpacking.is_good && unpacking.at == unpacking.end && are_references_good(profile);
}
