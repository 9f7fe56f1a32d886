/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What OpenMP constructs cost that do nothing themselves, on two threads: a parallel region, a
 * critical section that nobody else wants, and a task from its making to its end. Prints medians
 * over short batches with pauses, so that memory is always there. */
#include "config.h"

#include <omp.h>

#include "bench.h"

enum { BATCHES = 51, REGIONS = 500, CRITICALS = 4000, TASKS = 1000 };

static uint64_t regions(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(2)
		__asm__ volatile("");
	}
	return bench_now() - begin;
}

static uint64_t criticals(void)
{
	uint64_t time = 0;

#pragma omp parallel num_threads(2)
#pragma omp master
	{
		uint64_t begin = bench_now();

		for (int i = 0; i < CRITICALS; i++) {
#pragma omp critical
			__asm__ volatile("");
		}
		time = bench_now() - begin;
	}
	return time;
}

static uint64_t tasks(void)
{
	uint64_t time = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
		uint64_t begin = bench_now();

		for (int i = 0; i < TASKS; i++) {
#pragma omp task
			__asm__ volatile("");
		}
#pragma omp taskwait
		time = bench_now() - begin;
	}
	return time;
}

static void measure(const char *what, uint64_t (*batch)(void), int nr)
{
	double values[BATCHES];

	batch();
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(2);
		values[i] = (double)batch() / nr;
	}
	printf("%s_ns %.2f\n", what, bench_median(values, BATCHES));
}

int main(void)
{
	measure("region", regions, REGIONS);
	measure("critical", criticals, CRITICALS);
	measure("task", tasks, TASKS);
	return 0;
}
