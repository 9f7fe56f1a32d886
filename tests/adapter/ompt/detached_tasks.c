/* SPDX-License-Identifier: BSD-3-Clause
 * Description: detached tasks, completed before and after their end, by another task, and at times
 * while others are made that wait for them. */
#include "t_ompt.h"

int main(void)
{
	enum { ROUNDS = 100, WAITING = 5 };
	long done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < ROUNDS; i++) {
		omp_event_handle_t event;
#pragma omp task detach(event) depend(out : done)
#pragma omp atomic
		done++;
#pragma omp task if (i % 2)
		omp_fulfill_event(event);
		for (int j = 0; j < WAITING; j++) {
#pragma omp task depend(in : done)
#pragma omp atomic
			done++;
		}
#pragma omp taskwait
	}
	t_check(done == (1 + WAITING) * ROUNDS, "done");
	t_expect("forks", 1);
	t_expect("begins", 2);
	t_expect("tasks", (2 + WAITING) * ROUNDS);
	return 0;
}
