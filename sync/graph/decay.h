/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The controlled logical clock runs a little slower than the real one after it was put forward,
 * so that its shift decays: by (1 - gamma) of the time that passes. Whole ticks, rounded down, so
 * that shifts add up the same way in whatever order they are found. */
#ifndef MEASURE_SYNC_GRAPH_DECAY_H
#define MEASURE_SYNC_GRAPH_DECAY_H

#include <stdint.h>

__extension__ typedef __int128 measure_wide_t;

/* 1 - gamma. */
struct measure_sync_rate {
	int64_t numerator, denominator;
};

/* For not negative numerators. */
static inline int64_t measure_wide_ceil(measure_wide_t numerator, int64_t denominator)
{
	return (int64_t)((numerator + denominator - 1) / denominator);
}

/* What is left of a shift after so many ticks. */
static inline int64_t measure_sync_decayed(
	int64_t shift, int64_t ticks, const struct measure_sync_rate *rate)
{
	int64_t loss;

	if (shift == 0)
		return 0;
	loss = measure_wide_ceil((measure_wide_t)ticks * rate->numerator, rate->denominator);
	return loss < shift ? shift - loss : 0;
}

/* Ticks until nothing is left of it; INT64_MAX: never. */
static inline int64_t measure_sync_life(int64_t shift, const struct measure_sync_rate *rate)
{
	measure_wide_t life;

	if (rate->numerator == 0)
		return INT64_MAX;
	life = ((measure_wide_t)shift * rate->denominator + rate->numerator - 1) / rate->numerator;
	return life > INT64_MAX ? INT64_MAX : (int64_t)life;
}

#endif
