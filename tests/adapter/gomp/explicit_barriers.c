/* SPDX-License-Identifier: BSD-3-Clause
 * Description: explicit barriers: in a region, orphaned, and outside of any region. */
#include "t_omp.h"

enum { THREADS = 3, ROUNDS = 30 };

static int flags[THREADS];

static __attribute__((noinline)) void orphaned(void)
{
	flags[omp_get_thread_num()] += 0;
#pragma omp barrier
}

int main(void)
{
	orphaned();
	for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
			int me = omp_get_thread_num();

			flags[me] = round;
#pragma omp barrier
			t_check(flags[(me + 1) % THREADS] == round, "barrier");
			orphaned();
		}
	}
	return t_expect(ROUNDS, ROUNDS * THREADS, 1 + 2 * ROUNDS * THREADS);
}
