/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Student's distribution, tests and their correction; see statistics.h. AS: Abramowitz and Stegun,
 * Handbook of Mathematical Functions, 1964. */
#include "config.h"

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "trace/common/containers.h"

/* ------------------------------------------------------------------- distribution --- */

/* Stirling's series (AS 6.1.41) from 12 on, where five terms give 15 digits; below by Gamma(x + 1)
 * = x Gamma(x). */
double measure_log_gamma(double x)
{
	static const double terms[] = {
		1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360};
	double product = 1, sum = 0, power;

	for (; x < 12; x++)
		product *= x;
	power = 1 / x;
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++, power /= x * x)
		sum += terms[i] * power;
	return (x - 0.5) * log(x) - x + 0.5 * log(2 * acos(-1)) + sum - log(product);
}

/* Numerators of the continued fraction (AS 26.5.8), from n = 1 on. */
static double beta_numerator(double a, double b, double x, int n)
{
	const double m = n / 2;

	if (n % 2 == 0)
		return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
	return -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
}

static double not_zero(double value)
{
	return fabs(value) < 1e-300 ? 1e-300 : value;
}

/* 1 / (1 + d1/(1 + d2/(1 + ...))) by the method of Lentz, modified by Thompson and Barnett, J.
 * Comput. Phys. 64 (1986) 490-509. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 0, result = 1;

	for (int n = 1; n < 10000; n++) {
		const double numerator = beta_numerator(a, b, x, n);

		d = 1 / not_zero(1 + numerator * d);
		c = not_zero(1 + numerator / c);
		result *= c * d;
		if (fabs(c * d - 1) < 1e-15)
			break;
	}
	return 1 / result;
}

double measure_incomplete_beta(double a, double b, double x)
{
	double factor;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	factor = exp(measure_log_gamma(a + b) - measure_log_gamma(a) - measure_log_gamma(b) +
		     a * log(x) + b * log1p(-x));
	/* The fraction converges fast on one side of the mean; the other one is its complement. */
	if (x < (a + 1) / (a + b + 2))
		return factor * beta_fraction(a, b, x) / a;
	return 1 - factor * beta_fraction(b, a, 1 - x) / b;
}

/* AS 26.7.1. */
double measure_student_p(double t, double nu)
{
	if (isinf(t))
		return 0;
	return measure_incomplete_beta(nu / 2, 0.5, nu / (nu + t * t));
}

/* By bisection: the probability falls with t. */
double measure_student_quantile(double confidence, double nu)
{
	double low = 0, high = 1;

	while (measure_student_p(high, nu) > 1 - confidence && high < 1e12)
		high *= 2;
	for (int i = 0; i < 100 && high - low > 1e-14 * high; i++) {
		const double middle = (low + high) / 2;

		if (measure_student_p(middle, nu) > 1 - confidence)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* --------------------------------------------------------------------------- tests --- */

double measure_mean(const double *values, size_t nr)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return nr ? sum / (double)nr : 0;
}

/* Squared standard error of the mean; nr >= 2. */
static double squared_error(const double *values, size_t nr)
{
	const double mean = measure_mean(values, nr);
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum / ((double)nr - 1) / (double)nr;
}

static bool is_positive(const double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!(values[i] > 0))
			return false;
	return true;
}

/* Values, or their logarithms; to be freed. */
static double *transform(const double *values, size_t nr, bool is_ratio)
{
	double *result = measure_zeroed(nr, sizeof(*result));

	for (size_t i = 0; i < nr; i++)
		result[i] = is_ratio ? log(values[i]) : values[i];
	return result;
}

/* From the difference, or logarithm of the ratio, and its squared standard error. Of equal
 * measurements that differ from others by rounding alone, t is as good as infinite. */
static void infer(struct measure_effect *effect, double difference, double square, double nu)
{
	const double error = sqrt(square);
	double margin;

	effect->has_interval = true;
	effect->nu = nu;
	effect->t = square > 0        ? difference / error
		    : difference != 0 ? copysign(INFINITY, difference)
				      : 0;
	effect->p = measure_student_p(effect->t, nu);
	margin = square > 0 ? measure_student_quantile(MEASURE_CONFIDENCE, nu) * error : 0;
	effect->low = effect->is_ratio ? exp(difference - margin) : difference - margin;
	effect->high = effect->is_ratio ? exp(difference + margin) : difference + margin;
}

static double of_difference(const struct measure_effect *effect, double difference)
{
	return effect->is_ratio ? exp(difference) : difference;
}

