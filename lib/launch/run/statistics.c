/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Means and margins; see statistics.h. */
#include "config.h"

#include "statistics.h"

#include <math.h>

#define STEPS  2000 /* of Simpson's rule */
#define HALVES 100

/* The density of Student's distribution, without the factor that makes its integral 1. */
static double density(double t, unsigned freedom)
{
	return pow(1 + t * t / freedom, -(freedom + 1.0) / 2);
}

/* Its integral from 0 to tan(angle) * sqrt(freedom): there the tails are as short as the middle. */
static double integral(double angle, unsigned freedom)
{
	double step = angle / STEPS, root = sqrt(freedom), sum = 0;

	for (int i = 0; i <= STEPS; i++) {
		double at = i * step, cosine = cos(at);
		double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
		sum += weight * density(tan(at) * root, freedom) * root / (cosine * cosine);
	}
	return sum * step / 3;
}

/* Of Student's distribution: what is exceeded, up or down, in 1 - confidence of all cases. */
static double student(double confidence, unsigned freedom)
{
	const double most = M_PI_2 - 1e-9;
	double low = 0, high = most, whole = integral(most, freedom);

	for (int i = 0; i < HALVES; i++) {
		double middle = (low + high) / 2;
		if (integral(middle, freedom) < confidence * whole)
			low = middle;
		else
			high = middle;
	}
	return tan(low) * sqrt(freedom);
}

struct measure_mean measure_mean_of(const double *values, size_t nr)
{
	struct measure_mean result = {0, 0, 0};
	double squares = 0;

	for (size_t i = 0; i < nr; i++)
		result.mean += values[i] / (double)nr;
	for (size_t i = 0; i < nr; i++)
		squares += (values[i] - result.mean) * (values[i] - result.mean);
	if (nr < 2)
		return result;
	result.deviation = sqrt(squares / (double)(nr - 1));
	result.margin =
		student(MEASURE_CONFIDENCE, (unsigned)nr - 1) * result.deviation / sqrt((double)nr);
	return result;
}
