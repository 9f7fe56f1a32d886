/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks the last chunk of an event file, and all others only where that one has no end mark. */
#include "config.h"

#include "whole.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "otf2/chunk.h"
#include "trace.h"

/* No record takes fewer bytes. */
#define LEAST_BYTES_PER_EVENT 2

struct event_file {
	int fd;
	uint64_t size, chunk_size;
	uint8_t *chunk;
};

/* The marker that ends it, MEASURE_CHUNK_NO_MARKER: none does. Adds its whole events to *nr. */
static uint8_t walk_chunk(const struct event_file *file, uint64_t offset, uint64_t *nr)
{
	struct measure_chunk_header header;
	struct measure_chunk_walk walk;
	size_t got;

	if (measure_file_read_at(file->fd, file->chunk, file->chunk_size, offset, &got) !=
			MEASURE_OK ||
		measure_chunk_header_read(file->chunk, got, &header) != MEASURE_OK)
		return MEASURE_CHUNK_NO_MARKER;
	measure_chunk_walk(file->chunk, got, UINT64_MAX, NULL, NULL, &walk);
	*nr += walk.last_event + 1 - header.first_event;
	return walk.marker;
}

static uint64_t count_whole(const struct event_file *file)
{
	const uint64_t last = (file->size - 1) / file->chunk_size * file->chunk_size;
	uint64_t nr = 0;

	if (walk_chunk(file, last, &nr) == MEASURE_CHUNK_END_OF_FILE)
		return UINT64_MAX;
	nr = 0;
	for (uint64_t offset = 0; offset <= last; offset += file->chunk_size)
		if (walk_chunk(file, offset, &nr) != MEASURE_CHUNK_END_OF_CHUNK)
			break;
	return nr;
}

/* Of the other byte order, or no chunk at all: the library knows, but it must come to an end. */
static bool is_foreign(const struct event_file *file)
{
	struct measure_chunk_header header;
	size_t got;

	return measure_file_read_at(file->fd, file->chunk, MEASURE_CHUNK_HEADER, 0, &got) !=
		       MEASURE_OK ||
	       (got == MEASURE_CHUNK_HEADER &&
		       measure_chunk_header_read(file->chunk, got, &header) != MEASURE_OK);
}

static uint64_t nr_whole_of(struct event_file *file)
{
	const uint64_t room = file->size < file->chunk_size ? file->size : file->chunk_size;

	if (!file->size)
		return 0;
	file->chunk = malloc(room < MEASURE_CHUNK_HEADER ? MEASURE_CHUNK_HEADER : room);
	if (!file->chunk || is_foreign(file))
		return file->size / LEAST_BYTES_PER_EVENT;
	return count_whole(file);
}

uint64_t measure_trace_nr_whole(const struct measure_trace *trace, uint32_t location)
{
	OTF2_Compression compression = OTF2_COMPRESSION_NONE;
	char *path = measure_trace_file(trace, location, ".evt");
	struct event_file file = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
	uint64_t nr = UINT64_MAX, definitions;
	struct stat status;

	OTF2_Reader_GetCompression(trace->reader, &compression);
	if (file.fd >= 0 && fstat(file.fd, &status) == 0 && compression == OTF2_COMPRESSION_NONE &&
		OTF2_Reader_GetChunkSize(trace->reader, &file.chunk_size, &definitions) ==
			OTF2_SUCCESS &&
		file.chunk_size) {
		file.size = (uint64_t)status.st_size;
		nr = nr_whole_of(&file);
	}
	measure_free(file.chunk);
	if (file.fd >= 0)
		close(file.fd);
	measure_free(path);
	return nr;
}
