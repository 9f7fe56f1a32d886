/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: percentiles of durations are exact for small values and as near as promised for
 * others, whichever way histograms are merged. */
#include "config.h"

#include <stdlib.h>

#include "../t_suite.h"
#include "analysis/profile/histogram.h"

static void add_all(struct measure_histogram *histogram, const uint64_t *values, size_t nr)
{
	*histogram = (struct measure_histogram){.nr_pages = 0};
	for (size_t i = 0; i < nr; i++)
		measure_histogram_add(histogram, values[i]);
}

/* Case P1; the clamping is its user's. */
static void t_example(void)
{
	static const uint64_t values[] = {1, 2, 3, 100, 1000, 1000, 5000, 1000000};
	struct measure_histogram histogram;

	CU_ASSERT_EQUAL(measure_histogram_bucket(100), 100);
	CU_ASSERT_EQUAL(measure_histogram_bucket(1000), 317);
	CU_ASSERT_EQUAL(measure_histogram_bucket(5000), 462);
	CU_ASSERT_EQUAL(measure_histogram_bucket(1000000), 954);
	CU_ASSERT_EQUAL(measure_histogram_representative(317), 1004);
	CU_ASSERT_EQUAL(measure_histogram_representative(462), 5024);
	CU_ASSERT_EQUAL(measure_histogram_representative(954), 1003520);
	add_all(&histogram, values, 8);
	CU_ASSERT_EQUAL(measure_histogram_total(&histogram), 8);
	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 0), 1);
	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 0.25), 2);
	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 0.5), 100);
	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 0.9), 1003520);
	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 1), 1003520);
	measure_histogram_free(&histogram);
}

/* Buckets follow each other without a gap, and their values are near. */
static void t_error(void)
{
	uint32_t last = 0;

	for (uint64_t v = 0; v < 200000; v++) {
		const uint32_t bucket = measure_histogram_bucket(v);
		const uint64_t near = measure_histogram_representative(bucket);

		CU_ASSERT(bucket == last || bucket == last + 1);
		CU_ASSERT(v < 128 ? near == v : llabs((long long)(near - v)) <= (long long)v / 128);
		last = bucket;
	}
	for (int bit = 7; bit < 64; bit++) {
		for (uint64_t i = 0; i < 3; i++) {
			const uint64_t v = ((uint64_t)1 << bit) - 1 + i;
			const uint64_t near =
				measure_histogram_representative(measure_histogram_bucket(v));

			CU_ASSERT((near > v ? near - v : v - near) <= v / 128 + (v < 128));
		}
	}
	CU_ASSERT_EQUAL(measure_histogram_bucket(UINT64_MAX), MEASURE_HISTOGRAM_BUCKETS - 1);
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

#define NR_VALUES 5000

/* Of all magnitudes; two parts, merged both ways, are the whole. */
static void t_merge(void)
{
	static uint64_t values[NR_VALUES];
	struct measure_histogram whole, first, second, empty = {.nr_pages = 0};
	uint64_t state = 12345;

	for (int i = 0; i < NR_VALUES; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		values[i] = state >> (state >> 58);
	}
	add_all(&whole, values, NR_VALUES);
	add_all(&first, values, 1700);
	add_all(&second, values + 1700, NR_VALUES - 1700);
	measure_histogram_merge(&first, &second);
	measure_histogram_merge(&empty, &first);
	measure_histogram_merge(&empty, NULL);
	qsort(values, NR_VALUES, sizeof(*values), compare);
	CU_ASSERT_EQUAL(measure_histogram_total(&empty), NR_VALUES);
	for (int percent = 0; percent <= 100; percent++) {
		const double share = percent / 100.;
		const int rank = percent == 0 ? 1 : (percent * NR_VALUES + 99) / 100;
		const uint64_t expected = measure_histogram_representative(
			measure_histogram_bucket(values[rank - 1]));

		CU_ASSERT_EQUAL(measure_histogram_quantile(&whole, share), expected);
		CU_ASSERT_EQUAL(measure_histogram_quantile(&first, share), expected);
		CU_ASSERT_EQUAL(measure_histogram_quantile(&empty, share), expected);
	}
	measure_histogram_free(&whole);
	measure_histogram_free(&first);
	measure_histogram_free(&second);
	measure_histogram_free(&empty);
}

static void t_all_buckets(void)
{
	struct measure_histogram histogram = {.nr_pages = 0};

	for (uint32_t bucket = MEASURE_HISTOGRAM_BUCKETS; bucket-- > 0;)
		measure_histogram_add(&histogram, measure_histogram_representative(bucket));
	CU_ASSERT_EQUAL(measure_histogram_total(&histogram), MEASURE_HISTOGRAM_BUCKETS);
	for (uint32_t bucket = 0; bucket < MEASURE_HISTOGRAM_BUCKETS; bucket++)
		CU_ASSERT_EQUAL(*measure_histogram_count(&histogram, bucket), 1);
	measure_histogram_free(&histogram);
}

static void t_nothing(void)
{
	struct measure_histogram histogram = {.nr_pages = 0};

	CU_ASSERT_EQUAL(measure_histogram_quantile(&histogram, 0.5), 0);
	CU_ASSERT_EQUAL(measure_histogram_total(NULL), 0);
	measure_histogram_free(&histogram);
	measure_histogram_free(NULL);
}

int main(void)
{
	static CU_TestInfo tests[] = {
		{"example", t_example},
		{"error", t_error},
		{"merge", t_merge},
		{"all buckets", t_all_buckets},
		{"nothing", t_nothing},
		CU_TEST_INFO_NULL,
	};

	return t_suite("histogram", NULL, NULL, tests);
}