static int compare_values(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Of the values without the fifth that is least and the fifth that is largest: their mean, its
 * squared standard error from the winsorised variance, and the degrees of freedom. Sorts them. */
static double trim(double *values, size_t nr, double *square, double *nu)
{
	const size_t cut = nr / 5, left = nr - 2 * cut;
	double mean;

	qsort(values, nr, sizeof(*values), compare_values);
	mean = measure_mean(values + cut, left);
	for (size_t i = 0; i < cut; i++) {
		values[i] = values[cut];
		values[nr - 1 - i] = values[nr - 1 - cut];
	}
	*nu = (double)left - 1;
	*square = squared_error(values, nr) * (double)nr * ((double)nr - 1) / ((double)left * *nu);
	return mean;
}

/* The same without outliers, Yuen, Biometrika 61 (1974) 165-170: a run that lost its processor for
 * a moment hides in Welch's test what all others show. Where it is surer, it counts. */
static void try_trimmed(
	struct measure_effect *effect, double *base, size_t nr_base, double *new, size_t nr_new)
{
	struct measure_effect trimmed = {.is_ratio = effect->is_ratio, .is_trimmed = true};
	double x, y, nu_x, nu_y;
	const double before = trim(base, nr_base, &x, &nu_x), after = trim(new, nr_new, &y, &nu_y);

	effect->nr_tests = 2;
	if (!(x + y > 0))
		return;
	trimmed.nr_tests = 2;
	trimmed.value = of_difference(&trimmed, after - before);
	infer(&trimmed, after - before, x + y, (x + y) * (x + y) / (x * x / nu_x + y * y / nu_y));
	if (trimmed.p < effect->p)
		*effect = trimmed;
}

/* Welch, Biometrika 34 (1947) 28-35. */
void measure_effect_of_sets(struct measure_effect *effect, const double *base, size_t nr_base,
	const double *new, size_t nr_new)
{
	const bool is_ratio = is_positive(base, nr_base) && is_positive(new, nr_new);
	double *a = transform(base, nr_base, is_ratio), *b = transform(new, nr_new, is_ratio);
	const double difference = measure_mean(b, nr_new) - measure_mean(a, nr_base);

	*effect = (struct measure_effect){.is_ratio = is_ratio, .p = 1, .nr_tests = 1};
	effect->value = of_difference(effect, difference);
	if (nr_base > 1 && nr_new > 1) {
		const double x = squared_error(a, nr_base), y = squared_error(b, nr_new);
		const double nu = (x + y) * (x + y) /
				  (x * x / ((double)nr_base - 1) + y * y / ((double)nr_new - 1));

		infer(effect, difference, x + y,
			x + y > 0 && isfinite(nu) ? nu : (double)(nr_base + nr_new - 2));
	}
	if (nr_base >= MEASURE_ENOUGH_TO_TRIM && nr_new >= MEASURE_ENOUGH_TO_TRIM)
		try_trimmed(effect, a, nr_base, b, nr_new);
	measure_free(a);
	measure_free(b);
}

void measure_effect_of_pairs(
	struct measure_effect *effect, const double *base, const double *new, size_t nr)
{
	const bool is_ratio = is_positive(base, nr) && is_positive(new, nr);
	double *a = transform(base, nr, is_ratio), *b = transform(new, nr, is_ratio);

	for (size_t i = 0; i < nr; i++)
		b[i] -= a[i];
	*effect = (struct measure_effect){.is_ratio = is_ratio, .p = 1, .nr_tests = 1};
	effect->value = of_difference(effect, measure_mean(b, nr));
	if (nr > 1)
		infer(effect, measure_mean(b, nr), squared_error(b, nr), (double)nr - 1);
	measure_free(a);
	measure_free(b);
}

/* ---------------------------------------------------------------------- correction --- */

static int compare_places(const void *left, const void *right, void *data)
{
	const double *p = data;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (p[a] != p[b])
		return p[a] < p[b] ? -1 : 1;
	return (a > b) - (a < b);
}

void measure_adjust(double *p, size_t nr)
{
	size_t *order = measure_zeroed(nr, sizeof(*order));
	double least = 1;

	for (size_t i = 0; i < nr; i++)
		order[i] = i;
	if (nr > 0)
		qsort_r(order, nr, sizeof(*order), compare_places, p);
	for (size_t i = nr; i-- > 0;) {
		const double adjusted = p[order[i]] * (double)nr / (double)(i + 1);

		if (adjusted < least)
			least = adjusted;
		p[order[i]] = least;
	}
	measure_free(order);
}
