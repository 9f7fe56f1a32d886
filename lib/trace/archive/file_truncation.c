/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks the last chunk of a file, and all others only where that one has no end mark. */
#include "config.h"

#include "file_truncation.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "format/event_chunk.h"
#include "trace.h"

/* No record takes fewer bytes. */
#define LEAST_BYTES_PER_RECORD 2

#define LONG_LENGTH 0xff /* the length follows in 8 bytes */

struct whole_file {
	int fd;
	uint64_t size, chunk_size;
	uint64_t room; /* for a chunk: the file may grow while we look */
	uint8_t *chunk;
};

/* The marker that ends a chunk, MEASURE_CHUNK_NO_MARKER: none does. Adds its whole records to *nr: all
 * have their length in them. */
static uint8_t walk_definitions(const uint8_t *data, size_t size, uint64_t *nr)
{
	for (size_t at = MEASURE_CHUNK_HEADER; at + 1 < size; ++*nr) {
		uint64_t length = data[at + 1];

		if (data[at] <= MEASURE_CHUNK_END_OF_FILE)
			return data[at];
		at += 2;
		if (length == LONG_LENGTH) {
			if (size - at < sizeof(length))
				break;
			memcpy(&length, data + at, sizeof(length));
			at += sizeof(length);
		}
		if (length > size - at)
			break;
		at += length;
	}
	return MEASURE_CHUNK_NO_MARKER;
}

static uint8_t walk_chunk(const struct whole_file *file, uint64_t offset, uint64_t *nr)
{
	struct measure_chunk_header header;
	size_t got;

	if (measure_file_read_at(file->fd, file->chunk, file->room, offset, &got) != MEASURE_OK ||
		measure_chunk_header_read(file->chunk, got, &header) != MEASURE_OK)
		return MEASURE_CHUNK_NO_MARKER;
	return walk_definitions(file->chunk, got, nr);
}

static uint64_t count_whole(const struct whole_file *file)
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
static bool is_foreign(const struct whole_file *file)
{
	struct measure_chunk_header header;
	size_t got;

	return measure_file_read_at(file->fd, file->chunk, MEASURE_CHUNK_HEADER, 0, &got) !=
		       MEASURE_OK ||
	       (got == MEASURE_CHUNK_HEADER &&
		       measure_chunk_header_read(file->chunk, got, &header) != MEASURE_OK);
}

static uint64_t nr_whole_of(struct whole_file *file)
{
	if (!file->size)
		return 0;
	file->room = file->size < file->chunk_size ? file->size : file->chunk_size;
	file->chunk = malloc(file->room < MEASURE_CHUNK_HEADER ? MEASURE_CHUNK_HEADER : file->room);
	if (!file->chunk || is_foreign(file))
		return file->size / LEAST_BYTES_PER_RECORD;
	return count_whole(file);
}

/* Takes the path. */
static uint64_t nr_whole(OTF2_Reader *reader, char *path)
{
	OTF2_Compression compression = OTF2_COMPRESSION_NONE;
	struct whole_file file = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
	uint64_t nr = UINT64_MAX, events;
	struct stat status;

	OTF2_Reader_GetCompression(reader, &compression);
	OTF2_Reader_GetChunkSize(reader, &events, &file.chunk_size);
	if (file.fd >= 0 && fstat(file.fd, &status) == 0 && compression == OTF2_COMPRESSION_NONE &&
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

uint64_t measure_trace_nr_intact_local(const struct measure_trace *trace, uint32_t location)
{
	return nr_whole(trace->reader, measure_trace_file(trace, location, ".def"));
}

uint64_t measure_trace_nr_intact_global(const struct measure_trace *trace)
{
	const int length = (int)(strlen(trace->anchor) - strlen(".otf2"));
	const size_t size = (size_t)length + sizeof(".def");
	char *path = measure_zeroed(size, 1);

	snprintf(path, size, "%.*s.def", length, trace->anchor);
	return nr_whole(trace->reader, path);
}
