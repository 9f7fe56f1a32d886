/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Medians and their intervals; see bootstrap.h. */
#include "config.h"

#include "bootstrap.h"

#include <stdint.h>
#include <stdlib.h>

#define RESAMPLES 2001
#define TAIL      3 /* of them on each side: 0.15 % */

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double measure_median(double *values, unsigned nr)
{
	qsort(values, nr, sizeof(*values), compare);
	return (values[nr / 2] + values[(nr - 1) / 2]) / 2;
}

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Of the values, which are sorted, as many are drawn as there are; the same ones may be. */
static double resample(const double *values, unsigned nr, uint64_t *state)
{
	static unsigned drawn[MOST_VALUES];
	unsigned seen = 0, i = 0;

	for (unsigned k = 0; k < nr; k++)
		drawn[k] = 0;
	for (unsigned k = 0; k < nr; k++)
		drawn[next_random(state) % nr]++;
	while ((seen += drawn[i]) <= nr / 2)
		i++;
	return values[i];
}

struct estimate measure_bootstrap(double *values, unsigned nr)
{
	static double medians[RESAMPLES];
	const double median = measure_median(values, nr);
	uint64_t state = nr;

	for (unsigned i = 0; i < RESAMPLES; i++)
		medians[i] = resample(values, nr, &state);
	measure_median(medians, RESAMPLES);
	return (struct estimate){median, medians[TAIL], medians[RESAMPLES - 1 - TAIL]};
}
