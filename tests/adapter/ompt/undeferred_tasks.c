/* SPDX-License-Identifier: BSD-3-Clause
 * Description: undeferred tasks that wait for others, on threads that have been in a team before.
 *
 * LLVM's library aborts there where a tool has left its data in the implicit task of that team. */
#include "t_ompt.h"

int main(void)
{
	enum { THREADS = 3, REGIONS = 4 };
	int value = 0;

	for (int i = 0; i < REGIONS; i++) {
#pragma omp parallel num_threads(THREADS)
		if (omp_get_thread_num() == THREADS - 1) { /* not the master */
#pragma omp task depend(inout : value) shared(value)
			value++;
#pragma omp task depend(inout : value) shared(value) if (0)
			value++;
		}
	}
	t_check(value == 2 * REGIONS, "value");
	t_expect("forks", REGIONS);
	t_expect("begins", REGIONS * THREADS);
	t_expect("tasks", 2 * REGIONS);
	return 0;
}
