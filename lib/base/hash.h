/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FNV-1a, 64 bits: for checksums, names and tables; not against malice. */
#ifndef MEASURE_BASE_HASH_H
#define MEASURE_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define MEASURE_HASH_START UINT64_C(0xcbf29ce484222325)

/* Goes on from `hash`; the first one is MEASURE_HASH_START. */
static inline uint64_t measure_hash(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
