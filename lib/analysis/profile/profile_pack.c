/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packs profiles; see profile_pack.h. Numbers are in the order of the structures; arrays come after
 * their lengths. */
#include "config.h"

#include "profile_pack.h"

#include <stdlib.h>

#define LEAST_BYTES_OF_PATH   8 /* a byte a number */
#define LEAST_BYTES_OF_ROW    5
#define LEAST_BYTES_OF_METRIC 10
#define LEAST_BYTES_OF_KEY    2

/* ------------------------------------------------------------------------ packing --- */

/* Buckets that are not empty: how far each is from the one before, and its count. */
static void put_histogram(measure_profile_pack_t *pack, const struct measure_histogram *histogram)
{
	uint32_t bucket, nr = 0, next = 0;

	for (uint32_t place = 0; histogram && place < histogram->nr_pages; place++)
		for (uint32_t i = 0; i < MEASURE_HISTOGRAM_PAGE_SIZE; i++)
			nr += histogram->counts[place][i] != 0;
	measure_pack_put(pack, nr);
	for (uint32_t page = 0; nr > 0 && page < MEASURE_HISTOGRAM_PAGES; page++) {
		const uint32_t place = histogram->pages[page];

		for (uint32_t i = 0; place > 0 && i < MEASURE_HISTOGRAM_PAGE_SIZE; i++) {
			if (histogram->counts[place - 1][i] == 0)
				continue;
			bucket = page * MEASURE_HISTOGRAM_PAGE_SIZE + i;
			measure_pack_put(pack, bucket - next);
			measure_pack_put(pack, histogram->counts[place - 1][i]);
			next = bucket + 1;
		}
	}
}

static void put_path(measure_profile_pack_t *pack, const struct measure_profile_path *path)
{
	const uint64_t numbers[] = {path->parent, path->region, path->visits, path->inclusive,
		path->bytes, path->min, path->max};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	put_histogram(pack, path->calls);
}

static void put_row(measure_profile_pack_t *pack, const struct measure_profile_row *row)
{
	const uint64_t numbers[] = {
		row->path, row->location, row->visits, row->inclusive, row->exclusive};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
}

static void put_metric(measure_profile_pack_t *pack, const struct measure_profile_metric *metric)
{
	const uint64_t numbers[] = {metric->path, metric->location, metric->member,
		metric->is_spread, metric->count, metric->ticks, (uint64_t)metric->integer};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	measure_pack_put_real(pack, metric->real);
	measure_pack_put_real(pack, metric->min);
	measure_pack_put_real(pack, metric->max);
}

static void put_table(measure_profile_pack_t *pack, const struct measure_profile_table *table,
	enum measure_table_name name)
{
	const uint32_t width = measure_profile_table_width(name);

	measure_pack_put(pack, table->nr);
	for (size_t i = 0; i < table->nr; i++) {
		measure_pack_put(pack, table->keys[i].high);
		measure_pack_put(pack, table->keys[i].low);
		measure_pack_put_all(pack, &table->values[i * width], width);
	}
}

void measure_profile_pack(const struct measure_profile *profile, measure_profile_pack_t *pack)
{
	const uint64_t numbers[] = {profile->faults.unopened, profile->faults.repaired,
		profile->faults.cut, profile->faults.backward, profile->nr_events,
		profile->nr_chunks_read, profile->nr_tasks_created, profile->nr_tasks_completed,
		profile->first, profile->last, profile->nr_locations, profile->nr_broken};

	measure_pack_put_all(pack, numbers, sizeof(numbers) / sizeof(*numbers));
	measure_pack_put(pack, profile->nr_paths);
	for (size_t i = 0; i < profile->nr_paths; i++)
		put_path(pack, &profile->paths[i]);
	measure_pack_put(pack, profile->nr_rows);
	for (size_t i = 0; i < profile->nr_rows; i++)
		put_row(pack, &profile->rows[i]);
	measure_pack_put(pack, profile->nr_metrics);
	for (size_t i = 0; i < profile->nr_metrics; i++)
		put_metric(pack, &profile->metrics[i]);
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		put_table(pack, &profile->tables[name], (enum measure_table_name)name);
}

/* ---------------------------------------------------------------------- unpacking --- */

static struct measure_histogram *take_histogram(struct measure_pack_reader *reader)
{
	const uint64_t nr = measure_pack_take(reader);
	struct measure_histogram *histogram;
	uint32_t next = 0;

	if (nr == 0)
		return NULL;
	histogram = measure_zeroed(1, sizeof(*histogram));
	for (uint64_t i = 0; i < nr && reader->is_good; i++) {
		const uint32_t bucket =
			next + measure_pack_take_index(reader, MEASURE_HISTOGRAM_BUCKETS - next);

		if (!reader->is_good)
			break;
		*measure_histogram_count(histogram, bucket) = measure_pack_take(reader);
		next = bucket + 1;
	}
	return histogram;
}

/* The root is there already. */
static void take_path(
	struct measure_pack_reader *reader, struct measure_profile *profile, uint32_t index)
{
	const uint32_t parent = measure_pack_take_word(reader);
	const uint32_t region = measure_pack_take_word(reader);
	struct measure_profile_path *path;

