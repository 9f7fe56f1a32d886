/* SPDX-License-Identifier: BSD-3-Clause
 * Description: reductions, over tasks too: those start a team with GOMP_parallel_reductions. */
#include "t_omp.h"

static long plain(int n)
{
	long sum = 0;

#pragma omp parallel for num_threads(3) reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static long tasks(int n)
{
	long sum = 0;

#pragma omp parallel num_threads(3) reduction(task, + : sum)
	{
#pragma omp single
		for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
			sum += i;
		}
	}
	return sum;
}

int main(void)
{
	enum { ROUNDS = 20, N = 100 };

	for (int round = 0; round < ROUNDS; round++) {
		t_check(plain(N) == N * (N - 1) / 2, "reduction of a loop");
		t_check(tasks(N) == N * (N - 1) / 2, "reduction of tasks");
	}
	/* GCC ends a single with a barrier */
	return t_expect(2 * ROUNDS, 6 * ROUNDS, 3 * ROUNDS);
}
