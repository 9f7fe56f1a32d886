/* SPDX-License-Identifier: BSD-3-Clause
 * Description: nested regions, with more levels than are active. */
#include "t_omp.h"

int main(void)
{
	enum { ROUNDS = 20 };
	long inner = 0, innermost = 0;

	omp_set_max_active_levels(2);
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
		{
#pragma omp atomic
			inner++;
#pragma omp parallel num_threads(2)
			{
#pragma omp atomic
				innermost++;
			}
		}
	}
	t_check(inner == 6 * ROUNDS, "inner teams of three");
	t_check(innermost == 6 * ROUNDS, "innermost teams of one");
	return t_expect(ROUNDS * (1 + 2 + 6), ROUNDS * (2 + 6 + 6), 0);
}
