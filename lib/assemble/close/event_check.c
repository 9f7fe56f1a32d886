/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking for damage in event files; see event_check.h. */
#include "config.h"

#include "event_check.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/part/location_file.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "format/journal.h"
#include "format/event_chunk.h"
#include "format/otf2_records.h"

/* Ids are given one after the other, and each has a record; what is far above is damage. */
#define SPARE_IDS (UINT32_C(1) << 16)

struct event_check {
	uint32_t chunk_size;
	uint64_t step;    /* every step-th chunk is looked at */
	uint64_t max_ids; /* of a kind */
	uint8_t *chunk;
	uint64_t last_time; /* of the location, as far as it was seen */
	bool is_damaged;
	MEASURE_ARRAY(uint32_t) open; /* regions of the location, as far as it was seen */
	measure_status_t status;
};

/* An Enter may lie in a chunk that was not looked at. */
static void event_check_leave(struct event_check *check, uint32_t region)
{
	size_t left = MEASURE_LEAVE_LOOKS;

	for (size_t i = check->open.nr; i-- > 0 && left-- > 0;) {
		if (check->open.items[i] != region)
			continue;
		check->is_damaged |= i + 1 != check->open.nr;
		check->open.nr = i;
		return;
	}
	check->is_damaged |= check->step == 1;
}

static void check_event(void *context, const struct measure_chunk_event *event)
{
	struct event_check *check = context;

	check->is_damaged |= event->time < check->last_time;
	check->last_time = event->time;
	if (event->type == MEASURE_OTF2_CALLING_CONTEXT_SAMPLE)
		check->is_damaged |= event->context >= check->max_ids;
	if (event->type != MEASURE_OTF2_ENTER && event->type != MEASURE_OTF2_LEAVE)
		return;
	if (event->region >= check->max_ids)
		check->is_damaged = true;
	else if (event->type == MEASURE_OTF2_LEAVE)
		event_check_leave(check, event->region);
	else if (check->status == MEASURE_OK)
		check->status = measure_array_push(&check->open, event->region);
}

static measure_status_t check_chunk(struct event_check *check, int fd, uint64_t sequence)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	size_t got;
	measure_status_t status = measure_file_read_at(
		fd, check->chunk, check->chunk_size, sequence * check->chunk_size, &got);

	if (status != MEASURE_OK)
		return status;
	if (measure_chunk_header_read(check->chunk, got, &header) != MEASURE_OK) {
		check->is_damaged = true;
		return status;
	}
	status = measure_chunk_walk(check->chunk, got, UINT64_MAX, check_event, check, &walk);
	check->is_damaged |= status != MEASURE_OK || walk.last_event != header.last_event;
	return check->status;
}

static uint64_t nr_chunks_of(const struct stat *file, uint32_t chunk_size)
{
	return ((uint64_t)file->st_size + chunk_size - 1) / chunk_size;
}

/* `passed`: chunks of the files before; becomes those of this one as well. */
static measure_status_t check_file(struct event_check *check, int fd, uint64_t *passed)
{
	measure_status_t status = MEASURE_OK;
	struct stat file;

	if (fstat(fd, &file) != 0)
		return MEASURE_ERROR_IO;
	const uint64_t nr_chunks = nr_chunks_of(&file, check->chunk_size);
	check->open.nr = 0;
	check->last_time = 0;
	check->is_damaged = false;
	for (uint64_t i = 0; i < nr_chunks && status == MEASURE_OK; i++) {
		if ((*passed + i) % check->step == 0)
			status = check_chunk(check, fd, i);
		else
			check->open.nr = 0; /* what is open is not seen to end */
	}
	*passed += nr_chunks;
	return status;
}

static uint64_t count_chunks(int part_fd, uint32_t nr_locations, uint32_t chunk_size)
{
	uint64_t nr = 0;
	struct stat file;
	char name[32];

	for (uint32_t i = 0; i < nr_locations; i++) {
		measure_location_file_name(i, name);
		if (fstatat(part_fd, name, &file, 0) == 0)
			nr += nr_chunks_of(&file, chunk_size);
	}
	return nr;
}

static uint64_t journal_size(int part_fd)
{
	struct stat file;

	return fstatat(part_fd, MEASURE_JOURNAL_OF_PROCESS, &file, 0) == 0 ? (uint64_t)file.st_size
									   : 0;
}

static measure_status_t check_files(
	struct event_check *check, int part_fd, uint32_t nr_locations, measure_damaged_t *damaged)
{
	measure_status_t status = MEASURE_OK;
	uint64_t passed = 0;
	char name[32];

	for (uint32_t i = 0; i < nr_locations && status == MEASURE_OK; i++) {
		measure_location_file_name(i, name);
		int fd = measure_file_open(part_fd, name, O_RDONLY);
		if (fd < 0)
			return MEASURE_ERROR_IO;
		status = check_file(check, fd, &passed);
		close(fd);
		if (status == MEASURE_OK && check->is_damaged)
			status = measure_array_push(damaged, i);
	}
	return status;
}

measure_status_t measure_event_check(int part_fd, uint32_t nr_locations, uint32_t chunk_size,
	uint64_t most, measure_damaged_t *damaged)
{
	const uint64_t nr_chunks = count_chunks(part_fd, nr_locations, chunk_size);
	struct event_check check = {.chunk_size = chunk_size,
		.step = nr_chunks > most ? (nr_chunks + most - 1) / most : 1,
		.max_ids = journal_size(part_fd) / MEASURE_JOURNAL_FRAME + SPARE_IDS,
		.chunk = malloc(chunk_size)};
	measure_status_t status = MEASURE_ERROR_MEMORY;

	if (check.chunk)
		status = check_files(&check, part_fd, nr_locations, damaged);
	free(check.chunk);
	free(check.open.items);
	return status;
}
