/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For totals.sh: tasks in tasks, and parallel regions with tasks of their own in tasks. */
#include <omp.h>
static volatile long sink;
static long fib(int n)
{
	long a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b) untied
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
static void inner(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		for (int i = 0; i < 3; i++)
#pragma omp task
			sink += fib(3);
#pragma omp critical
		sink++;
	}
}
int main(void)
{
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3)
#pragma omp single
	sink += fib(8);
	for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single
		for (int j = 0; j < 3; j++)
#pragma omp task
			inner();
	}
	return 0;
}
