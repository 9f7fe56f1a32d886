/* SPDX-License-Identifier: BSD-3-Clause
 * Description: regions as GCC up to 4.8 started them, in two calls, also nested. */
#include <stdbool.h>

#include "t_omp.h"

void GOMP_parallel_start(void (*function)(void *), void *data, unsigned nr_threads);
void GOMP_parallel_loop_dynamic_start(void (*function)(void *), void *data, unsigned nr_threads,
	long start, long end, long step, long chunk);
void GOMP_parallel_sections_start(void (*function)(void *), void *data, unsigned nr_threads,
	unsigned count);
void GOMP_parallel_end(void);
bool GOMP_loop_dynamic_next(long *start, long *end);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

enum { THREADS = 3, ROUNDS = 10 };

static void count(void *data)
{
	__atomic_add_fetch((int *)data, 1, __ATOMIC_RELAXED);
}

static void outer(void *data)
{
	GOMP_parallel_start(count, data, 2);
	count(data);
	GOMP_parallel_end();
}

static void loop(void *data)
{
	long start, end;

	while (GOMP_loop_dynamic_next(&start, &end))
		for (; start < end; start++)
			count(data);
	GOMP_loop_end_nowait();
}

static void sections(void *data)
{
	while (GOMP_sections_next())
		count(data);
	GOMP_sections_end_nowait();
}

int main(void)
{
	int counts[3] = {0};

	omp_set_max_active_levels(2);
	for (int i = 0; i < ROUNDS; i++) {
		GOMP_parallel_start(outer, &counts[0], THREADS);
		outer(&counts[0]);
		GOMP_parallel_end();
		GOMP_parallel_loop_dynamic_start(loop, &counts[1], THREADS, 0, 10, 1, 1);
		loop(&counts[1]);
		GOMP_parallel_end();
		GOMP_parallel_sections_start(sections, &counts[2], THREADS, 4);
		sections(&counts[2]);
		GOMP_parallel_end();
	}
	t_check(counts[0] == 2 * THREADS * ROUNDS, "nested in two calls");
	t_check(counts[1] == 10 * ROUNDS, "loop in two calls");
	t_check(counts[2] == 4 * ROUNDS, "sections in two calls");
	return t_expect(ROUNDS * (1 + THREADS + 2), ROUNDS * 5 * THREADS, 0);
}
