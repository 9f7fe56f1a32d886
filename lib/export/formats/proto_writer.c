/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writing protocol buffers; see proto_writer.h. */
#include "config.h"

#include "proto_writer.h"

#include <string.h>

#include "base/printable.h"

enum proto_wire { PROTO_VARINT = 0, PROTO_FIXED64 = 1, PROTO_LENGTH = 2 };

#define MOST_VARINT 10 /* bytes */

static uint8_t *proto_make_room(struct proto_writer *writer, size_t size)
{
	while (writer->room_bytes - writer->nr_bytes < size)
		writer->bytes = measure_grow(
			writer->bytes, writer->room_bytes, &writer->room_bytes, sizeof(uint8_t));
	return writer->bytes + writer->nr_bytes;
}

static size_t put_varint(uint8_t *place, uint64_t value)
{
	size_t nr = 0;

	for (; value >= 0x80; value >>= 7)
		place[nr++] = (uint8_t)(value | 0x80);
	place[nr++] = (uint8_t)value;
	return nr;
}

static void write_varint(struct proto_writer *writer, uint64_t value)
{
	writer->nr_bytes += put_varint(proto_make_room(writer, MOST_VARINT), value);
}

static void write_tag(struct proto_writer *writer, uint32_t field, enum proto_wire wire)
{
	write_varint(writer, (uint64_t)field << 3 | wire);
}

static void write_bytes(struct proto_writer *writer, const void *bytes, size_t size)
{
	if (size > 0)
		memcpy(proto_make_room(writer, size), bytes, size);
	writer->nr_bytes += size;
}

void proto_write_uint(struct proto_writer *writer, uint32_t field, uint64_t value)
{
	write_tag(writer, field, PROTO_VARINT);
	write_varint(writer, value);
}

void proto_write_int(struct proto_writer *writer, uint32_t field, int64_t value)
{
	proto_write_uint(writer, field, (uint64_t)value);
}

void proto_write_fixed64(struct proto_writer *writer, uint32_t field, uint64_t value)
{
	write_tag(writer, field, PROTO_FIXED64);
	write_bytes(writer, &value, sizeof(value)); /* little endian, as this machine */
}

void proto_write_double(struct proto_writer *writer, uint32_t field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	proto_write_fixed64(writer, field, bits);
}

void proto_write_text(struct proto_writer *writer, uint32_t field, const char *text)
{
	static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
	const size_t begin = proto_begin(writer, field);

	while (*text) {
		const char *bad = text;
		size_t length;

		while (*bad && (length = measure_utf8_length(bad)) > 0)
			bad += length;
		write_bytes(writer, text, (size_t)(bad - text));
		if (!*bad)
			break;
		write_bytes(writer, replacement, strlen(replacement));
		text = bad + 1;
	}
	proto_end(writer, begin);
}

size_t proto_begin(struct proto_writer *writer, uint32_t field)
{
	write_tag(writer, field, PROTO_LENGTH);
	*proto_make_room(writer, 1) = 0;
	return ++writer->nr_bytes;
}

/* Room was left for a length of one byte, which most messages have. */
void proto_end(struct proto_writer *writer, size_t begin)
{
	const size_t size = writer->nr_bytes - begin;
	uint8_t length[MOST_VARINT];
	const size_t nr = put_varint(length, size);

	proto_make_room(writer, nr);
	if (nr > 1)
		memmove(writer->bytes + begin - 1 + nr, writer->bytes + begin, size);
	memcpy(writer->bytes + begin - 1, length, nr);
	writer->nr_bytes += nr - 1;
}
