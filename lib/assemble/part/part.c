/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading a part; see part.h. */
#include "config.h"

#include "part.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal_file.h"
#include "base/file.h"
#include "format/segment.h"

/* Its bytes are not needed any more where its records are in a pool. */
static void let_go_of_journal(const struct measure_part *part, uint8_t **data)
{
	if (!part->pool)
		return;
	free(*data);
	*data = NULL;
}

static measure_status_t read_journal(struct measure_part *part, const char *name, uint8_t **data)
{
	size_t size;
	measure_status_t status =
		measure_file_load(part->fd, name, MEASURE_JOURNAL_MOST, data, &size);

	if (status == MEASURE_ERROR_NOT_FOUND) {
		part->is_damaged = true;
		return MEASURE_OK;
	}
	return status == MEASURE_OK ? measure_part_note_journal(part, *data, size) : status;
}

static measure_status_t open_part(int parts_fd, const char *name, struct measure_part *part)
{
	part->name = strdup(name);
	part->fd = measure_file_open_directory(parts_fd, name);
	if (!part->name)
		return MEASURE_ERROR_MEMORY;
	return part->fd < 0 ? MEASURE_ERROR_IO : MEASURE_OK;
}

static void close_part(struct measure_part *part)
{
	if (part->fd >= 0)
		close(part->fd);
	part->fd = -1;
}

int measure_part_open(int parts_fd, const struct measure_part *part)
{
	return measure_file_open_directory(parts_fd, part->name);
}

measure_status_t measure_part_read_live(
	int parts_fd, const char *name, uint8_t *journal, size_t size, struct measure_part *part)
{
	measure_status_t status = open_part(parts_fd, name, part);

	part->journal = journal;
	if (status == MEASURE_OK)
		status = measure_part_note_journal(part, journal, size);
	if (status == MEASURE_OK)
		status = read_journal(part, MEASURE_JOURNAL_OF_KEEPER, &part->keeper_journal);
	close_part(part);
	return status;
}

static measure_status_t read_opened(struct measure_part *part)
{
	measure_status_t status = read_journal(part, MEASURE_JOURNAL_OF_PROCESS, &part->journal);

	if (status == MEASURE_OK)
		status = read_journal(part, MEASURE_JOURNAL_OF_KEEPER, &part->keeper_journal);
	if (status != MEASURE_OK)
		return status;
	if (!part->journal && !part->keeper_journal)
		return MEASURE_ERROR_NOT_FOUND;
	let_go_of_journal(part, &part->journal);
	let_go_of_journal(part, &part->keeper_journal);
	return part->keeper.chunk_size ? measure_part_read_events(part) : MEASURE_OK;
}

/* Arrays have room to grow; there may be very many parts. */
static void trim(struct measure_part *part)
{
#define BY_HAND(type, array) measure_array_trim(&part->array);
#include "part_arrays.def"
}

measure_status_t measure_part_read(int parts_fd, const char *name, struct measure_part *part)
{
	measure_status_t status = open_part(parts_fd, name, part);

	if (status == MEASURE_OK)
		status = read_opened(part);
	close_part(part);
	trim(part);
	return status;
}

void measure_part_free(struct measure_part *part)
{
	free(part->name);
	free(part->journal);
	free(part->keeper_journal);
	for (uint32_t i = 0; i < MEASURE_SERIES; i++)
		free(part->sampled[i].metrics.items);
#define BY_HAND(type, array) free(part->array.items);
#include "part_arrays.def"
	memset(part, 0, sizeof(*part));
}

uint64_t measure_part_count(const struct measure_part *part, const char *name)
{
	uint64_t value = 0;

	for (size_t i = 0; i < part->counts.nr; i++)
		if (strcmp(part->counts.items[i].name, name) == 0)
			value = part->counts.items[i].value;
	return value;
}

uint64_t measure_part_losses(const struct measure_part *part)
{
	static const char *const losses[] = {
#define LOSS(name) #name,
#define REPAIR(name)
#define STALL(name)
#define NOTE(name)
#define COUNT(KIND, name, kind, words) kind(name)
#include "format/recording_counts.def"
#undef COUNT
#undef NOTE
#undef STALL
#undef REPAIR
#undef LOSS
	};
	uint64_t nr = 0;

	for (size_t i = 0; i < sizeof(losses) / sizeof(*losses); i++)
		nr += measure_part_count(part, losses[i]);
	return nr;
}
