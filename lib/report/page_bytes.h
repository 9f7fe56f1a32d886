/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers in memory, as a block has them: what stands in a block after its length. */
#ifndef MEASURE_REPORT_PAGE_BYTES_H
#define MEASURE_REPORT_PAGE_BYTES_H

#include "page_block.h"
#include "trace/common/containers.h"

/* All zero is an empty one. */
struct measure_page_bytes {
	MEASURE_GROWING(uint8_t, bytes);
};

static inline void measure_page_bytes_number(struct measure_page_bytes *bytes, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		*measure_append(bytes, bytes) = (uint8_t)(number | 0x80);
	*measure_append(bytes, bytes) = (uint8_t)number;
}

static inline void measure_page_bytes_append(
	struct measure_page_bytes *bytes, const struct measure_page_bytes *more)
{
	for (size_t i = 0; i < more->nr_bytes; i++)
		*measure_append(bytes, bytes) = more->bytes[i];
}

/* Their length, then they. */
static inline void measure_page_bytes_write(
	const struct measure_page_bytes *bytes, struct measure_page_block *block)
{
	measure_page_block_number(block, bytes->nr_bytes);
	measure_page_block_bytes(block, bytes->bytes, bytes->nr_bytes);
}

static inline void measure_page_bytes_free(struct measure_page_bytes *bytes)
{
	measure_free(bytes->bytes);
	*bytes = (struct measure_page_bytes){.nr_bytes = 0};
}

#endif
