/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stays of the events of a location that was recorded with --profile or --keep: its event file
 * has those that were not folded, from the chunk on that its number says. They are folded, too, so
 * that the profile is one of the whole run. Then the file is made anew: with no events, or with
 * those that are left, which begin with an Enter for each region that was open. */
#include "config.h"

#include "part_close_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "format/event_chunk.h"
#include "format/run_layout.h"

static void new_name(uint32_t location, char name[32])
{
	snprintf(name, 32, MEASURE_EVENTS_FORMAT ".new", location);
}

static measure_status_t replace(const struct measure_part_close_state *finish, uint32_t location)
{
	char from[32], to[32];

	new_name(location, from);
	measure_location_file_name(location, to);
	return renameat(finish->part_fd, from, finish->part_fd, to) == 0 ? MEASURE_OK
									 : MEASURE_ERROR_IO;
}

bool measure_part_close_is_kept(const struct measure_part_close_state *finish, uint32_t location)
{
	char name[32];

	snprintf(name, sizeof(name), MEASURE_PROFILE_FORMAT, location);
	if (!finish->fold || faccessat(finish->part_fd, name, F_OK, 0) != 0)
		return false;
	replace(finish, location); /* it may have been done */
	return true;
}

/* The chunks of a tail that is to begin a file: whole ones, behind which others follow. *nr_events:
 * in them. */
static measure_status_t write_begin(struct measure_part_close_state *finish,
	const struct measure_location_state *cut, int fd, uint64_t *offset)
{
	const struct measure_tail begin = {.enters = cut->open.items,
		.nr_enters = (uint32_t)cut->open.nr,
		.enter_time = cut->last_time};
	struct measure_tail_chunks chunks;
	struct measure_chunk_walk walk;
	measure_status_t status = measure_tail_write(finish->tails, &begin, &chunks);

	for (uint32_t i = 0; i < chunks.nr_chunks && status == MEASURE_OK; i++) {
		uint8_t *chunk = chunks.chunks[i];

		status = measure_chunk_walk(
			chunk, finish->chunk_size, begin.nr_enters, NULL, NULL, &walk);
		measure_chunk_seal(chunk, finish->chunk_size, walk.end, walk.last_event, false);
		if (status == MEASURE_OK)
			status = measure_file_write_at(fd, chunk, finish->chunk_size, *offset);
		*offset += finish->chunk_size;
	}
	return status;
}

/* The chunks from the cut on, with other numbers for their events. */
static measure_status_t copy_chunks(struct measure_part_close_state *finish,
	const struct measure_location_state *cut, int from, int to, uint64_t offset)
{
	measure_status_t status = MEASURE_OK;
	size_t got = finish->chunk_size;

	for (uint64_t i = cut->sequence; status == MEASURE_OK && got == finish->chunk_size; i++) {
		struct measure_chunk_header header;

		status = measure_file_read_at(
			from, finish->chunk, finish->chunk_size, i * finish->chunk_size, &got);
		if (status != MEASURE_OK || got == 0)
			break;
		status = measure_chunk_header_read(finish->chunk, got, &header);
		if (status != MEASURE_OK)
			break;
		measure_chunk_renumber(finish->chunk,
			header.first_event - cut->nr_events + cut->open.nr,
			header.last_event - cut->nr_events + cut->open.nr);
		status = measure_file_write_at(to, finish->chunk, got, offset);
		offset += got;
	}
	return status;
}

static measure_status_t write_kept(struct measure_part_close_state *finish,
	const struct measure_location_state *cut, int from, int to)
{
	const struct measure_tail nothing = {.nr_regions = 0};
	struct measure_tail_chunks chunks;
	measure_status_t status;
	uint64_t offset = 0;

	if (finish->kept == MEASURE_KEPT_NONE) {
		status = measure_tail_write(finish->tails, &nothing, &chunks);
		return status == MEASURE_OK
			       ? measure_file_write_at(to, chunks.chunks[0], MEASURE_TAIL_EMPTY, 0)
			       : status;
	}
	status = cut->open.nr > 0 ? write_begin(finish, cut, to, &offset) : MEASURE_OK;
	return status == MEASURE_OK ? copy_chunks(finish, cut, from, to, offset) : status;
}

measure_status_t measure_part_close_keep(
	struct measure_part_close_state *finish, int fd, uint32_t location)
{
	const struct measure_location_state *cut =
		&measure_part_fold_location(finish->fold, location)->state;
	measure_status_t status;
	char name[32];

	new_name(location, name);
	unlinkat(finish->part_fd, name, 0);
	int to = measure_file_open(finish->part_fd, name, O_WRONLY | O_CREAT | O_TRUNC);
	if (to < 0)
		return MEASURE_ERROR_IO;
	status = write_kept(finish, cut, fd, to);
	if (close(to) != 0 && status == MEASURE_OK)
		status = MEASURE_ERROR_IO;
	if (status == MEASURE_OK)
		status = measure_part_fold_store_cut(finish->fold, location);
	if (status == MEASURE_OK)
		status = measure_part_fold_finish(finish->fold, location, fd);
	return status == MEASURE_OK ? replace(finish, location) : status;
}
