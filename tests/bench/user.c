/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What measure.h costs a program that is compiled with -finstrument-functions as well, so that both
 * are compared in one run: "function_ns MEDIAN", "region_ns MEDIAN", an event of each, and "ratio
 * MEDIAN" of the two in one turn. Each turn is a short burst with a pause, so that memory is always
 * there. Without measure: "call_ns MEDIAN", what a call costs that finds nobody, against the loop
 * without it, and "named_ns MEDIAN" of a call that would look up a name. */
#include "config.h"

#include "leaf.h"
#include "measure.h"

enum { BATCHES = 151, CALLS = 100000 };

MEASURE_REGION_DEFINE(bench, "bench");

/* As much as the call of a function does besides its hooks. */
BENCH_PLAIN void barrier(void)
{
	__asm__ volatile("" ::: "memory");
}

BENCH_PLAIN double regions(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++) {
		MEASURE_REGION_BEGIN(bench);
		barrier();
		MEASURE_REGION_END(bench);
	}
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

BENCH_PLAIN void recorded(void)
{
	double function[BATCHES], region[BATCHES], ratio[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		function[i] = batch();
		bench_pause(3);
		region[i] = regions();
		ratio[i] = region[i] / function[i];
	}
	printf("function_ns %.2f\n", bench_median(function, BATCHES));
	printf("region_ns %.2f\n", bench_median(region, BATCHES));
	printf("ratio %.3f\n", bench_median(ratio, BATCHES));
}

/* ns for each of so many rounds of the loop. */
#define TIME(statement)                                                                            \
	__extension__({                                                                            \
		uint64_t begin = bench_now();                                                      \
		for (int k = 0; k < CALLS; k++) {                                                  \
			statement;                                                                 \
			barrier();                                                                 \
		}                                                                                  \
		(double)(bench_now() - begin) / CALLS;                                             \
	})

BENCH_PLAIN void alone(void)
{
	double call[BATCHES], named[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		double empty = TIME((void)0);
		call[i] = TIME(MEASURE_REGION_BEGIN(bench)) - empty;
		named[i] = TIME(measure_region_begin("bench")) - empty;
	}
	printf("call_ns %.2f\n", bench_median(call, BATCHES));
	printf("named_ns %.2f\n", bench_median(named, BATCHES));
}

__attribute__((no_instrument_function)) int main(void)
{
	leaf();
	bench_pause(100);
	bench_pin();
	if (measure_recording())
		recorded();
	else
		alone();
	return 0;
}
