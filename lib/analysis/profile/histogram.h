/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Histogram of durations in ticks, for percentiles that can be merged. It is log-linear: 64 buckets
 * per octave, values below 128 exactly, others with a relative error of at most 1/128. Merging adds
 * counts, so the result does not depend on the order.
 *
 *	value < 64:	bucket = value
 *	others:		e = floor(log2 value) - 6, bucket = 64 + 64 e + ((value >> e) - 64) */
#ifndef MEASURE_ANALYSIS_PROFILE_HISTOGRAM_H
#define MEASURE_ANALYSIS_PROFILE_HISTOGRAM_H

#include <stdint.h>

#include "base/likely.h"

#define MEASURE_HISTOGRAM_BUCKETS   3776 /* for 64 bits */
#define MEASURE_HISTOGRAM_PAGE_SIZE 16   /* buckets */
#define MEASURE_HISTOGRAM_PAGES     (MEASURE_HISTOGRAM_BUCKETS / MEASURE_HISTOGRAM_PAGE_SIZE)

typedef uint64_t measure_histogram_page_t[MEASURE_HISTOGRAM_PAGE_SIZE];

/* Only pages with a count in them are allocated. All zero is an empty histogram. */
struct measure_histogram {
	uint8_t pages[MEASURE_HISTOGRAM_PAGES]; /* 1 + index into counts; 0: empty */
	uint8_t nr_pages, room;
	measure_histogram_page_t *counts;
};

static inline uint32_t measure_histogram_bucket(uint64_t value)
{
	uint32_t e;

	if (value < 64)
		return (uint32_t)value;
	e = 57 - (uint32_t)__builtin_clzll(value);
	return 64 * e + (uint32_t)(value >> e);
}

/* The middle of the values that fall into a bucket. */
uint64_t measure_histogram_representative(uint32_t bucket);

/* Allocates the page; its place in histogram->pages is returned. */
uint32_t measure_histogram_add_page(struct measure_histogram *histogram, uint32_t page);

static inline uint64_t *measure_histogram_count(
	struct measure_histogram *histogram, uint32_t bucket)
{
	uint32_t page = histogram->pages[bucket / MEASURE_HISTOGRAM_PAGE_SIZE];

	if (unlikely(page == 0))
		page = measure_histogram_add_page(histogram, bucket / MEASURE_HISTOGRAM_PAGE_SIZE);
	return &histogram->counts[page - 1][bucket % MEASURE_HISTOGRAM_PAGE_SIZE];
}

static inline void measure_histogram_add(struct measure_histogram *histogram, uint64_t value)
{
	++*measure_histogram_count(histogram, measure_histogram_bucket(value));
}

void measure_histogram_free(struct measure_histogram *histogram);

/* `sum` may be NULL where `histogram` is; nothing is added then. */
void measure_histogram_merge(
	struct measure_histogram *sum, const struct measure_histogram *histogram);

/* Number of values. */
uint64_t measure_histogram_total(const struct measure_histogram *histogram);

/* The value of rank ceil(share x total), at least the first one; 0 where there are no values. The
 * caller clamps it to the least and the greatest value, which it knows. */
uint64_t measure_histogram_quantile(const struct measure_histogram *histogram, double share);

#endif
