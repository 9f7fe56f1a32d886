/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding the size of event chunks; see chunk_size.h. */
#include "config.h"

#include "chunk_size.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "location_file.h"
#include "base/file.h"
#include "format/segment.h"
#include "format/event_chunk.h"

#define STEP UINT64_C(4096) /* sizes are multiples of it */

static bool read_header(int fd, uint64_t offset, struct measure_chunk_header *header)
{
	uint8_t start[MEASURE_CHUNK_HEADER];
	size_t got;

	return measure_file_read_at(fd, start, sizeof(start), offset, &got) == MEASURE_OK &&
	       measure_chunk_header_read(start, got, header) == MEASURE_OK;
}

/* Where the events go on behind those of the first chunk; 0: nowhere. */
static uint64_t find_second(int fd, uint64_t size)
{
	struct measure_chunk_header first, header;

	if (!read_header(fd, 0, &first))
		return 0;
	for (uint64_t at = MEASURE_CHUNK_LEAST; at < size && at <= MEASURE_CHUNK_MOST; at += STEP)
		if (read_header(fd, at, &header) && header.first_event == first.last_event + 1)
			return at;
	return 0;
}

/* The same in the file of a location, and how large that is. */
static uint64_t chunk_size_look(int part_fd, uint32_t location, uint64_t *size)
{
	uint64_t found = 0;
	struct stat stat;
	char name[32];

	*size = 0;
	measure_location_file_name(location, name);
	int fd = measure_file_open(part_fd, name, O_RDONLY);
	if (fd < 0)
		return 0;
	if (fstat(fd, &stat) == 0) {
		*size = (uint64_t)stat.st_size;
		found = find_second(fd, *size);
	}
	close(fd);
	return found;
}

uint32_t measure_chunk_size_find(int part_fd, uint32_t nr_locations)
{
	uint64_t most = MEASURE_CHUNK_LEAST;

	for (uint32_t i = 0; i < nr_locations; i++) {
		uint64_t size, found = chunk_size_look(part_fd, i, &size);
		if (found)
			return (uint32_t)found;
		if (size > most)
			most = size;
	}
	most = (most + STEP - 1) & ~(STEP - 1);
	return measure_chunk_size_is_valid(most) ? (uint32_t)most : 0;
}

static uint64_t largest_file(const struct measure_part *part)
{
	uint64_t most = 0;

	for (size_t i = 0; i < part->locations.nr; i++)
		if (part->locations.items[i].events.nr_bytes > most)
			most = part->locations.items[i].events.nr_bytes;
	return most;
}

static void adapt(struct measure_part *part, uint32_t chunk_size)
{
	const uint64_t most = largest_file(part);

	if (part->keeper.chunk_size == chunk_size)
		return;
	if (most > chunk_size || most > part->keeper.chunk_size)
		part->locations.nr = 0;
	part->keeper.chunk_size = chunk_size;
}

static void take_largest(const struct measure_part *parts, size_t nr, uint32_t *chunk_size)
{
	for (size_t i = 0; i < nr; i++)
		if (parts[i].locations.nr > 0 && parts[i].keeper.chunk_size > *chunk_size)
			*chunk_size = (uint32_t)parts[i].keeper.chunk_size;
}

void measure_chunk_size_adapt(struct measure_part *parts, size_t nr, uint32_t *chunk_size)
{
	if (*chunk_size == 0)
		take_largest(parts, nr, chunk_size);
	for (size_t i = 0; i < nr; i++)
		if (measure_part_has_lost_keeper(&parts[i]))
			adapt(&parts[i], *chunk_size);
}
