/* SPDX-License-Identifier: BSD-3-Clause
 * Description: detached tasks, completed before and after their end, by another task. */
#include "t_ompt.h"

int main(void)
{
	enum { ROUNDS = 20 };
	long done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < ROUNDS; i++) {
		omp_event_handle_t event;
#pragma omp task detach(event)
#pragma omp atomic
		done++;
#pragma omp task if (i % 2)
		omp_fulfill_event(event);
#pragma omp taskwait
	}
	t_check(done == ROUNDS, "done");
	t_expect("forks", 1);
	t_expect("begins", 2);
	t_expect("tasks", 2 * ROUNDS);
	return 0;
}
