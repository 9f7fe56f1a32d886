/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at a part's event files; see part.h. */
#include "config.h"

#include "part.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/profile/profile_file.h"
#include "assemble/close/part_close.h"
#include "sample_file.h"
#include "base/file.h"
#include "format/run_layout.h"

/* Of an event file that is damaged, what lies before the damage is kept. */
static measure_status_t summarise(struct measure_part *part, uint32_t index, int fd,
	uint32_t chunk_size, uint8_t *chunk)
{
	struct measure_location_summary *events = &part->locations.items[index].events;
	measure_status_t status = measure_location_file_summarise(fd, chunk_size, chunk, events);

	if (status != MEASURE_ERROR_FORMAT)
		return status;
	part->is_damaged = true;
	status = measure_location_mend(
		part->fd, index, chunk_size, part->has_end ? &part->end : NULL);
	return status == MEASURE_OK
		       ? measure_location_file_summarise(fd, chunk_size, chunk, events)
		       : status;
}

/* What its profile tells of. */
static void count_folded(struct measure_part *part, uint32_t index)
{
	struct measure_location_summary *events = &part->locations.items[index].events;
	struct measure_profile_note note;
	char name[32];

	if (part->keeper.kept == MEASURE_KEPT_ALL)
		return;
	snprintf(name, sizeof(name), MEASURE_PROFILE_FORMAT, index);
	note = measure_profile_file_note(part->fd, name);
	events->nr_recorded = note.nr_events;
	if (note.last > events->last_time)
		events->last_time = note.last;
}

/* Event files may exist for locations that no journal record tells of, not the other way
 * round: finishing makes one for each location. */
static measure_status_t read_event_files(struct measure_part *part)
{
	uint32_t chunk_size = (uint32_t)part->keeper.chunk_size;
	uint8_t *chunk = malloc(chunk_size);
	measure_status_t status = chunk ? MEASURE_OK : MEASURE_ERROR_MEMORY;

	for (uint32_t i = 0; status == MEASURE_OK; i++) {
		char name[32];

		measure_location_file_name(i, name);
		int fd = measure_file_open(part->fd, name, O_RDONLY);
		if (fd < 0) {
			part->locations.nr = part->locations.nr < i ? part->locations.nr : i;
			break;
		}
		if (i >= part->locations.nr)
			status = measure_part_add_location(part, i);
		if (status == MEASURE_OK)
			status = summarise(part, i, fd, chunk_size, chunk);
		if (status == MEASURE_OK)
			count_folded(part, i);
		close(fd);
	}
	free(chunk);
	return status;
}

/* One that is damaged, or of which nobody knows what the values are, is none. */
static measure_status_t read_sampled(struct measure_part *part, uint32_t series, uint8_t *chunk)
{
	struct measure_part_sampled *sampled = &part->sampled[series];
	int fd = measure_file_open(part->fd, measure_sample_file_name(series), O_RDONLY);

	if (fd < 0)
		return MEASURE_OK;
	measure_status_t status = measure_location_file_summarise(
		fd, (uint32_t)part->keeper.chunk_size, chunk, &sampled->events);
	close(fd);
	if (status == MEASURE_OK && sampled->metrics.nr > 0)
		return MEASURE_OK;
	sampled->events.nr_events = 0;
	part->is_damaged = true;
	return status == MEASURE_ERROR_FORMAT ? MEASURE_OK : status;
}

struct sampled_listing {
	bool has[MEASURE_SERIES];
	bool has_any;
};

static measure_status_t note_sample_file(void *data, int part_fd, const char *name)
{
	struct sampled_listing *listing = data;

	(void)part_fd;
	for (uint32_t i = 0; i < MEASURE_SERIES; i++) {
		const char *of_series = measure_sample_file_name(i);

		if (!of_series || strcmp(name, of_series) != 0)
			continue;
		listing->has[i] = true;
		listing->has_any = true;
	}
	return MEASURE_OK;
}

/* Few parts have any: one listing is less work for a file system than to ask for each. */
static measure_status_t read_all_sampled(struct measure_part *part)
{
	struct sampled_listing listing = {.has_any = false};
	measure_status_t status = measure_file_visit(part->fd, note_sample_file, &listing);
	uint8_t *chunk;

	if (status != MEASURE_OK || !listing.has_any)
		return status;
	chunk = malloc(part->keeper.chunk_size);
	status = chunk ? MEASURE_OK : MEASURE_ERROR_MEMORY;
	for (uint32_t i = 0; i < MEASURE_SERIES && status == MEASURE_OK; i++)
		if (listing.has[i])
			status = read_sampled(part, i, chunk);
	free(chunk);
	return status;
}

measure_status_t measure_part_read_events(struct measure_part *part)
{
	measure_status_t status = read_event_files(part);

	return status == MEASURE_OK ? read_all_sampled(part) : status;
}
