/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the bench programs share: wall time, pinning to one core, sorting for medians. Needs
 * _GNU_SOURCE, which config.h defines. */
#ifndef MEASURE_BENCH_H
#define MEASURE_BENCH_H

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BENCH_PLAIN static inline __attribute__((no_instrument_function, unused))

/* Nanoseconds, unaffected by clock adjustment. */
BENCH_PLAIN uint64_t bench_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Pins the calling thread (and those it makes from now on) to the last core it may use. */
BENCH_PLAIN void bench_pin(void)
{
	cpu_set_t set;
	int cpu = CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return;
	while (cpu > 0 && !CPU_ISSET(cpu, &set))
		cpu--;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

BENCH_PLAIN void bench_pause(long milliseconds)
{
	struct timespec pause = { milliseconds / 1000, milliseconds % 1000 * 1000000 };

	nanosleep(&pause, NULL);
}

BENCH_PLAIN int bench_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts the values; the middle one. */
BENCH_PLAIN double bench_median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), bench_compare);
	return values[nr / 2];
}

#endif
