/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hashes (FNV-1a, 64 bits: for checksums, names and tables; not against malice), and pseudo-random
 * numbers. */
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

/* splitmix64: numbers that depend on nothing but a seed, for made-up clocks and tests. The seed is the first `*state`. */
static inline uint64_t measure_random(uint64_t *state)
{
	uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

#endif
