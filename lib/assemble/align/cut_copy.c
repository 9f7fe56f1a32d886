/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copying an event file without some of its events; see cut_copy.h. */
#include "config.h"

#include "cut_copy.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "format/event_chunk.h"

#define TIMESTAMP_SIZE 9

/* Two chunks, and what is still to be removed. */
struct cut_copy {
	uint32_t chunk_size;
	uint8_t *from, *to;
	size_t at, end; /* in these */
	struct measure_removed_events removed;
	uint64_t nr_removed; /* so far, of the file */
	const uint8_t *time; /* the last one of removed records, which the next record may rely on;
				or NULL */
};

static void append(struct cut_copy *copy, const uint8_t *bytes, size_t size)
{
	memcpy(copy->to + copy->end, bytes, size);
	copy->end += size;
}

static bool is_removed(struct cut_copy *copy, uint64_t ordinal)
{
	if (copy->removed.nr == 0 || *copy->removed.items != ordinal)
		return false;
	copy->removed.items++;
	copy->removed.nr--;
	copy->nr_removed++;
	return true;
}

static void copy_event(void *context, const struct measure_chunk_event *event)
{
	struct cut_copy *copy = context;
	const uint8_t *record = copy->from + copy->at;
	const bool has_time = *record == MEASURE_OTF2_TIMESTAMP;

	copy->at += event->size;
	if (has_time)
		copy->time = NULL;
	if (is_removed(copy, event->ordinal)) {
		if (has_time)
			copy->time = record;
		return;
	}
	if (copy->time)
		append(copy, copy->time, TIMESTAMP_SIZE);
	copy->time = NULL;
	append(copy, record, event->size);
}

/* Makes `to` of `from`, of which *size bytes are there; *size is then that of `to`. */
static measure_status_t copy_chunk(struct cut_copy *copy, size_t *size)
{
	const uint64_t before = copy->nr_removed;
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	measure_status_t status = measure_chunk_header_read(copy->from, *size, &header);

	if (status != MEASURE_OK)
		return status;
	if (copy->removed.nr == 0 || *copy->removed.items > header.last_event) {
		memcpy(copy->to, copy->from, *size);
		measure_chunk_renumber(
			copy->to, header.first_event - before, header.last_event - before);
		return MEASURE_OK;
	}
	memcpy(copy->to, copy->from, MEASURE_CHUNK_HEADER);
	copy->at = copy->end = MEASURE_CHUNK_HEADER;
	copy->time = NULL;
	status = measure_chunk_walk(copy->from, *size, UINT64_MAX, copy_event, copy, &walk);
	*size = measure_chunk_seal(
		copy->to, copy->chunk_size, copy->end, 0, walk.marker == MEASURE_CHUNK_END_OF_FILE);
	measure_chunk_renumber(
		copy->to, header.first_event - before, walk.last_event - copy->nr_removed);
	return status;
}

static measure_status_t copy_open(struct cut_copy *copy)
{
	copy->from = malloc(copy->chunk_size);
	copy->to = malloc(copy->chunk_size);
	return copy->from && copy->to ? MEASURE_OK : MEASURE_ERROR_MEMORY;
}

static void copy_close(struct cut_copy *copy)
{
	free(copy->from);
	free(copy->to);
}

measure_status_t measure_cut_copy(
	int from, int to, uint32_t chunk_size, struct measure_removed_events removed)
{
	struct cut_copy copy = {.chunk_size = chunk_size, .removed = removed};
	measure_status_t status = copy_open(&copy);

	for (uint64_t offset = 0; status == MEASURE_OK; offset += chunk_size) {
		size_t size;

		status = measure_file_read_at(from, copy.from, chunk_size, offset, &size);
		if (status != MEASURE_OK || size == 0)
			break;
		status = copy_chunk(&copy, &size);
		if (status == MEASURE_OK)
			status = measure_file_write_at(to, copy.to, size, offset);
	}
	copy_close(&copy);
	return status;
}

/* Those of the last chunk. */
static struct measure_removed_events removed_from(
	struct measure_removed_events removed, uint64_t first_event)
{
	while (removed.nr > 0 && *removed.items < first_event) {
		removed.items++;
		removed.nr--;
	}
	return removed;
}

measure_status_t measure_cut_copy_size(
	int from, uint32_t chunk_size, struct measure_removed_events removed, uint64_t *size)
{
	struct cut_copy copy = {.chunk_size = chunk_size};
	measure_status_t status = copy_open(&copy);
	struct measure_chunk_header header;
	struct stat stat;
	uint64_t offset = 0;
	size_t got = 0;

	if (status == MEASURE_OK && (fstat(from, &stat) != 0 || stat.st_size == 0))
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_OK) {
		offset = ((uint64_t)stat.st_size - 1) / chunk_size * chunk_size;
		status = measure_file_read_at(from, copy.from, chunk_size, offset, &got);
	}
	if (status == MEASURE_OK)
		status = measure_chunk_header_read(copy.from, got, &header);
	if (status == MEASURE_OK) {
		copy.removed = removed_from(removed, header.first_event);
		status = copy_chunk(&copy, &got);
	}
	copy_close(&copy);
	*size = offset + got;
	return status;
}
