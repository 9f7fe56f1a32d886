/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenMP in a shared library: a team of `size` threads, with a barrier, a lock and a task. Returns
 * the sum of 1 for each thread and 1 for the task. */
#include <omp.h>

int t_share(int size);

int t_share(int size)
{
	int sum = 0;

#pragma omp parallel num_threads(size)
	{
#pragma omp critical
		sum++;
#pragma omp barrier
#pragma omp single
#pragma omp task shared(sum)
		sum++;
	}
	return sum;
}
