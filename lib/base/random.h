/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers that depend on nothing but a seed (splitmix64): for made-up clocks and for tests. */
#ifndef MEASURE_BASE_RANDOM_H
#define MEASURE_BASE_RANDOM_H

#include <stdint.h>

/* The seed is the first `*state`. */
static inline uint64_t measure_random(uint64_t *state)
{
	uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);

	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

#endif
