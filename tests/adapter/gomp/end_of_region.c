/* SPDX-License-Identifier: BSD-3-Clause
 * Description: threads wait for the last one at the end of a region: teams of different sizes,
 * serial teams, and nested ones. */
#include <unistd.h>

#include "t_omp.h"

enum { ROUNDS = 10 };

static int nr_done;

static void done(void)
{
#pragma omp atomic
	nr_done++;
}

static void late(int number)
{
	if (omp_get_thread_num() == number)
		usleep(2000);
	done();
}

int main(void)
{
	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(2 + round % 3)
		late(round % 2);
#pragma omp parallel num_threads(1)
		late(0);
	}
	t_check(nr_done == 39, "everybody came");
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(3)
	late(2);
	t_check(nr_done == 45, "everybody came");
	printf("forks %d begins %d ends %d\n", 2 * ROUNDS + 3, 47, 47);
	return 0;
}
