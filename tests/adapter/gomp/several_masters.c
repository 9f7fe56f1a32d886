/* SPDX-License-Identifier: BSD-3-Clause
 * Description: several masters at once, each with its own threads; pauses; a host target. */
#include <pthread.h>

#include "t_omp.h"

enum { MASTERS = 2, ROUNDS = 20 };

static void region(void)
{
	int came = 0;

#pragma omp parallel num_threads(3) reduction(+ : came)
	came++;
	t_check(came == 3, "team size");
}

static void *master(void *argument)
{
	for (int i = 0; i < ROUNDS; i++)
		region();
	return argument;
}

int main(void)
{
	pthread_t threads[MASTERS];

	for (int i = 0; i < MASTERS; i++)
		pthread_create(&threads[i], NULL, master, NULL);
	master(NULL);
	for (int i = 0; i < MASTERS; i++)
		pthread_join(threads[i], NULL);
#pragma omp target
	region();
	region();
	t_check(omp_pause_resource_all(omp_pause_soft) == 0, "pause");
	region();
	return t_expect((MASTERS + 1) * ROUNDS + 3, 3 * ((MASTERS + 1) * ROUNDS + 3), 0);
}
