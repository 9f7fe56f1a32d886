/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the events of a file by its bytes, all of them: the OTF2 library reads on behind the end
 * of a file that was cut. Written from the format alone, without a look at
 * lib/format/event_chunk.c. */
#include "config.h"

#include "dump.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEXT_CHUNK = 0, END = 2, TIME = 5, ATTRIBUTES = 6, HEADER_BYTES = 18, TIME_BYTES = 9 };
enum { BIG_ENDIAN_MARK = 0x23, FIRST_EVENT = 10 };

static uint8_t *load(const char *anchor, uint64_t location, size_t *size)
{
	char path[4096];
	uint8_t *bytes = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "%.*s/%" PRIu64 ".evt",
		(int)(strlen(anchor) - strlen(".otf2")), anchor, location);
	file = fopen(path, "rb");
	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0) {
		*size = (size_t)ftell(file);
		rewind(file);
		bytes = malloc(*size + 1);
		if (bytes && fread(bytes, 1, *size, file) != *size)
			*size = 0;
	}
	fclose(file);
	return bytes;
}

/* Records of one integer have its size only: Enter, Leave, four of requests, OmpFork, three of
 * OpenMP tasks. */
static bool is_integer(uint8_t type)
{
	return type == 12 || type == 13 || (type >= 16 && type <= 17) ||
	       (type >= 20 && type <= 21) || type == 24 || (type >= 28 && type <= 30);
}

/* Of a record at `bytes`, of which so many are there; 0: not even that is known. */
static uint64_t bytes_of_record(const uint8_t *bytes, uint64_t nr, bool is_big)
{
	uint64_t length;

	if (nr < 2)
		return 0;
	if (bytes[1] != UINT8_MAX)
		return 2 + (uint64_t)bytes[1];
	if (is_integer(bytes[0]))
		return 2;
	if (nr < 10)
		return 0;
	memcpy(&length, bytes + 2, sizeof(length));
	return 10 + (is_big ? __builtin_bswap64(length) : length);
}

/* Below those of events are the numbers that OTF2 keeps for itself; it takes them for later events. */
static bool is_nothing(uint8_t type)
{
	return type < FIRST_EVENT && type != TIME && type != ATTRIBUTES;
}

static uint64_t count(const uint8_t *bytes, size_t size, uint64_t chunk_size)
{
	uint64_t nr = 0, at = HEADER_BYTES, length;
	bool has_time = false; /* one is enough */

	while (at < size) {
		if (bytes[at] == END)
			return UINT64_MAX;
		if (bytes[at] == NEXT_CHUNK) {
			at = (at / chunk_size + 1) * chunk_size + HEADER_BYTES;
			has_time = false;
			continue;
		}
		if (is_nothing(bytes[at]) || (has_time && bytes[at] == TIME))
			break;
		has_time = bytes[at] == TIME;
		length = bytes[at] == TIME ? TIME_BYTES : bytes_of_record(bytes + at, size - at,
			bytes[at / chunk_size * chunk_size + 1] == BIG_ENDIAN_MARK);
		if (!length || length > size - at)
			break;
		nr += bytes[at] != TIME && bytes[at] != ATTRIBUTES;
		at += length;
	}
	return nr;
}

uint64_t dump_nr_whole(const char *anchor, uint64_t location, uint64_t chunk_size)
{
	size_t size = 0;
	uint8_t *bytes = load(anchor, location, &size);
	uint64_t nr = bytes && chunk_size ? count(bytes, size, chunk_size) : 0;

	free(bytes);
	return nr;
}
