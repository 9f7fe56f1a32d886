/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Beginning, walking and sealing of OTF2's event chunks; see event_chunk.h. */
#include "config.h"

#include "event_chunk.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { CHUNK_HEADER = 3, FIRST_EVENT_TYPE = 10 };

#define LITTLE_ENDIAN_MARK 0x42
#define FIRST_EVENT_AT	   2
#define LAST_EVENT_AT	   10
#define LONG_LENGTH	   0xff /* the length follows in 8 bytes */
#define UNDEFINED_INTEGER  0xff /* all ones, no bytes follow */

struct event_chunk_cursor {
	const uint8_t *data;
	size_t size;
	size_t position;
};

size_t measure_chunk_begin(uint8_t *data, uint64_t first_event)
{
	data[1] = LITTLE_ENDIAN_MARK;
	memcpy(data + FIRST_EVENT_AT, &first_event, 8);
	memset(data + LAST_EVENT_AT, 0, 8);
	atomic_signal_fence(memory_order_release); /* killed in between, there is no header */
	data[0] = CHUNK_HEADER;
	return MEASURE_CHUNK_HEADER;
}

measure_status_t measure_chunk_header_read(const uint8_t *data, size_t size,
	struct measure_chunk_header *header)
{
	if (size < MEASURE_CHUNK_HEADER || data[0] != CHUNK_HEADER ||
		data[1] != LITTLE_ENDIAN_MARK)
		return MEASURE_ERROR_FORMAT;
	memcpy(&header->first_event, data + FIRST_EVENT_AT, 8);
	memcpy(&header->last_event, data + LAST_EVENT_AT, 8);
	return header->first_event == 0 ? MEASURE_ERROR_FORMAT : MEASURE_OK;
}

static size_t left(const struct event_chunk_cursor *cursor)
{
	return cursor->size - cursor->position;
}

static bool event_chunk_take(struct event_chunk_cursor *cursor, void *value, size_t size)
{
	if (left(cursor) < size)
		return false;
	memcpy(value, cursor->data + cursor->position, size);
	cursor->position += size;
	return true;
}

static bool skip(struct event_chunk_cursor *cursor, uint64_t size)
{
	if (left(cursor) < size)
		return false;
	cursor->position += size;
	return true;
}

static bool skip_with_length(struct event_chunk_cursor *cursor)
{
	uint8_t length;
	uint64_t long_length;

	if (!event_chunk_take(cursor, &length, 1))
		return false;
	if (length != LONG_LENGTH)
		return skip(cursor, length);
	return event_chunk_take(cursor, &long_length, 8) && skip(cursor, long_length);
}

/* A compressed integer: number of bytes, then the bytes. */
static bool take_integer(struct event_chunk_cursor *cursor, uint64_t *value)
{
	uint64_t wide = 0;
	uint8_t length;

	if (!event_chunk_take(cursor, &length, 1))
		return false;
	if (length == UNDEFINED_INTEGER) {
		*value = UINT64_MAX;
		return true;
	}
	if (length > 8 || !event_chunk_take(cursor, &wide, length))
		return false;
	*value = wide;
	return true;
}

const char *measure_chunk_type_name(uint32_t type)
{
	switch (type) {
#define EVENT(number, Name, ...)                                                                   \
	case number:                                                                               \
		return #Name;
#include "otf2_records.def"
#undef EVENT
	default:
		return NULL;
	}
}

static bool is_bare(uint8_t type)
{
	switch (type) {
#define EVENT(number, Name, NAME, name, shape, ...)                                                \
	case number:                                                                               \
		return MEASURE_OTF2_##shape == MEASURE_OTF2_BARE;
#include "otf2_records.def"
#undef EVENT
	default: /* of a newer OTF2 */
		return false;
	}
}

static bool is_io(uint8_t type)
{
	return type == MEASURE_OTF2_IO_OPERATION_BEGIN ||
	       type == MEASURE_OTF2_IO_OPERATION_COMPLETE ||
	       type == MEASURE_OTF2_IO_OPERATION_CANCELLED;
}

static bool has_payload(uint8_t type)
{
	return type == MEASURE_OTF2_THREAD_BEGIN || type == MEASURE_OTF2_THREAD_END ||
	       type == MEASURE_OTF2_CALLING_CONTEXT_SAMPLE || is_io(type);
}

static bool take_io(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	struct measure_chunk_io *io = &event->io;
	uint64_t handle, flags;

	memset(io, 0, sizeof(*io));
	if (!take_integer(cursor, &handle))
		return false;
	io->handle = (uint32_t)handle;
	if (event->type == MEASURE_OTF2_IO_OPERATION_BEGIN &&
		!(event_chunk_take(cursor, &io->mode, 1) && take_integer(cursor, &flags)))
		return false;
	if (event->type != MEASURE_OTF2_IO_OPERATION_CANCELLED && !take_integer(cursor, &io->bytes))
		return false;
	return take_integer(cursor, &io->operation);
}

static bool take_two(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	uint64_t first, second;

	if (!take_integer(cursor, &first) || !take_integer(cursor, &second))
		return false;
	if (event->type == MEASURE_OTF2_CALLING_CONTEXT_SAMPLE) {
		event->context = (uint32_t)first;
	} else {
		event->contingent = (uint32_t)first;
		event->sequence = second;
	}
	return true;
}

/* What a record with a length byte holds, where that has to be known. */
static bool take_payload(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	struct event_chunk_cursor inner = *cursor;
	uint8_t length;

	if (has_payload(event->type) &&
		!(event_chunk_take(&inner, &length, 1) &&
			(is_io(event->type) ? take_io(&inner, event) : take_two(&inner, event))))
		return false;
	return skip_with_length(cursor);
}

#define FAST_ROOM 16 /* bytes, more than an Enter with its time takes */

