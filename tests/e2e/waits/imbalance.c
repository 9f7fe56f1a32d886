/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A loop of four iterations for two threads, of which the second thread's take longer by 50 ms in
 * all; and a critical section of 20 ms that both want. */
#include <omp.h>
#include <unistd.h>

int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static)
		for (int i = 0; i < 4; i++)
			usleep(i < 2 ? 5000 : 30000);
#pragma omp critical
		usleep(20000);
	}
	return 0;
}
