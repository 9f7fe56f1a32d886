/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: Student's distribution against tables, Welch's test and that of pairs against worked
 * examples, and the correction for many tests. */
#include "config.h"

#include <math.h>

#include "analysis/compare/statistics.h"
#include "../t_suite.h"

#define SIZE(array) (sizeof(array) / sizeof(*(array)))

static void test_log_gamma(void)
{
	double factorial = 1;

	for (int n = 1; n <= 20; factorial *= n++)
		CU_ASSERT_DOUBLE_EQUAL(measure_log_gamma(n), log(factorial), 1e-13 * (1 + n));
	CU_ASSERT_DOUBLE_EQUAL(measure_log_gamma(0.5), 0.5 * log(acos(-1)), 1e-14);
	for (double x = 0.01; x < 1000; x *= 1.37)
		CU_ASSERT_DOUBLE_EQUAL(
			measure_log_gamma(x), lgamma(x), 2e-14 * (1 + fabs(lgamma(x)) + x));
}

static void test_incomplete_beta(void)
{
	/* I_x(1, 1) = x, I_x(a, 1) = x^a, I_x(2, 2) = 3 x^2 - 2 x^3, and the symmetry. */
	for (double x = 0; x <= 1; x += 0.0625) {
		CU_ASSERT_DOUBLE_EQUAL(measure_incomplete_beta(1, 1, x), x, 1e-14);
		CU_ASSERT_DOUBLE_EQUAL(measure_incomplete_beta(3.5, 1, x), pow(x, 3.5), 1e-14);
		CU_ASSERT_DOUBLE_EQUAL(
			measure_incomplete_beta(2, 2, x), x * x * (3 - 2 * x), 1e-14);
		CU_ASSERT_DOUBLE_EQUAL(measure_incomplete_beta(7, 0.5, x),
			1 - measure_incomplete_beta(0.5, 7, 1 - x), 1e-13);
	}
}

/* Two-sided quantiles of printed tables. */
static void test_student_table(void)
{
	static const struct {
		double nu, confidence, t;
	} rows[] = {{1, 0.95, 12.706}, {2, 0.95, 4.303}, {3, 0.95, 3.182}, {4, 0.95, 2.776},
		{5, 0.95, 2.571}, {8, 0.95, 2.306}, {10, 0.95, 2.228}, {30, 0.95, 2.042},
		{120, 0.95, 1.980}, {1, 0.5, 1.000}, {1, 0.99, 63.657}, {4, 0.99, 4.604},
		{8, 0.99, 3.355}, {10, 0.999, 4.587}, {1e7, 0.95, 1.960}};

	for (size_t i = 0; i < SIZE(rows); i++) {
		CU_ASSERT_DOUBLE_EQUAL(measure_student_quantile(rows[i].confidence, rows[i].nu),
			rows[i].t, 0.0006);
		CU_ASSERT_DOUBLE_EQUAL(measure_student_p(rows[i].t, rows[i].nu),
			1 - rows[i].confidence, 0.0006 * (1 - rows[i].confidence) + 5e-5);
	}
}

/* Of one degree of freedom it is Cauchy's distribution, of two there is a formula. */
static void test_student_formulas(void)
{
	for (double t = 0; t < 1000; t = 2 * t + 0.1) {
		CU_ASSERT_DOUBLE_EQUAL(measure_student_p(t, 1), 1 - 2 / acos(-1) * atan(t), 1e-13);
		CU_ASSERT_DOUBLE_EQUAL(measure_student_p(t, 2), 1 - t / sqrt(2 + t * t), 1e-13);
		CU_ASSERT_EQUAL(measure_student_p(-t, 5), measure_student_p(t, 5));
	}
	CU_ASSERT_EQUAL(measure_student_p(INFINITY, 3), 0);
	CU_ASSERT_DOUBLE_EQUAL(
		measure_student_p(measure_student_quantile(0.9, 7.95), 7.95), 0.1, 1e-12);
}

/* Ratio 1.0792, t = 7.99, nu = 7.95, p = 4.6e-5, interval [1.0557, 1.1033]. */
static void test_sets(void)
{
	static const double base[] = {10.0, 10.2, 9.9, 10.1, 10.3};
	static const double new[] = {10.8, 11.0, 10.7, 10.9, 11.1};
	struct measure_effect effect;

	measure_effect_of_sets(&effect, base, 5, new, 5);
	CU_ASSERT_TRUE(effect.is_ratio);
	CU_ASSERT_TRUE(effect.has_interval);
	CU_ASSERT_DOUBLE_EQUAL(effect.value, 1.0792, 5e-5);
	CU_ASSERT_DOUBLE_EQUAL(effect.t, 7.99, 5e-3);
	CU_ASSERT_DOUBLE_EQUAL(effect.nu, 7.95, 5e-3);
	CU_ASSERT_DOUBLE_EQUAL(effect.p, 4.6e-5, 5e-7);
	CU_ASSERT_DOUBLE_EQUAL(effect.low, 1.0557, 5e-5);
	CU_ASSERT_DOUBLE_EQUAL(effect.high, 1.1033, 5e-5);
}

