/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a process that goes on to a part of its own; see live_segment.h. Whole chunks are copied as
 * they are; the last one is cut, and the part then finished as one whose process is gone. */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/close/truncation.h"
#include "assemble/close/part_close.h"
#include "assemble/part/journal_file.h"
#include "live_segment.h"
#include "assemble/part/location_file.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "format/event_chunk.h"

/* The last event of a chunk that is not after a time. */
struct live_snapshot_cut {
	uint64_t until;
	uint64_t last_event; /* 0: none */
};

static void live_snapshot_note_event(void *context, const struct measure_chunk_event *event)
{
	struct live_snapshot_cut *cut = context;

	if (event->time <= cut->until)
		cut->last_event = event->ordinal;
}

/* Copies the chunk that was read as far as wished. False: there is nothing behind it. */
static bool copy_chunk(struct measure_live *live, size_t got, uint64_t nr_events, uint64_t until,
	int fd, uint64_t sequence, measure_status_t *status)
{
	uint32_t size = live->segment.layout.chunk_size;
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	struct live_snapshot_cut cut = {until, 0};

	if (measure_chunk_header_read(live->chunk, got, &header) != MEASURE_OK ||
		header.first_event > nr_events)
		return false;
	measure_chunk_walk(live->chunk, got, nr_events, live_snapshot_note_event, &cut, &walk);
	if (cut.last_event == 0)
		return false;
	if (header.last_event == cut.last_event && got == size) {
		*status = measure_file_write_at(fd, live->chunk, size, sequence * size);
		return *status == MEASURE_OK;
	}
	measure_chunk_walk(live->chunk, got, cut.last_event, NULL, NULL, &walk);
	/* As a process leaves it that is killed. */
	measure_chunk_begin(live->chunk, header.first_event);
	*status = measure_file_write_at(fd, live->chunk, walk.end, sequence * size);
	return false;
}

static measure_status_t copy_location(
	struct measure_live *live, uint32_t location, uint64_t until, int to_fd)
{
	measure_status_t status = MEASURE_OK;
	uint32_t taken_back = measure_live_taken_back(live, location);
	uint64_t word = atomic_load_explicit(
		&live->segment.locations[location].committed, memory_order_acquire);
	char name[32];
	size_t got;

	measure_location_file_name(location, name);
	int fd = measure_file_open(to_fd, name, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	for (uint64_t i = 0; measure_live_chunk(live, location, i, &got) == MEASURE_OK; i++)
		if (!copy_chunk(live, got, measure_live_nr_stable(live, location, word, taken_back),
			    until, fd, i, &status))
			break;
	if (close(fd) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	return status;
}

/* After the events: what they refer to was defined before them. */
static measure_status_t copy_journals(struct measure_live *live, int to_fd)
{
	uint8_t *data;
	size_t size;
	measure_status_t status = measure_live_journal(live, &data, &size);

	if (status != MEASURE_OK)
		return status;
	status = measure_file_store(to_fd, MEASURE_JOURNAL_OF_PROCESS, data, size);
	free(data);
	if (status == MEASURE_OK)
		status = measure_file_load(live->part_fd, MEASURE_JOURNAL_OF_KEEPER,
			MEASURE_JOURNAL_MOST, &data, &size);
	if (status != MEASURE_OK)
		return status;
	status = measure_journal_append(to_fd, MEASURE_JOURNAL_OF_KEEPER, data, size);
	free(data);
	return status;
}

measure_status_t measure_live_snapshot(
	struct measure_live *live, uint64_t until, int to_parts_fd, const char *name)
{
	const struct measure_def_end end = {.ticks = until,
		.how = MEASURE_END_RUNNING,
		.reason = "",
		.cut = MEASURE_TRUNCATION_RUNNING};
	measure_status_t status = MEASURE_OK;

	if (mkdirat(to_parts_fd, name, 0777) != 0)
		return MEASURE_ERROR_IO;
	int fd = measure_file_open_directory(to_parts_fd, name);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	for (uint32_t i = 0; i < measure_live_nr_locations(live) && status == MEASURE_OK; i++)
		status = copy_location(live, i, until, fd);
	if (status == MEASURE_OK)
		status = copy_journals(live, fd);
	if (status == MEASURE_OK)
		status = measure_part_close(NULL, fd, &end);
	close(fd);
	return status;
}

static measure_status_t copy_regular(void *data, int from_fd, const char *name)
{
	const int *to_fd = data;
	struct stat stat;

	if (fstatat(from_fd, name, &stat, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(stat.st_mode))
		return MEASURE_OK;
	return measure_file_copy(from_fd, name, *to_fd, name);
}

measure_status_t measure_part_copy(int from_fd, int to_fd)
{
	return measure_file_visit(from_fd, copy_regular, &to_fd);
}
