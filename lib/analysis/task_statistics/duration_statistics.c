/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Quantiles by selection; see duration_statistics.h. */
#include "config.h"

#include "duration_statistics.h"

#include <math.h>

static void values_swap(double *a, double *b)
{
	const double kept = *a;

	*a = *b;
	*b = kept;
}

/* The median of the first, the middle and the last one, put into the middle. */
static double values_pivot(double *values, ptrdiff_t low, ptrdiff_t high)
{
	const ptrdiff_t middle = low + (high - low) / 2;

	if (values[middle] < values[low])
		values_swap(&values[middle], &values[low]);
	if (values[high] < values[low])
		values_swap(&values[high], &values[low]);
	if (values[high] < values[middle])
		values_swap(&values[high], &values[middle]);
	return values[middle];
}

/* Puts the value of this rank at its place: none before it is larger, none after it less [Hoare,
 * Comm. ACM 4 (1961) 321-322]. */
static double values_select(double *values, size_t nr, size_t rank)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)nr - 1;

	while (low < high) {
		const double pivot = values_pivot(values, low, high);
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i <= j)
				values_swap(&values[i++], &values[j--]);
		}
		if ((ptrdiff_t)rank <= j)
			high = j;
		else if ((ptrdiff_t)rank >= i)
			low = i;
		else
			break;
	}
	return values[rank];
}

double measure_quantile(double *values, size_t nr, double p)
{
	const double place = (double)(nr - 1) * p;
	const size_t rank = (size_t)place;
	const double value = values_select(values, nr, rank);
	double next = value;

	if (rank + 1 >= nr)
		return value;
	next = values[rank + 1];
	for (size_t i = rank + 2; i < nr; i++)
		next = fmin(next, values[i]);
	return value + (place - (double)rank) * (next - value);
}

static double values_deviation(const double *values, size_t nr, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < nr; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return nr > 1 ? sqrt(sum / ((double)nr - 1)) : 0;
}

void measure_duration_statistics_find(
	struct measure_duration_statistics *statistics, double *values, size_t nr)
{
	double sum = 0;

	*statistics = (struct measure_duration_statistics){.nr = nr};
	if (nr == 0)
		return;
	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	statistics->mean = sum / (double)nr;
	statistics->deviation = values_deviation(values, nr, statistics->mean);
	statistics->least = measure_quantile(values, nr, 0);
	statistics->quartile = measure_quantile(values, nr, 0.25);
	statistics->median = measure_quantile(values, nr, 0.5);
	statistics->upper_quartile = measure_quantile(values, nr, 0.75);
	statistics->most = measure_quantile(values, nr, 1);
	statistics->fence = statistics->upper_quartile +
			    1.5 * (statistics->upper_quartile - statistics->quartile);
}
