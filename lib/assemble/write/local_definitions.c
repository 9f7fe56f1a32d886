/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Encoding of local definitions; see local_definitions.h. The records, behind the header of a
 *chunk:
 *
 *	5 | length | kind of ids u8 | nr | mode u8 | dense: the archive's id of each id;
 *						     sparse: pairs, id and the archive's
 *	6 | length | time u64 | offset | standard deviation f64
 *
 * where numbers without a type are compressed, as in event records. */
#include "config.h"

#include "local_definitions.h"

#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "format/event_chunk.h"
#include "format/event_encode.h"

enum { RECORD_MAPPING_TABLE = 5, RECORD_CLOCK_OFFSET = 6 };
enum { MODE_DENSE = 0, MODE_SPARSE = 1 };

#define LONG_LENGTH 0xff /* the length follows in 8 bytes */

/* Bytes at most. */
#define NUMBER_SIZE 9
#define HEAD_SIZE   10
#define ENTRY_SIZE  10 /* of a table: a dense one has less, a sparse one half as many pairs */
#define TABLE_SIZE  (HEAD_SIZE + 2 + NUMBER_SIZE)
#define OFFSET_SIZE (HEAD_SIZE + 8 + NUMBER_SIZE + 8)
#define SPARE_SIZE  8 /* that encoding may touch behind */

static uint64_t count_changed(const measure_id_map_t *map)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < map->nr; i++)
		nr += map->items[i] != i;
	return nr;
}

/* What stands between `payload` and `end` becomes a record at `place`; returns what is behind. */
static uint8_t *put_record(uint8_t *place, uint8_t kind, const uint8_t *payload, const uint8_t *end)
{
	const size_t size = (size_t)(end - payload);
	uint8_t *to = measure_put_u8(place, kind);

	if (size < LONG_LENGTH)
		to = measure_put_u8(to, (uint8_t)size);
	else
		to = measure_put_full(measure_put_u8(to, LONG_LENGTH), size);
	memmove(to, payload, size);
	return to + size;
}

static uint8_t *put_table(uint8_t *place, uint8_t kind, const measure_id_map_t *map)
{
	const uint64_t nr_changed = count_changed(map);
	const bool is_sparse = 2 * nr_changed < map->nr;
	uint8_t *const payload = place + HEAD_SIZE;
	uint8_t *end = measure_put_u8(payload, kind);

	if (nr_changed == 0)
		return place;
	end = measure_put_u64(end, is_sparse ? nr_changed : map->nr);
	end = measure_put_u8(end, is_sparse ? MODE_SPARSE : MODE_DENSE);
	for (size_t i = 0; i < map->nr; i++) {
		if (is_sparse && map->items[i] == i)
			continue;
		if (is_sparse)
			end = measure_put_u64(end, i);
		end = measure_put_u64(end, map->items[i]);
	}
	return put_record(place, RECORD_MAPPING_TABLE, payload, end);
}

static uint8_t *put_offset(uint8_t *place, const struct measure_clock_knot *knot)
{
	uint8_t *const payload = place + HEAD_SIZE;
	uint8_t *end = measure_put_full(payload, knot->time);
	uint64_t deviation;

	memcpy(&deviation, &knot->bound, sizeof(deviation));
	end = measure_put_full(measure_put_i64(end, knot->offset), deviation);
	return put_record(place, RECORD_CLOCK_OFFSET, payload, end);
}

static size_t largest_size(const struct measure_local_definitions *definitions)
{
	size_t size = MEASURE_CHUNK_HEADER + MEASURE_CHUNK_CLOSE + SPARE_SIZE;

#define ID_MAP(kind, map) size += TABLE_SIZE + definitions->map.nr * ENTRY_SIZE;
#include "id_maps.def"
#undef ID_MAP
	return size + (definitions->clock ? definitions->clock->nr * OFFSET_SIZE : 0);
}

uint64_t measure_local_definitions_size(const struct measure_local_definitions *definitions)
{
	return largest_size(definitions) / ENTRY_SIZE;
}

measure_status_t measure_local_definitions_encode(
	const struct measure_local_definitions *definitions, measure_local_bytes_t *bytes)
{
	measure_status_t status = measure_array_reserve(bytes, largest_size(definitions));
	uint8_t *end;

	if (status != MEASURE_OK)
		return status;
	end = bytes->items + measure_chunk_begin(bytes->items, 1);
#define ID_MAP(kind, map) end = put_table(end, OTF2_MAPPING_##kind, &definitions->map);
#include "id_maps.def"
#undef ID_MAP
	for (size_t i = 0; definitions->clock && i < definitions->clock->nr; i++)
		end = put_offset(end, &definitions->clock->items[i]);
	end = measure_put_u8(end, MEASURE_CHUNK_END_OF_FILE);
	end = measure_put_u8(end, MEASURE_CHUNK_END_OF_BUFFER);
	bytes->nr = (size_t)(end - bytes->items);
	return MEASURE_OK;
}

/* --------------------------------------------------------------------------- files --- */

void measure_definition_files_open(struct measure_definition_files *files, int directory_fd)
{
	*files = (struct measure_definition_files){.directory_fd = directory_fd};
	pthread_mutex_init(&files->lock, NULL);
}

void measure_definition_files_close(struct measure_definition_files *files)
{
	pthread_mutex_destroy(&files->lock);
	measure_intern_free(&files->bytes);
	free(files->locations.items);
}

/* UINT64_MAX: it is the first one, or there is no memory. */
static uint64_t find_equal(struct measure_definition_files *files, uint64_t location,
	const measure_local_bytes_t *bytes)
{
	uint64_t first = UINT64_MAX;
	bool is_new = true;
	uint32_t id = 0;

	pthread_mutex_lock(&files->lock);
	if (measure_intern_put(&files->bytes, bytes->items, bytes->nr, &id, &is_new) != MEASURE_OK)
		is_new = true;
	else if (id == files->locations.nr)
		(void)measure_array_push(&files->locations, location);
	if (!is_new && id < files->locations.nr)
		first = files->locations.items[id];
	pthread_mutex_unlock(&files->lock);
	return first;
}

static void name_file(uint64_t location, char name[48])
{
	snprintf(name, 48, "%llu.def", (unsigned long long)location);
}

/* The file of another thread may not be there yet, or it may have too many names. */
measure_status_t measure_definition_files_store(struct measure_definition_files *files,
	uint64_t location, const measure_local_bytes_t *bytes)
{
	const uint64_t first = find_equal(files, location, bytes);
	char name[48], name_of_first[48];

	name_file(location, name);
	name_file(first, name_of_first);
	if (first != UINT64_MAX &&
		linkat(files->directory_fd, name_of_first, files->directory_fd, name, 0) == 0)
		return MEASURE_OK;
	return measure_file_store(files->directory_fd, name, bytes->items, bytes->nr);
}
