/* SPDX-License-Identifier: BSD-3-Clause
 * Description: parallel regions one after the other, of the same and of one thread. */
#include "t_omp.h"

static long work(int is_parallel)
{
	long sum = 0;

#pragma omp parallel num_threads(3) if (is_parallel)
	{
#pragma omp atomic
		sum += 1 + omp_get_thread_num();
	}
	return sum;
}

int main(void)
{
	for (int i = 0; i < 10; i++) {
		t_check(work(1) == 6, "three threads");
		t_check(work(0) == 1, "one thread");
	}
	return t_expect(20, 40, 0);
}
