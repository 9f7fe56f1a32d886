/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mean of a few measurements, with a confidence interval. */
#ifndef MEASURE_LAUNCH_RUN_STATISTICS_H
#define MEASURE_LAUNCH_RUN_STATISTICS_H

#include <stddef.h>

/* In 99.7 of 100 cases the true mean lies between mean - margin and mean + margin, where the
 * values are independent of one another and near to normal. nr >= 2. */
#define MEASURE_CONFIDENCE 0.997

struct measure_mean {
	double mean;
	double deviation; /* standard deviation of the values */
	double margin;
};

struct measure_mean measure_mean_of(const double *values, size_t nr);

#endif
