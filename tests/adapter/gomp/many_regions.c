/* SPDX-License-Identifier: BSD-3-Clause
 * Description: thousands of regions of one size use one communicator. */
#include "t_omp.h"

int main(void)
{
	enum { NR_REGIONS = 5000 };
	long sum = 0;

	for (int i = 0; i < NR_REGIONS; i++) {
#pragma omp parallel num_threads(2) reduction(+ : sum)
		sum += i;
	}
	t_check(sum == 2L * NR_REGIONS * (NR_REGIONS - 1) / 2, "sum");
	printf("comms 1\n");
	return t_expect(NR_REGIONS, 2L * NR_REGIONS, 0);
}
