/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histograms of what events cost, by location and kind. One of some thousand events reads the
 * clock once more when it is done; the time since its first read goes to a bucket here. Written
 * by the location's own thread, read by the keeper when that is gone. */
#ifndef MEASURE_FORMAT_SELF_TIMINGS_H
#define MEASURE_FORMAT_SELF_TIMINGS_H

#include <stdint.h>

enum measure_timing_kind {
#define SELF_TIMING(KIND, words) MEASURE_TIMING_##KIND,
#include "self_timings.def"
#undef SELF_TIMING
	MEASURE_TIMING_KINDS
};

/* Buckets are four for each doubling; the last one has all that is longer, too. */
#define MEASURE_TIMING_BUCKETS 64

/* That are timed at once, as one sample. */
#define MEASURE_REFERENCE_EVENTS 16

struct measure_timing_histogram {
	uint64_t events; /* of all samples: a transaction may write several records */
	uint64_t ticks;
	uint32_t buckets[MEASURE_TIMING_BUCKETS];
};

struct measure_timing_histograms {
	_Alignas(64) struct measure_timing_histogram kinds[MEASURE_TIMING_KINDS];
};

static inline uint32_t measure_timing_bucket(uint64_t ticks)
{
	uint32_t octave, bucket;

	if (ticks < 4)
		return (uint32_t)ticks;
	octave = 63 - (uint32_t)__builtin_clzll(ticks);
	bucket = 4 * (octave - 1) + (uint32_t)(ticks >> (octave - 2) & 3);
	return bucket < MEASURE_TIMING_BUCKETS ? bucket : MEASURE_TIMING_BUCKETS - 1;
}

/* The least that goes to a bucket. */
static inline uint64_t measure_timing_floor(uint32_t bucket)
{
	return bucket < 4 ? bucket : (uint64_t)(4 + bucket % 4) << (bucket / 4 - 1);
}

#endif
