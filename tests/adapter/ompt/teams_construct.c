/* SPDX-License-Identifier: BSD-3-Clause
 * Description: teams constructs on the host with loops distributed over them, and regions before
 * and after. */
#include "t_ompt.h"

int main(void)
{
	enum { N = 40 };
	long sum = 0;

	for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(3)
#pragma omp atomic
		sum += 100;
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute parallel for num_threads(2)
		for (int i = 0; i < N; i++) {
#pragma omp atomic
			sum += i;
		}
	}
	t_check(sum == 3 * (300 + N * (N - 1) / 2), "sum");
	t_expect("barriers", 0);
	return 0;
}
