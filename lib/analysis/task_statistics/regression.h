/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Outliers among tasks of different sizes: durations that are longer than their numbers of
 * floating-point operations let expect. */
#ifndef MEASURE_ANALYSIS_TASK_STATISTICS_REGRESSION_H
#define MEASURE_ANALYSIS_TASK_STATISTICS_REGRESSION_H

#include <stdbool.h>
#include <stddef.h>

enum measure_duration_model {
#define MODEL(NAME, word, y_of_d, d_of_y, x_of_g, weight_of_g) MEASURE_DURATION_##NAME,
#include "duration_models.def"
#undef MODEL
	MEASURE_NR_DURATION_MODELS
};

const char *measure_duration_model_word(enum measure_duration_model model);

/* A weighted least squares fit. */
struct measure_regression {
	enum measure_duration_model model;
	size_t nr;               /* of values that take part */
	double intercept, slope; /* of y = a + b x */
	double mean, spread; /* of x: weighted mean, weighted sum of squared distances from it */
	double weights;      /* sum */
	double variance;     /* of the residuals: weighted sum of squares / (nr - 2) */
	double quantile;     /* of Student's distribution with nr - 2 degrees of freedom */
};

/* Values without operations or duration take no part. False: fewer than three do, or all have the
 * same number of operations. */
bool measure_regression_fit(struct measure_regression *regression,
	enum measure_duration_model model, const double *durations, const double *flops, size_t nr);

/* What is expected, and the upper limit of the 95 % prediction interval of one more value. */
double measure_regression_expected(const struct measure_regression *regression, double flops);
double measure_regression_limit(const struct measure_regression *regression, double flops);

/* Is one of the values that took part too long, by its externally studentised residual and the
 * correction of Bonferroni, at 5 %? */
bool measure_regression_is_outlier(
	const struct measure_regression *regression, double duration, double flops);

#endif
