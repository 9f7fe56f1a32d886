/* SPDX-License-Identifier: BSD-3-Clause
 * Description: cancelled loops, sections, regions and taskgroups (OMP_CANCELLATION=true): what
 * was open is left, and tasks that are thrown away are over. */
#include "t_ompt.h"

enum { THREADS = 3, ROUNDS = 20 };

static void cancel_work(void)
{
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for
		for (int i = 0; i < 50; i++) {
			if (i == 7) {
#pragma omp cancel for
			}
#pragma omp cancellation point for
		}
#pragma omp sections
		{
#pragma omp section
			{
#pragma omp cancel sections
			}
#pragma omp section
			{
#pragma omp cancellation point sections
			}
		}
#pragma omp barrier
	}
}

static void cancel_tasks(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 20; i++) {
#pragma omp task
		{
			if (i == 5) {
#pragma omp cancel taskgroup
			}
		}
	}
}

int main(void)
{
	t_check(omp_get_cancellation(), "OMP_CANCELLATION=true is needed");
	for (int round = 0; round < ROUNDS; round++) {
		cancel_work();
		cancel_tasks();
#pragma omp parallel num_threads(THREADS)
		{
			if (omp_get_thread_num() == round % THREADS) {
#pragma omp cancel parallel
			}
#pragma omp barrier
		}
	}
	t_expect("forks", 3 * ROUNDS);
	t_expect("begins", 3 * THREADS * ROUNDS);
	t_expect("sections", THREADS * ROUNDS);
	t_expect("loops", THREADS * ROUNDS);
	t_expect("tasks", 20 * ROUNDS);
	return 0;
}
