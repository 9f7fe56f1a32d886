/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a process that goes on to a part of its own; see live_segment.h. Whole chunks are copied as
 * they are; the last one is cut, and the part then finished as one whose process is gone. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assemble/close/truncation.h"
#include "assemble/close/part_close.h"
#include "assemble/part/journal_file.h"
#include "live_segment.h"
#include "assemble/part/location_file.h"
#include "assemble/part/part_fold.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "format/event_chunk.h"

#define NR_TRIES                                                                                   \
	50 /* at events that are dropped meanwhile; what was folded last stays as it is            \
	    */

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

/* Of a location of which not all events are kept: those that were folded. The keeper replaces the
 * file, and drops chunks after that only. */
struct live_snapshot_fold {
	int fd;             /* of the file that was copied: no other one has its number meanwhile */
	uint64_t nr_chunks; /* that are in it */
};

static measure_status_t copy_fold(
	struct measure_live *live, uint32_t location, int to_fd, struct live_snapshot_fold *fold)
{
	measure_status_t status = MEASURE_OK;
	struct stat stat;
	uint8_t *data;
	char name[32];
	size_t got;

	snprintf(name, sizeof(name), MEASURE_FOLD_FORMAT, location);
	*fold = (struct live_snapshot_fold){.fd = measure_file_open(live->part_fd, name, O_RDONLY)};
	if (fold->fd < 0)
		return MEASURE_OK;
	if (fstat(fold->fd, &stat) != 0)
		return MEASURE_ERROR_IO;
	data = malloc((size_t)stat.st_size + 1);
	if (!data)
		return MEASURE_ERROR_MEMORY;
	status = measure_file_read_at(fold->fd, data, (size_t)stat.st_size, 0, &got);
	if (status == MEASURE_OK)
		status = measure_file_store(to_fd, name, data, got);
	free(data);
	return status == MEASURE_OK ? measure_part_fold_reach(to_fd, location, &fold->nr_chunks)
				    : status;
}

/* Is a chunk, which was looked for just now, among those that the keeper may have dropped since the
 * fold was copied? */
static bool may_be_dropped(const struct measure_live *live, uint32_t location, uint64_t sequence,
	const struct live_snapshot_fold *fold)
{
	struct stat before, now;
	uint64_t nr_chunks;
	char name[32];

	snprintf(name, sizeof(name), MEASURE_FOLD_FORMAT, location);
	if (fstatat(live->part_fd, name, &now, AT_SYMLINK_NOFOLLOW) != 0 ||
		(fold->fd >= 0 && fstat(fold->fd, &before) == 0 && before.st_ino == now.st_ino))
		return false;
	return measure_part_fold_reach(live->part_fd, location, &nr_chunks) != MEASURE_OK ||
	       nr_chunks > sequence;
}

/* What is committed of a location at the beginning. */
struct live_snapshot_reach {
	uint32_t location, taken_back;
	uint64_t word, until;
};

/* Chunks keep their places, also where those before them are gone. *is_again: one was dropped under
 * our hands. */
static measure_status_t copy_chunks(struct measure_live *live,
	const struct live_snapshot_reach *reach, const struct live_snapshot_fold *fold, int fd,
	bool *is_again)
{
	measure_status_t status = MEASURE_OK;
	bool is_more = true;
	size_t got;

	*is_again = false;
	for (uint64_t i = fold->nr_chunks; is_more; i++) {
		is_more = measure_live_chunk(live, reach->location, i, &got) == MEASURE_OK;
		*is_again = may_be_dropped(live, reach->location, i, fold);
		if (*is_again)
			return MEASURE_OK;
		is_more = is_more && copy_chunk(live, got,
					     measure_live_nr_stable(live, reach->location,
						     reach->word, reach->taken_back),
					     reach->until, fd, i, &status);
	}
	return status;
}

static measure_status_t copy_kept(
	struct measure_live *live, const struct live_snapshot_reach *reach, int to_fd, int fd)
{
	measure_status_t status = MEASURE_OK;
	bool is_again = true;

	for (int i = 0; i < NR_TRIES && is_again && status == MEASURE_OK; i++) {
		struct live_snapshot_fold fold;

		status = copy_fold(live, reach->location, to_fd, &fold);
		if (status == MEASURE_OK && ftruncate(fd, 0) != 0)
			status = MEASURE_ERROR_IO;
		if (status == MEASURE_OK)
			status = copy_chunks(live, reach, &fold, fd, &is_again);
		if (fold.fd >= 0)
			close(fold.fd);
	}
	return status;
}

static measure_status_t copy_location(
	struct measure_live *live, uint32_t location, uint64_t until, int to_fd)
{
	const struct live_snapshot_reach reach = {.location = location,
		.taken_back = measure_live_taken_back(live, location),
		.word = atomic_load_explicit(
			&live->segment.locations[location].committed, memory_order_acquire),
		.until = until};
	measure_status_t status;
	char name[32];

	measure_location_file_name(location, name);
	int fd = measure_file_open(to_fd, name, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0)
		return MEASURE_ERROR_IO;
	status = copy_kept(live, &reach, to_fd, fd);
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

/* With --profile they are not in files: then they are copied as they are found. */
void measure_live_hold(struct measure_live *live)
{
	/* the keeper looks at this one only, and so cannot always be faster with the other one */
	live->hold_fd = measure_file_open(live->part_fd, MEASURE_JOURNAL_OF_PROCESS, O_RDONLY);
	if (live->hold_fd < 0)
		return;
	flock(live->hold_fd, LOCK_SH);
	flock(live->part_fd, LOCK_SH);
}

static void let_go(struct measure_live *live)
{
	flock(live->part_fd, LOCK_UN);
	if (live->hold_fd >= 0)
		close(live->hold_fd);
	live->hold_fd = -1;
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
	let_go(live);
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
