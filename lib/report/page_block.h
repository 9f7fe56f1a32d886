/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of the page: numbers as bytes, deflated by zlib, written in base64 while they come. */
#ifndef MEASURE_REPORT_PAGE_BLOCK_H
#define MEASURE_REPORT_PAGE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

#define MEASURE_PAGE_RAW 65536 /* bytes that are deflated at a time */

struct measure_page_block {
	FILE *file;
	z_stream stream;
	bool has_failed;
	uint64_t size; /* characters so far */
	size_t nr_raw;
	uint8_t raw[MEASURE_PAGE_RAW];
	size_t nr_rest; /* deflated bytes that are not written yet: less than 3 */
	uint8_t rest[3];
};

void measure_page_block_start(struct measure_page_block *block, FILE *file);

/* False: it could not be written, or there was no memory. */
bool measure_page_block_end(struct measure_page_block *block);

void measure_page_block_bytes(struct measure_page_block *block, const void *bytes, size_t size);

/* LEB128: seven bits a byte, the lowest first. */
void measure_page_block_number(struct measure_page_block *block, uint64_t number);

/* Zigzag: 0, -1, 1, -2, ... */
void measure_page_block_signed(struct measure_page_block *block, int64_t number);

/* IEEE double, eight bytes, the lowest first. */
void measure_page_block_real(struct measure_page_block *block, double number);

/* Characters that are certain so far; the rest of zlib's window is to come. */
static inline uint64_t measure_page_block_size(const struct measure_page_block *block)
{
	return block->size;
}

#endif