/* Values of which some are 0: a difference. By hand: means 1 and 4, variances 1 and 4, nr 3 and 3:
 * se^2 = 5/3, nu = (5/3)^2 / ((1/9 + 16/9) / 2) = 2.9412. */
static void test_difference(void)
{
	static const double base[] = {0, 1, 2}, new[] = {2, 4, 6};
	struct measure_effect effect;

	measure_effect_of_sets(&effect, base, 3, new, 3);
	CU_ASSERT_FALSE(effect.is_ratio);
	CU_ASSERT_DOUBLE_EQUAL(effect.value, 3, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(effect.t, 3 / sqrt(5.0 / 3), 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(effect.nu, 2.9412, 5e-5);
	CU_ASSERT_DOUBLE_EQUAL(effect.high - effect.value, effect.value - effect.low, 1e-12);
}

/* Pairs that differ from each other by a factor of ten, but each by 5 to 6 %. */
static void test_pairs(void)
{
	static const double base[] = {1, 2, 4, 10}, new[] = {1.05, 2.12, 4.2, 10.6};
	struct measure_effect effect;
	const double a = log(1.05), b = log(1.06), spread = (b - a) / 2;

	measure_effect_of_pairs(&effect, base, new, 4);
	CU_ASSERT_DOUBLE_EQUAL(effect.value, sqrt(1.05 * 1.06), 1e-12);
	CU_ASSERT_EQUAL(effect.nu, 3);
	CU_ASSERT_DOUBLE_EQUAL(effect.t, (a + b) / 2 / (spread * sqrt(4.0 / 3) / 2), 1e-6);
	CU_ASSERT_TRUE(effect.low > 1.04 && effect.high < 1.07);
	measure_effect_of_sets(&effect, base, 4, new, 4);
	CU_ASSERT_TRUE(effect.low < 1 && effect.high > 1.1);
}

static void test_no_spread(void)
{
	static const double base[] = {2, 2, 2}, same[] = {2, 2}, new[] = {3, 3};
	static const double one[] = {3}, zero[] = {0, 0};
	struct measure_effect effect;

	measure_effect_of_sets(&effect, base, 3, same, 2);
	CU_ASSERT_TRUE(effect.low == 1 && effect.high == 1 && effect.p == 1);
	measure_effect_of_sets(&effect, base, 3, new, 2);
	CU_ASSERT_DOUBLE_EQUAL(effect.low, 1.5, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(effect.high, 1.5, 1e-12);
	CU_ASSERT_TRUE(effect.p < 1e-6);
	measure_effect_of_sets(&effect, base, 3, one, 1);
	CU_ASSERT_FALSE(effect.has_interval);
	CU_ASSERT_DOUBLE_EQUAL(effect.value, 1.5, 1e-12);
	CU_ASSERT_EQUAL(effect.p, 1);
	measure_effect_of_sets(&effect, zero, 2, zero, 2);
	CU_ASSERT_TRUE(!effect.is_ratio && effect.value == 0 && effect.p == 1);
}

/* .001, .008, .039, .041, .6 -> .005, .02, .05125, .05125, .6, in any order. */
static void test_adjust(void)
{
	double p[] = {0.6, 0.039, 0.001, 0.041, 0.008};
	static const double adjusted[] = {0.6, 0.05125, 0.005, 0.05125, 0.02};

	measure_adjust(p, SIZE(p));
	for (size_t i = 0; i < SIZE(p); i++)
		CU_ASSERT_DOUBLE_EQUAL(p[i], adjusted[i], 1e-12);
	p[0] = 0.9;
	measure_adjust(p, 1);
	CU_ASSERT_EQUAL(p[0], 0.9);
	measure_adjust(p, 0);
}

/* One of five runs lost its processor: recomputed by a script from Yuen's formulas. */
static void test_outlier(void)
{
	const double base[] = {10.0, 10.1, 9.9, 10.05, 15.0};
	const double new[] = {10.6, 10.7, 10.5, 10.65, 10.55};
	struct measure_effect effect;

	measure_effect_of_sets(&effect, base, 5, new, 5);
	CU_ASSERT_TRUE(effect.is_trimmed);
	CU_ASSERT_EQUAL(effect.nr_tests, 2);
	CU_ASSERT_DOUBLE_EQUAL(effect.value, 1.0547272478, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(effect.t, 9.5184666423, 1e-8);
	CU_ASSERT_DOUBLE_EQUAL(effect.nu, 3.9886974875, 1e-8);
	CU_ASSERT_TRUE(effect.low > 1.03 && effect.high < 1.08);
	CU_ASSERT_TRUE(effect.p < 0.001);
}

static CU_TestInfo tests[] = {{"ln Gamma", test_log_gamma},
	{"incomplete beta", test_incomplete_beta}, {"t, tables", test_student_table},
	{"t, formulas", test_student_formulas}, {"Welch", test_sets},
	{"an outlier", test_outlier}, {"difference", test_difference}, {"pairs", test_pairs}, {"no spread", test_no_spread},
	{"Benjamini and Hochberg", test_adjust}, CU_TEST_INFO_NULL};

int main(void)
{
	return t_suite("statistics of comparisons", NULL, NULL, tests);
}
