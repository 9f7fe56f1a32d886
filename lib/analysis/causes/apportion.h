/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shares out a whole number in proportion to weights, so that the shares add up to it exactly. */
#ifndef MEASURE_ANALYSIS_CAUSES_APPORTION_H
#define MEASURE_ANALYSIS_CAUSES_APPORTION_H

#include <stdint.h>

struct measure_apportion {
	unsigned __int128 whole, weights; /* the sum of all weights */
	unsigned __int128 before;         /* of those that have had their shares */
	uint64_t given;
};

static inline struct measure_apportion measure_apportion_start(
	uint64_t whole, unsigned __int128 weights)
{
	return (struct measure_apportion){.whole = whole, .weights = weights};
}

/* The share of the next weight. While weights are below 2^64, no product overflows. */
static inline uint64_t measure_apportion_next(struct measure_apportion *apportion, uint64_t weight)
{
	uint64_t given, share;

	if (apportion->weights == 0)
		return 0;
	apportion->before += weight;
	given = (uint64_t)(apportion->whole * apportion->before / apportion->weights);
	share = given - apportion->given;
	apportion->given = given;
	return share;
}

#endif
