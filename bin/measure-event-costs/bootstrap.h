/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The median of a few values, and how far it can be relied on. */
#ifndef MEASURE_EVENT_COSTS_BOOTSTRAP_H
#define MEASURE_EVENT_COSTS_BOOTSTRAP_H

#define MOST_VALUES 1000

/* `low` and `high`: the bootstrap interval of the median in which 99.7 % of resamples have it. */
struct estimate {
	double median, low, high;
};

/* Sorts the values. nr > 0. */
double measure_median(double *values, unsigned nr);
struct estimate measure_bootstrap(double *values, unsigned nr);

#endif