/* Nine of ten records: an Enter or a Leave, well before the end. False: none of these. */
static bool next_quick(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	static const uint32_t masks[] = {0, 0xff, 0xffff, 0xffffff, 0xffffffff};
	const uint8_t *place = cursor->data + cursor->position;
	uint32_t region;

	if (left(cursor) < FAST_ROOM)
		return false;
	if (*place == MEASURE_OTF2_TIMESTAMP) {
		memcpy(&event->time, place + 1, 8);
		place += 9;
	}
	if ((place[0] != MEASURE_OTF2_ENTER && place[0] != MEASURE_OTF2_LEAVE) || place[1] > 4)
		return false;
	memcpy(&region, place + 2, 4);
	event->type = place[0];
	event->region = region & masks[place[1]];
	cursor->position = (size_t)(place + 2 + place[1] - cursor->data);
	return true;
}

/* Next event. False: malformed, or an end marker (then type is one of the first three). */
static bool next_event(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	event->type = UINT8_MAX;
	if (left(cursor) && cursor->data[cursor->position] == MEASURE_OTF2_TIMESTAMP &&
		!(skip(cursor, 1) && event_chunk_take(cursor, &event->time, 8)))
		return false;

	do {
		if (!event_chunk_take(cursor, &event->type, 1))
			return false;
	} while (event->type == MEASURE_OTF2_ATTRIBUTES && skip_with_length(cursor));
	if (event->type < FIRST_EVENT_TYPE)
		return false;

	uint64_t region;
	event->region = UINT32_MAX;
	if (!is_bare(event->type))
		return take_payload(cursor, event);
	if (!take_integer(cursor, &region))
		return false;
	event->region = (uint32_t)region;
	return true;
}

static bool has_region(const struct measure_chunk_event *event)
{
	return event->type == MEASURE_OTF2_ENTER || event->type == MEASURE_OTF2_LEAVE;
}

/* The next event, whichever. */
static bool event_chunk_next(struct event_chunk_cursor *cursor, struct measure_chunk_event *event)
{
	if (!next_quick(cursor, event) && !next_event(cursor, event))
		return false;
	if (!has_region(event))
		event->region = UINT32_MAX;
	return true;
}

measure_status_t measure_chunk_walk(const uint8_t *data, size_t size, uint64_t until,
	measure_chunk_event_fn visit, void *context, struct measure_chunk_walk *walk)
{
	struct measure_chunk_header header;

	memset(walk, 0, sizeof(*walk));
	if (measure_chunk_header_read(data, size, &header) != MEASURE_OK)
		return MEASURE_ERROR_FORMAT;
	walk->first_event = header.first_event;
	walk->last_event = header.first_event - 1;
	walk->end = MEASURE_CHUNK_HEADER;
	return measure_chunk_walk_on(data, size, until, visit, context, walk);
}

measure_status_t measure_chunk_walk_on(const uint8_t *data, size_t size, uint64_t until,
	measure_chunk_event_fn visit, void *context, struct measure_chunk_walk *walk)
{
	struct event_chunk_cursor cursor = {data, size, walk->end};
	struct measure_chunk_event event = {.time = walk->last_time};

	walk->marker = MEASURE_CHUNK_NO_MARKER;
	while (walk->last_event < until) {
		if (!event_chunk_next(&cursor, &event)) {
			if (event.type > MEASURE_CHUNK_END_OF_FILE)
				return MEASURE_ERROR_FORMAT;
			walk->marker = event.type;
			return MEASURE_OK;
		}
		event.ordinal = ++walk->last_event;
		event.size = (uint32_t)(cursor.position - walk->end);
		if (event.ordinal == walk->first_event)
			walk->first_time = event.time;
		walk->last_time = event.time;
		walk->end = cursor.position;
		if (visit)
			visit(context, &event);
	}
	return MEASURE_OK;
}

void measure_chunk_walk_part(const uint8_t *begin, const uint8_t *end, uint64_t time,
	measure_chunk_event_fn visit, void *context)
{
	struct event_chunk_cursor cursor = {begin, (size_t)(end - begin), 0};
	struct measure_chunk_event event = {.time = time};

	while (event_chunk_next(&cursor, &event)) {
		event.ordinal++;
		visit(context, &event);
	}
}

size_t measure_chunk_seal(uint8_t *data, size_t size, size_t end, uint64_t last_event,
	bool is_last)
{
	memcpy(data + LAST_EVENT_AT, &last_event, 8);
	if (!is_last) {
		memset(data + end, MEASURE_CHUNK_END_OF_CHUNK, size - end);
		return size;
	}
	data[end] = MEASURE_CHUNK_END_OF_FILE;
	data[end + 1] = MEASURE_CHUNK_END_OF_BUFFER;
	return end + MEASURE_CHUNK_CLOSE;
}

void measure_chunk_renumber(uint8_t *data, uint64_t first_event, uint64_t last_event)
{
	memcpy(data + FIRST_EVENT_AT, &first_event, 8);
	memcpy(data + LAST_EVENT_AT, &last_event, 8);
}

bool measure_chunk_continues_file(int fd, uint64_t chunk_size, uint64_t sequence, uint64_t first_event)
{
	uint8_t start[MEASURE_CHUNK_HEADER];
	struct measure_chunk_header before;
	struct stat stat;
	size_t got;

	if (fstat(fd, &stat) != 0 || sequence > (uint64_t)stat.st_size / chunk_size)
		return false;
	if (sequence == 0)
		return first_event == 1;
	return measure_file_read_at(fd, start, sizeof(start), (sequence - 1) * chunk_size, &got) ==
		       MEASURE_OK &&
	       measure_chunk_header_read(start, got, &before) == MEASURE_OK &&
	       before.last_event + 1 == first_event;
}
