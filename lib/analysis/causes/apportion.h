/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Divides a whole number in proportion to weights; the shares add up to it exactly. */
#ifndef MEASURE_ANALYSIS_CAUSES_APPORTION_H
#define MEASURE_ANALYSIS_CAUSES_APPORTION_H

#include <stdint.h>

struct measure_apportion {
	unsigned __int128 whole, weights; /* the sum of all weights */
	unsigned __int128 before;         /* of those that have had their shares */
	uint64_t given;
};

/* While the weights add up to less than 2^64, no product overflows. */
struct measure_apportion measure_apportion_start(uint64_t whole, unsigned __int128 weights);

/* The share of the next weight. Where all weights are 0, nothing is given. */
uint64_t measure_apportion_next(struct measure_apportion *apportion, uint64_t weight);

#endif
