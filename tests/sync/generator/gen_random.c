/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers that depend on the seed alone, and small helpers. */
#include "config.h"

#include "generate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

uint64_t gen_next(struct gen_random *random)
{
	return measure_random(&random->state);
}

uint64_t gen_below(struct gen_random *random, uint64_t bound)
{
	return bound ? (uint64_t)((unsigned __int128)gen_next(random) * bound >> 64) : 0;
}

double gen_uniform(struct gen_random *random)
{
	return (double)(gen_next(random) >> 11) * 0x1p-52 - 1;
}

/* Near enough, and the same on every machine: variance 1, within 6. */
double gen_normal(struct gen_random *random)
{
	double sum = 0;

	for (int i = 0; i < 12; i++)
		sum += gen_uniform(random);
	return sum / 2;
}

void *gen_zeroed(size_t nr, size_t size)
{
	void *memory = calloc(nr ? nr : 1, size);

	if (!memory)
		gen_fail("no memory", "");
	return memory;
}

void gen_fail(const char *what, const char *whom)
{
	fprintf(stderr, "generate: %s%s\n", what, whom);
	exit(2);
}
