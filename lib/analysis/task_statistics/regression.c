/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fits a line; see regression.h. Limits and residuals: Draper and Smith, Applied Regression
 * Analysis, 3rd edition, 1998, 1.4, 3.1 and 8.3. */
#include "config.h"

#include "regression.h"

#include <math.h>

#include "analysis/compare/statistics.h"

static const char *const words[] = {
#define MODEL(NAME, word, y_of_d, d_of_y, x_of_g, weight_of_g) word,
#include "duration_models.def"
#undef MODEL
};

const char *measure_duration_model_word(enum measure_duration_model model)
{
	return words[model];
}

struct regression_point {
	double x, y, weight;
};

static struct regression_point point_of(enum measure_duration_model model, double d, double g)
{
	switch (model) {
#define MODEL(NAME, word, y_of_d, d_of_y, x_of_g, weight_of_g)                                     \
	case MEASURE_DURATION_##NAME:                                                              \
		return (struct regression_point){x_of_g, y_of_d, weight_of_g};
#include "duration_models.def"
#undef MODEL
	default:
		return (struct regression_point){0, 0, 0};
	}
}

static double duration_of(enum measure_duration_model model, double y)
{
	switch (model) {
#define MODEL(NAME, word, y_of_d, d_of_y, x_of_g, weight_of_g)                                     \
	case MEASURE_DURATION_##NAME:                                                              \
		return d_of_y;
#include "duration_models.def"
#undef MODEL
	default:
		return 0;
	}
}

static bool takes_part(double duration, double flops)
{
	return duration > 0 && flops > 0;
}

static double line_at(const struct measure_regression *regression, double x)
{
	return regression->intercept + regression->slope * x;
}

/* From sums of distances from the means, which lose no digits. */
static double fit_line(struct measure_regression *regression, const double *durations,
	const double *flops, size_t nr, double mean)
{
	double product = 0, squares = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct regression_point point =
			point_of(regression->model, durations[i], flops[i]);

		if (!takes_part(durations[i], flops[i]))
			continue;
		regression->spread +=
			point.weight * (point.x - regression->mean) * (point.x - regression->mean);
		product += point.weight * (point.x - regression->mean) * (point.y - mean);
	}
	if (!(regression->spread > 0))
		return -1;
	regression->slope = product / regression->spread;
	regression->intercept = mean - regression->slope * regression->mean;
	for (size_t i = 0; i < nr; i++) {
		const struct regression_point point =
			point_of(regression->model, durations[i], flops[i]);
		const double residual = point.y - line_at(regression, point.x);

		if (takes_part(durations[i], flops[i]))
			squares += point.weight * residual * residual;
	}
	return squares;
}

bool measure_regression_fit(struct measure_regression *regression,
	enum measure_duration_model model, const double *durations, const double *flops, size_t nr)
{
	double mean = 0, squares;

	*regression = (struct measure_regression){.model = model};
	for (size_t i = 0; i < nr; i++) {
		const struct regression_point point = point_of(model, durations[i], flops[i]);

		if (!takes_part(durations[i], flops[i]))
			continue;
		regression->nr++;
		regression->weights += point.weight;
		regression->mean += point.weight * point.x;
		mean += point.weight * point.y;
	}
	if (regression->nr < 3)
		return false;
	regression->mean /= regression->weights;
	squares = fit_line(regression, durations, flops, nr, mean / regression->weights);
	if (squares < 0)
		return false;
	regression->variance = squares / ((double)regression->nr - 2);
	regression->quantile =
		measure_student_quantile(MEASURE_CONFIDENCE, (double)regression->nr - 2);
	return true;
}

double measure_regression_expected(const struct measure_regression *regression, double flops)
{
	return duration_of(
		regression->model, line_at(regression, point_of(regression->model, 1, flops).x));
}

/* Squared standard error of the line at x, in units of the variance. */
static double leverage(const struct measure_regression *regression, double x)
{
	return 1 / regression->weights +
	       (x - regression->mean) * (x - regression->mean) / regression->spread;
}

double measure_regression_limit(const struct measure_regression *regression, double flops)
{
	const struct regression_point point = point_of(regression->model, 1, flops);
	const double error =
		sqrt(regression->variance * (1 / point.weight + leverage(regression, point.x)));

	return duration_of(
		regression->model, line_at(regression, point.x) + regression->quantile * error);
}

/* What the variance is without the value, and how far the value is from the line then. */
bool measure_regression_is_outlier(
	const struct measure_regression *regression, double duration, double flops)
{
	const struct regression_point point = point_of(regression->model, duration, flops);
	const double residual = point.y - line_at(regression, point.x);
	const double left = 1 - point.weight * leverage(regression, point.x);
	const double freedom = (double)regression->nr - 3;
	const double square = point.weight * residual * residual;
	double variance, p;

	/* what rounding leaves is no distance */
	if (!takes_part(duration, flops) || residual <= 1e-12 * fabs(point.y) || freedom < 1 ||
		left <= 0)
		return false;
	variance = (regression->variance * (freedom + 1) - square / left) / freedom;
	if (variance <= 0)
		return true; /* all others are on the line */
	p = measure_student_p(sqrt(square / (variance * left)), freedom);
	return p * (double)regression->nr < 1 - MEASURE_CONFIDENCE;
}
