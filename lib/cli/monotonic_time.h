/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Time for deadlines, and for how long things take; what is recorded has lib/clock. */
#ifndef MEASURE_CLI_MONOTONIC_TIME_H
#define MEASURE_CLI_MONOTONIC_TIME_H

#include <stdint.h>
#include <time.h>

static inline int64_t measure_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline double measure_now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
