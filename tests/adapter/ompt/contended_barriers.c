/* SPDX-License-Identifier: BSD-3-Clause
 * Description: 64 threads, with barriers and a lock that all want. */
#include "t_ompt.h"

int main(void)
{
	enum { THREADS = 64, ROUNDS = 5 };
	long sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
#pragma omp critical
			sum++;
#pragma omp barrier
			t_check(sum >= (round + 1L) * THREADS, "all before the barrier");
#pragma omp critical
			sum += 0;
		}
	}
	t_expect("forks", ROUNDS);
	t_expect("begins", THREADS * ROUNDS);
	t_expect("barriers", THREADS * ROUNDS);
	t_expect("acquires", 2 * THREADS * ROUNDS);
	t_expect("comms", 1);
	return 0;
}
