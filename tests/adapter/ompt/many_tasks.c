/* SPDX-License-Identifier: BSD-3-Clause
 * Description: 200,000 tasks made by all threads. */
#include "t_ompt.h"

int main(void)
{
	enum { THREADS = 4, TASKS = 50000 };
	long sum = 0;

#pragma omp parallel num_threads(THREADS) shared(sum)
	for (int i = 0; i < TASKS; i++) {
#pragma omp task
#pragma omp atomic
		sum++;
	}
	t_check(sum == (long)THREADS * TASKS, "sum");
	t_expect("forks", 1);
	t_expect("begins", THREADS);
	t_expect("barriers", 0);
	t_expect("tasks", (long)THREADS * TASKS);
	return 0;
}