	if (index > 0 && (parent >= index || !reader->is_good ||
				 measure_profile_child_slowly(profile, parent, region) != index)) {
		measure_pack_refuse(reader);
		return;
	}
	path = &profile->paths[index];
	path->visits = measure_pack_take(reader);
	path->inclusive = measure_pack_take(reader);
	path->bytes = measure_pack_take(reader);
	path->min = measure_pack_take(reader);
	path->max = measure_pack_take(reader);
	path->calls = take_histogram(reader);
}

static void take_rows(struct measure_pack_reader *reader, struct measure_profile *profile)
{
	const size_t nr = measure_pack_take_length(reader, LEAST_BYTES_OF_ROW);

	profile->rows = measure_zeroed(nr, sizeof(*profile->rows));
	profile->nr_rows = profile->room_rows = nr;
	for (size_t i = 0; i < nr; i++) {
		struct measure_profile_row *row = &profile->rows[i];

		row->path = measure_pack_take_index(reader, profile->nr_paths);
		row->location = measure_pack_take_word(reader);
		row->visits = measure_pack_take(reader);
		row->inclusive = measure_pack_take(reader);
		row->exclusive = measure_pack_take(reader);
	}
}

static void take_metrics(struct measure_pack_reader *reader, struct measure_profile *profile)
{
	const size_t nr = measure_pack_take_length(reader, LEAST_BYTES_OF_METRIC);

	profile->metrics = measure_zeroed(nr, sizeof(*profile->metrics));
	profile->nr_metrics = profile->room_metrics = nr;
	for (size_t i = 0; i < nr; i++) {
		struct measure_profile_metric *metric = &profile->metrics[i];

		metric->path = measure_pack_take_index(reader, profile->nr_paths);
		metric->location = measure_pack_take_word(reader);
		metric->member = measure_pack_take_word(reader);
		metric->is_spread = measure_pack_take_index(reader, 2);
		metric->count = measure_pack_take(reader);
		metric->ticks = measure_pack_take(reader);
		metric->integer = (int64_t)measure_pack_take(reader);
		metric->real = measure_pack_take_real(reader);
		metric->min = measure_pack_take_real(reader);
		metric->max = measure_pack_take_real(reader);
	}
}

static bool is_key_good(
	const struct measure_profile *profile, enum measure_table_name name, struct measure_key key)
{
	const enum measure_key_kind *kinds = measure_tables[name].kinds;

	return (kinds[0] != MEASURE_KEY_PATH || key.high < profile->nr_paths) &&
	       (kinds[1] != MEASURE_KEY_PATH || key.low < profile->nr_paths);
}

static void take_table(struct measure_pack_reader *reader, struct measure_profile *profile,
	enum measure_table_name name)
{
	const uint32_t width = measure_profile_table_width(name);
	const size_t nr = measure_pack_take_length(reader, LEAST_BYTES_OF_KEY + width);
	uint64_t *row = measure_zeroed(width, sizeof(*row));

	for (size_t i = 0; i < nr && reader->is_good; i++) {
		const uint64_t high = measure_pack_take(reader), low = measure_pack_take(reader);
		const struct measure_key key = measure_key_pair(high, low);

		for (uint32_t column = 0; column < width; column++)
			row[column] = measure_pack_take(reader);
		if (!is_key_good(profile, name, key))
			measure_pack_refuse(reader);
		measure_profile_table_add(&profile->tables[name], name, key, row);
	}
	measure_free(row);
}

void measure_profile_take(struct measure_profile *profile, struct measure_pack_reader *reader)
{
	size_t nr_paths;

	profile->faults.unopened = measure_pack_take(reader);
	profile->faults.repaired = measure_pack_take(reader);
	profile->faults.cut = measure_pack_take(reader);
	profile->faults.backward = measure_pack_take(reader);
	profile->nr_events = measure_pack_take(reader);
	profile->nr_chunks_read = measure_pack_take(reader);
	profile->nr_tasks_created = measure_pack_take(reader);
	profile->nr_tasks_completed = measure_pack_take(reader);
	profile->first = measure_pack_take(reader);
	profile->last = measure_pack_take(reader);
	profile->nr_locations = measure_pack_take_word(reader);
	profile->nr_broken = measure_pack_take_word(reader);
	nr_paths = measure_pack_take_length(reader, LEAST_BYTES_OF_PATH);
	for (uint32_t i = 0; i < nr_paths && reader->is_good; i++)
		take_path(reader, profile, i);
	take_rows(reader, profile);
	take_metrics(reader, profile);
	for (int name = 0; name < MEASURE_NR_TABLES; name++)
		take_table(reader, profile, (enum measure_table_name)name);
}

/* Rows and metrics name locations. */
static bool are_locations_good(const struct measure_profile *profile)
{
	const size_t nr_locations = profile->trace->definitions.nr_locations;

	for (size_t i = 0; i < profile->nr_rows; i++)
		if (profile->rows[i].location >= nr_locations)
			return false;
	for (size_t i = 0; i < profile->nr_metrics; i++)
		if (profile->metrics[i].location >= nr_locations)
			return false;
	return true;
}

bool measure_profile_unpack(struct measure_profile *profile, const struct measure_trace *trace,
	const void *data, size_t size)
{
	struct measure_pack_reader reader = {data, (const unsigned char *)data + size, true};

	measure_profile_start(profile, trace);
	measure_profile_take(profile, &reader);
	return reader.is_good && reader.at == reader.end && are_locations_good(profile);
}
