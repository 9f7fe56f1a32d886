/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Is killed inside of nested regions, maybe before all threads of a team have come; with an
 * argument: exits there. */
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int main(int nr_arguments, char **arguments)
{
	(void)arguments;
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() == 1) {
			if (nr_arguments > 1)
				exit(3);
			raise(SIGKILL);
		}
		sleep(5);
	}
	return 0;
}
