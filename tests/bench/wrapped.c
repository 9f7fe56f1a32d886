/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a wrapped call costs: with two arguments recorded, and through a stub, each against the
 * Enter and Leave of a function by the compiler, in bursts that alternate. Compiled with
 * -finstrument-functions; the functions that are wrapped are in wrapped_library.c. */
#include "config.h"

#include "leaf.h"

int wrapped_call(int a, unsigned long b);
int wrapped_stub(int nr, ...);

enum { BURSTS = 151, CALLS = 2000 };

BENCH_PLAIN double burst_of_calls(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < CALLS; i++)
		wrapped_call(i, 3);
	return (double)(bench_now() - begin) / CALLS;
}

BENCH_PLAIN double burst_of_stubs(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < CALLS; i++)
		wrapped_stub(0);
	return (double)(bench_now() - begin) / CALLS;
}

__attribute__((no_instrument_function)) int main(void)
{
	double calls[BURSTS], stubs[BURSTS], hooks[BURSTS], ratios[BURSTS];

	bench_pin();
	for (int i = 0; i < BURSTS; i++) {
		bench_pause(3);
		hooks[i] = 2 * batch();
		calls[i] = burst_of_calls();
		stubs[i] = burst_of_stubs();
		ratios[i] = calls[i] / hooks[i];
	}
	printf("call_ns %.2f\n", bench_median(calls, BURSTS));
	printf("stub_ns %.2f\n", bench_median(stubs, BURSTS));
	printf("hooks_ns %.2f\n", bench_median(hooks, BURSTS));
	printf("ratio %.3f\n", bench_median(ratios, BURSTS));
	return 0;
}
