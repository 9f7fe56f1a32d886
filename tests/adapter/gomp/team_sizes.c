/* SPDX-License-Identifier: BSD-3-Clause
 * Description: teams that grow and shrink, by clause and by omp_set_num_threads. */
#include "t_omp.h"

static long team(int size)
{
	long came = 0;

	omp_set_num_threads(size);
#pragma omp parallel
	{
#pragma omp atomic
		came++;
	}
	t_check(came == size, "team size by omp_set_num_threads");
	came = 0;
#pragma omp parallel num_threads(size) reduction(+ : came)
	came++;
	t_check(came == size, "team size by clause");
	return 2 * came;
}

int main(void)
{
	static const int sizes[] = {4, 2, 4, 1, 4, 3, 2, 5, 5, 1, 1, 2, 6, 4, 3, 2};
	long begins = 0, forks = 0;

	omp_set_dynamic(0);
	for (int round = 0; round < 5; round++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			begins += team(sizes[i]);
			forks += 2;
		}
	return t_expect(forks, begins, 0);
}
