/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Is killed inside of nested regions, maybe before all threads of a team have come. */
#include <omp.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1)
			raise(SIGKILL);
		sleep(5);
	}
	return 0;
}
