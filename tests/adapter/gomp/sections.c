/* SPDX-License-Identifier: BSD-3-Clause
 * Description: combined and orphaned sections, single, and tasks inside a region. */
#include "t_omp.h"

static int done[8];

static void orphaned(void)
{
#pragma omp sections
	{
#pragma omp section
		done[0]++;
#pragma omp section
		done[1]++;
	}
#pragma omp single
	for (int i = 2; i < 5; i++) {
#pragma omp task firstprivate(i)
		done[i]++;
	}
}

int main(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		done[5]++;
#pragma omp section
		done[6]++;
#pragma omp section
		done[7]++;
	}
#pragma omp parallel num_threads(3)
	orphaned();
	orphaned(); /* outside of a region: a team of one that nobody forked */
	for (int i = 0; i < 8; i++)
		t_check(done[i] == (i < 5 ? 2 : 1), "each section and task ran");
	/* GCC ends a single with a barrier */
	return t_expect(2, 5, 3 + 1);
}
