/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Statistics for two sets of measurements: Student's t distribution, the tests of Welch and for
 * pairs with their confidence intervals, and the correction for many tests. */
#ifndef MEASURE_ANALYSIS_COMPARE_STATISTICS_H
#define MEASURE_ANALYSIS_COMPARE_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

#define MEASURE_CONFIDENCE 0.95 /* of intervals */
#define MEASURE_FALSE_RATE 0.05 /* of findings that may be false: the q of Benjamini and Hochberg  \
				 */

/* ln Gamma(x), x > 0. */
double measure_log_gamma(double x);

/* Regularised incomplete beta function I_x(a, b); a, b > 0, 0 <= x <= 1. */
double measure_incomplete_beta(double a, double b, double x);

/* Probability that |T| >= |t| where T has Student's distribution with nu > 0 degrees of freedom. */
double measure_student_p(double t, double nu);

/* The t >= 0 with P(|T| <= t) = confidence. */
double measure_student_quantile(double confidence, double nu);

/* How one set differs from another one. A ratio if all values are positive, otherwise a
 * difference. */
struct measure_effect {
	bool is_ratio;
	bool has_interval; /* there are two values or more on each side */
	double value;      /* new / base, or new - base */
	double low, high;  /* of the confidence interval */
	bool is_trimmed;   /* without the least and the largest fifth of the values */
	int nr_tests;      /* that were tried: p is that of the surer one */
	double t, nu, p;   /* two-sided; infinite t: there is a difference, and no spread */
};

#define MEASURE_ENOUGH_TO_TRIM 5 /* values of a set */

/* Of independent sets: Welch's test, of logarithms for a ratio; of sets that are large enough also
 * Yuen's, which leaves out outliers. The surer one counts, and the caller has to multiply p by the
 * number of tests. */
void measure_effect_of_sets(struct measure_effect *effect, const double *base, size_t nr_base,
	const double *new, size_t nr_new);

/* Of pairs (base[i], new[i]): the t test of one sample. */
void measure_effect_of_pairs(
	struct measure_effect *effect, const double *base, const double *new, size_t nr);

double measure_mean(const double *values, size_t nr);

/* Turns probabilities of `nr` tests into those that are compared with the rate of false findings
 * [Benjamini, Hochberg, J. Royal Stat. Soc. B 57 (1995) 289-300]. */
void measure_adjust(double *p, size_t nr);

#endif
