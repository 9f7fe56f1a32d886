/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers to bytes to deflated bytes to base64; see page_block.h. */
#include "config.h"

#include "page_block.h"

#include <string.h>

#define DEFLATED 49152 /* bytes at a time */
#define LEVEL    6     /* of zlib: 9 takes four times as long for two per cent */

/* -------------------------------------------------------------------------- base64 --- */

static size_t encode_three(const uint8_t bytes[3], char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];

	for (unsigned i = 0; i < 4; i++)
		text[i] = digits[bits >> (18 - 6 * i) & 63];
	return 4;
}

static void block_write(struct measure_page_block *block, const char *text, size_t size)
{
	block->has_failed |= fwrite(text, 1, size, block->file) != size;
	block->size += size;
}

static void block_encode(struct measure_page_block *block, const uint8_t *bytes, size_t size)
{
	char text[DEFLATED / 3 * 4 + 8];
	size_t length = 0, next = 0;

	while (block->nr_rest + (size - next) >= 3) {
		uint8_t three[3];

		for (size_t i = 0; i < 3; i++)
			three[i] = i < block->nr_rest ? block->rest[i] : bytes[next++];
		block->nr_rest = 0;
		length += encode_three(three, text + length);
	}
	while (next < size)
		block->rest[block->nr_rest++] = bytes[next++];
	block_write(block, text, length);
}

static void block_pad(struct measure_page_block *block)
{
	uint8_t three[3] = {0};
	char text[4];

	if (block->nr_rest == 0)
		return;
	memcpy(three, block->rest, block->nr_rest);
	encode_three(three, text);
	memset(text + block->nr_rest + 1, '=', 3 - block->nr_rest);
	block_write(block, text, sizeof(text));
}

/* --------------------------------------------------------------------------- zlib --- */

static void block_deflate(struct measure_page_block *block, int flush)
{
	uint8_t deflated[DEFLATED];
	int result;

	block->stream.next_in = block->raw;
	block->stream.avail_in = (uInt)block->nr_raw;
	do {
		block->stream.next_out = deflated;
		block->stream.avail_out = sizeof(deflated);
		result = deflate(&block->stream, flush);
		block_encode(block, deflated, sizeof(deflated) - block->stream.avail_out);
	} while (!block->has_failed && block->stream.avail_out == 0);
	block->has_failed |= result == Z_STREAM_ERROR;
	block->nr_raw = 0;
}

void measure_page_block_start(struct measure_page_block *block, FILE *file)
{
	block->file = file;
	block->size = 0;
	block->nr_raw = 0;
	block->nr_rest = 0;
	memset(&block->stream, 0, sizeof(block->stream));
	block->has_failed = deflateInit(&block->stream, LEVEL) != Z_OK;
}

bool measure_page_block_end(struct measure_page_block *block)
{
	if (!block->has_failed)
		block_deflate(block, Z_FINISH);
	block_pad(block);
	deflateEnd(&block->stream);
	return !block->has_failed;
}

/* ------------------------------------------------------------------------- numbers --- */

void measure_page_block_bytes(struct measure_page_block *block, const void *bytes, size_t size)
{
	const uint8_t *next = bytes;

	while (size > 0 && !block->has_failed) {
		const size_t room = sizeof(block->raw) - block->nr_raw;
		const size_t part = size < room ? size : room;

		memcpy(block->raw + block->nr_raw, next, part);
		block->nr_raw += part;
		next += part;
		size -= part;
		if (block->nr_raw == sizeof(block->raw))
			block_deflate(block, Z_NO_FLUSH);
	}
}

void measure_page_block_number(struct measure_page_block *block, uint64_t number)
{
	uint8_t bytes[10];
	size_t nr = 0;

	for (; number >= 0x80; number >>= 7)
		bytes[nr++] = (uint8_t)(number | 0x80);
	bytes[nr++] = (uint8_t)number;
	measure_page_block_bytes(block, bytes, nr);
}

void measure_page_block_signed(struct measure_page_block *block, int64_t number)
{
	measure_page_block_number(block, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

void measure_page_block_real(struct measure_page_block *block, double number)
{
	uint8_t bytes[sizeof(number)];

	memcpy(bytes, &number, sizeof(bytes)); /* Measure runs on little-endian processors */
	measure_page_block_bytes(block, bytes, sizeof(bytes));
}
