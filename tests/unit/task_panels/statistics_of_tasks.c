/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: slices of step functions, quantiles and regressions of durations against worked
 * examples and what R says */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "../t_suite.h"
#include "analysis/task_statistics/duration_statistics.h"
#include "analysis/task_statistics/regression.h"
#include "analysis/task_statistics/slices.h"

#define SIZE(array) (sizeof(array) / sizeof(*(array)))

/* Slices of [10, 45) are 10, 10, 10 and 5 ticks long. */
static void test_slices(void)
{
	const struct measure_slices slices = measure_slices_of(10, 45, 10);
	struct measure_step_function function;
	double means[4];

	CU_ASSERT_EQUAL_FATAL(slices.nr, 4);
	CU_ASSERT_EQUAL(measure_slice_length(&slices, 0), 10);
	CU_ASSERT_EQUAL(measure_slice_length(&slices, 3), 5);
	measure_step_function_start(&function, &slices);
	measure_step_function_add(&function, 0, 5, 100);   /* before the window */
	measure_step_function_add(&function, 45, 50, 100); /* after it */
	measure_step_function_add(&function, 5, 15, 2);    /* half of the first slice */
	measure_step_function_add(&function, 12, 12, 9);   /* nothing */
	measure_step_function_add(&function, 18, 42, 1);   /* parts of all */
	measure_step_function_add(&function, 43, 100, 4);
	measure_step_function_means(&function, means);
	CU_ASSERT_DOUBLE_EQUAL(means[0], (5 * 2 + 2) / 10.0, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(means[1], 1, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(means[2], 1, 1e-15);
	CU_ASSERT_DOUBLE_EQUAL(means[3], (2 + 2 * 4) / 5.0, 1e-15);
	measure_step_function_free(&function);
	CU_ASSERT_EQUAL(measure_slices_of(7, 7, 3).nr, 0);
	CU_ASSERT_EQUAL(measure_slices_of(0, 10, 10).nr, 1);
	CU_ASSERT_EQUAL(measure_slices_of(0, 11, 10).nr, 2);
}

/* Random intervals, integrated tick by tick. */
static void test_slices_at_random(void)
{
	enum { LENGTH = 97, ROUNDS = 300 };

	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		const uint64_t from = (uint64_t)(rand() % 30);
		const struct measure_slices slices = measure_slices_of(
			from, from + 1 + (uint64_t)(rand() % 60), 1 + (uint64_t)(rand() % 20));
		double *means = calloc(slices.nr, sizeof(*means));
		double at[LENGTH] = {0};
		struct measure_step_function function;

		measure_step_function_start(&function, &slices);
		for (int i = 0; i < 10; i++) {
			const uint64_t start = (uint64_t)(rand() % LENGTH);
			const uint64_t end = start + (uint64_t)rand() % (LENGTH - start + 1);
			const double height = (double)rand() / RAND_MAX;

			measure_step_function_add(&function, start, end, height);
			for (uint64_t t = start; t < end && t < LENGTH; t++)
				at[t] += height;
		}
		measure_step_function_means(&function, means);
		for (size_t i = 0; i < slices.nr; i++) {
			double sum = 0;
			const uint64_t begin = from + i * slices.step;

			for (uint64_t t = 0; t < measure_slice_length(&slices, i); t++)
				sum += begin + t < LENGTH ? at[begin + t] : 0;
			CU_ASSERT_DOUBLE_EQUAL(
				means[i], sum / (double)measure_slice_length(&slices, i), 1e-12);
		}
		measure_step_function_free(&function);
		free(means);
	}
}

/* quantile(c(7, 1, 15, 3, 9, 100)) of R is 1, 4, 8, 13.5, 100; sd() is 38.28185. */
static void test_quantiles(void)
{
	double values[] = {7, 1, 15, 3, 9, 100}, one[] = {5}, two[] = {4, 2};
	struct measure_duration_statistics statistics;

	measure_duration_statistics_find(&statistics, values, SIZE(values));
	CU_ASSERT_EQUAL(statistics.nr, 6);
	CU_ASSERT_DOUBLE_EQUAL(statistics.mean, 22.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(statistics.deviation, 38.28185, 1e-5);
	CU_ASSERT_DOUBLE_EQUAL(statistics.least, 1, 0);
	CU_ASSERT_DOUBLE_EQUAL(statistics.quartile, 4, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(statistics.median, 8, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(statistics.upper_quartile, 13.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(statistics.most, 100, 0);
	CU_ASSERT_DOUBLE_EQUAL(statistics.fence, 13.5 + 1.5 * 9.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(measure_quantile(one, 1, 0.75), 5, 0);
	CU_ASSERT_DOUBLE_EQUAL(measure_quantile(two, 2, 0.25), 2.5, 1e-12);
	measure_duration_statistics_find(&statistics, values, 0);
	CU_ASSERT_EQUAL(statistics.nr, 0);
}

static int compare_values(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Many equal values too, against sorting. */
static void test_quantiles_at_random(void)
{
	srand(2);
	for (int round = 0; round < 2000; round++) {
		const size_t nr = 1 + (size_t)(rand() % 50);
		const double p = (double)rand() / RAND_MAX;
		double values[50], sorted[50];
		const double place = (double)(nr - 1) * p;
		const size_t rank = (size_t)place;
		double expected;

		for (size_t i = 0; i < nr; i++)
			sorted[i] = values[i] = rand() % (1 + rand() % 20);
		qsort(sorted, nr, sizeof(*sorted), compare_values);
		expected = sorted[rank];
		if (rank + 1 < nr)
			expected += (place - (double)rank) * (sorted[rank + 1] - sorted[rank]);
		CU_ASSERT_DOUBLE_EQUAL(measure_quantile(values, nr, p), expected, 1e-12);
	}
}

/* Of predict(lm(...), interval = "prediction", level = 0.95), its third column, and of
 * rstudent(). */
static const double flops[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const double durations[] = {1.1, 1.9, 3.2, 4.1, 4.8, 6.3, 9.5, 8.1};

static void test_regressions(void)
{
	static const struct {
		enum measure_duration_model model;
		double intercept, slope, limit_of_1, limit_of_7, expected_of_4;
	} rows[] = {
		{MEASURE_DURATION_LOG, 0.017988969, 1.029714324, 1.475668149, 10.429855808,
			4.243872296},
		{MEASURE_DURATION_LINEAR, -0.321428571, 1.154761905, 3.307179661, 10.107705543,
			4.297619048},
		{MEASURE_DURATION_WEIGHTED, -0.154622203, 1.117693823, 2.024444698, 10.089370034,
			4.316153089},
		{MEASURE_DURATION_TWO_THIRDS, -2.250146484, 2.704992847, 3.230636114, 10.214492457,
			4.566008372},
	};

	for (size_t i = 0; i < SIZE(rows); i++) {
		struct measure_regression regression;

		CU_ASSERT_FATAL(measure_regression_fit(
			&regression, rows[i].model, durations, flops, SIZE(flops)));
		CU_ASSERT_EQUAL(regression.nr, 8);
		CU_ASSERT_DOUBLE_EQUAL(regression.intercept, rows[i].intercept, 1e-6);
		CU_ASSERT_DOUBLE_EQUAL(regression.slope, rows[i].slope, 1e-6);
		CU_ASSERT_DOUBLE_EQUAL(
			measure_regression_limit(&regression, 1), rows[i].limit_of_1, 1e-5);
		CU_ASSERT_DOUBLE_EQUAL(
			measure_regression_limit(&regression, 7), rows[i].limit_of_7, 1e-5);
		CU_ASSERT_DOUBLE_EQUAL(
			measure_regression_expected(&regression, 4), rows[i].expected_of_4, 1e-5);
	}
}

static void test_regression_cases(void)
{
	const double equal[] = {3, 3, 3, 3}, some[] = {1, 2, 0, 4}, none[] = {0, 0, 0, 5};
	double on_line[20], sizes[20];
	struct measure_regression regression;

	CU_ASSERT_FALSE(measure_regression_fit(
		&regression, MEASURE_DURATION_LINEAR, some, equal, 4)); /* one size */
	CU_ASSERT_FALSE(measure_regression_fit(
		&regression, MEASURE_DURATION_LOG, some, none, 4)); /* one value */
	CU_ASSERT_TRUE(
		measure_regression_fit(&regression, MEASURE_DURATION_LOG, some, durations, 4));
	CU_ASSERT_EQUAL(regression.nr, 3);
	/* the seventh is too long, of which rstudent() is 11.09; no other is */
	CU_ASSERT_FATAL(measure_regression_fit(
		&regression, MEASURE_DURATION_LINEAR, durations, flops, SIZE(flops)));
	for (size_t i = 0; i < SIZE(flops); i++)
		CU_ASSERT_EQUAL(
			measure_regression_is_outlier(&regression, durations[i], flops[i]), i == 6);
	for (size_t i = 0; i < SIZE(sizes); i++) {
		sizes[i] = (double)i + 1;
		on_line[i] = 0.1 + 0.7 * sizes[i];
	}
	CU_ASSERT_FATAL(measure_regression_fit(
		&regression, MEASURE_DURATION_LINEAR, on_line, sizes, SIZE(sizes)));
	for (size_t i = 0; i < SIZE(sizes); i++)
		CU_ASSERT_FALSE(measure_regression_is_outlier(&regression, on_line[i], sizes[i]));
}

int main(void)
{
	CU_TestInfo tests[] = {{"slices", test_slices}, {"random slices", test_slices_at_random},
		{"quantiles", test_quantiles}, {"random quantiles", test_quantiles_at_random},
		{"regressions", test_regressions}, {"regression cases", test_regression_cases},
		CU_TEST_INFO_NULL};

	return t_suite("statistics of tasks", NULL, NULL, tests);
}
