/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A function that does nothing, and what its hooks cost with its call. For programs that are
 * compiled with -finstrument-functions. */
#ifndef MEASURE_BENCH_LEAF_H
#define MEASURE_BENCH_LEAF_H

#include "bench.h"

enum { PAIRS_PER_BATCH = 10000 };

static __attribute__((noinline)) void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

/* Nanoseconds of a hook. */
BENCH_PLAIN double batch(void)
{
	uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++)
		leaf();
	return (double)(bench_now() - begin) / (2.0 * PAIRS_PER_BATCH);
}

#endif
