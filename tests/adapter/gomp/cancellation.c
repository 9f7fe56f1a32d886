/* SPDX-License-Identifier: BSD-3-Clause
 * Description: cancelled regions, loops and barriers (OMP_CANCELLATION=true). */
#include "t_omp.h"

static int search(const int *values, int nr_values, int wanted)
{
	int found = -1;

#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < nr_values; i++) {
#pragma omp cancellation point for
			if (values[i] == wanted) {
#pragma omp atomic write
				found = i;
#pragma omp cancel for
			}
		}
	}
	return found;
}

static int stop(int at_thread)
{
	int stopped = 0;

#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == at_thread) {
#pragma omp atomic write
			stopped = 1;
#pragma omp cancel parallel
		}
#pragma omp barrier
#pragma omp atomic write
		stopped = 2;
	}
	return stopped;
}

int main(void)
{
	enum { N = 100, ROUNDS = 50 };
	int values[N];

	t_check(omp_get_cancellation(), "OMP_CANCELLATION=true is needed");
	for (int i = 0; i < N; i++)
		values[i] = i;
	for (int round = 0; round < ROUNDS; round++) {
		t_check(search(values, N, round) == round, "search");
		t_check(stop(round % 3) == 1, "nobody passes a cancelled barrier");
	}
	return t_expect(2 * ROUNDS, 6 * ROUNDS, -1);
}
