/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Quantiles of durations, and the fence beyond which a duration is an outlier. */
#ifndef MEASURE_ANALYSIS_TASK_STATISTICS_DURATION_STATISTICS_H
#define MEASURE_ANALYSIS_TASK_STATISTICS_DURATION_STATISTICS_H

#include <stddef.h>

/* A fraction between the values at (nr - 1) * p: type 7 of Hyndman and Fan, The American
 * Statistician 50 (1996) 361-365. Changes the order of the values; nr > 0. */
double measure_quantile(double *values, size_t nr, double p);

struct measure_duration_statistics {
	size_t nr;
	double mean, deviation; /* of the sample: divided by nr - 1 */
	double least, quartile, median, upper_quartile, most;
	double fence; /* upper quartile + 1.5 * (upper quartile - quartile) */
};

/* Changes the order of the values. Of none all is 0. */
void measure_duration_statistics_find(
	struct measure_duration_statistics *statistics, double *values, size_t nr);

#endif
