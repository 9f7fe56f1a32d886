/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting event files; see event_files.h. */
#include "config.h"

#include "event_files.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "journal_file.h"
#include "base/file.h"
#include "format/run_layout.h"
#include "format/journal_records.h"

/* What the journal of the process tells of. */
struct told {
	size_t most; /* ids are given in turn: there is no more of them than records */
	size_t nr_locations;
};

static measure_status_t event_files_note_record(
	void *context, uint32_t kind, struct measure_decoder *payload)
{
	struct told *told = context;
	struct measure_def_location def;

	if (kind == MEASURE_RECORD_LOCATION &&
		measure_def_location_decode(payload, &def) == MEASURE_OK && def.id < told->most &&
		def.id >= told->nr_locations)
		told->nr_locations = (size_t)def.id + 1;
	return MEASURE_OK;
}

static measure_status_t read_journal(int part_fd, struct told *told)
{
	uint8_t *data;
	size_t size, end;
	measure_status_t status = measure_file_load(
		part_fd, MEASURE_JOURNAL_OF_PROCESS, MEASURE_JOURNAL_MOST, &data, &size);

	if (status != MEASURE_OK)
		return status == MEASURE_ERROR_NOT_FOUND ? MEASURE_OK : status;
	told->most = size / MEASURE_JOURNAL_FRAME;
	measure_journal_visit(data, size, event_files_note_record, told, &end);
	free(data);
	return MEASURE_OK;
}

static bool is_event_file(const char *name, size_t *index)
{
	char *end;

	*index = strtoul(name, &end, 10);
	return end != name && strcmp(end, MEASURE_EVENTS_SUFFIX) == 0;
}

struct listing {
	size_t most;
	size_t nr_files;
	size_t nr; /* one more than the greatest index below `most` */
};

static measure_status_t note_file(void *data, int part_fd, const char *name)
{
	struct listing *listing = data;
	size_t index;

	(void)part_fd;
	if (!is_event_file(name, &index))
		return MEASURE_OK;
	listing->nr_files++;
	if (index < listing->most && index >= listing->nr)
		listing->nr = index + 1;
	return MEASURE_OK;
}

/* The journal comes to its file before the events do. Where its end is lost, the locations that it
 * told of there are not much more than the files. */
measure_status_t measure_event_files_count(int part_fd, uint32_t *nr_locations)
{
	struct told told = {0};
	struct listing all = {.most = 0}, likely = {.most = 0};
	measure_status_t status = read_journal(part_fd, &told);

	if (status == MEASURE_OK)
		status = measure_file_visit(part_fd, note_file, &all);
	likely.most = told.nr_locations + all.nr_files;
	if (status == MEASURE_OK)
		status = measure_file_visit(part_fd, note_file, &likely);
	if (status == MEASURE_OK)
		*nr_locations = (uint32_t)likely.nr;
	return status;
}
