/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the call of a function costs with each kind of hook that compilers have, none of which does
 * anything. Compiled by tests/bench/run, with the flags of each kind. Prints "call_ns MEDIAN". With
 * XRAY and an argument the sleds of -fxray-instrument are patched. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "bench.h"

enum { BATCHES = 101, CALLS = 100000 };

#ifdef XRAY
#define NO_HOOK __attribute__((xray_never_instrument, noinline))
int __xray_set_handler(void (*handler)(int32_t function, int kind));
int __xray_patch(void);

NO_HOOK static void handler(int32_t function, int kind)
{
	(void)function;
	(void)kind;
	__asm__ volatile("" ::: "memory");
}

NO_HOOK static void patch(void)
{
	__xray_set_handler(handler);
	__xray_patch();
}
#else
#define NO_HOOK __attribute__((no_instrument_function, noinline))

NO_HOOK static void patch(void)
{
}
#endif

__attribute__((noinline)) static void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

NO_HOOK int main(int argc, char **argv)
{
	double values[BATCHES];

	(void)argv;
	bench_pin();
	if (argc > 1)
		patch();
	for (int i = 0; i < BATCHES; i++) {
		uint64_t begin = bench_now();
		for (int k = 0; k < CALLS; k++)
			leaf();
		values[i] = (double)(bench_now() - begin) / CALLS;
	}
	printf("call_ns %.2f\n", bench_median(values, BATCHES));
	return 0;
}
