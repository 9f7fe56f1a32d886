/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many short threads, a few at a time, some of which nobody waits for. */
#include <pthread.h>
#include <semaphore.h>

#include "t_thread.h"

#define NR_ROUNDS 500
#define AT_ONCE	  4

static sem_t has_run;

static void *work(void *data)
{
	sem_post(&has_run);
	return data;
}

int main(void)
{
	pthread_t threads[AT_ONCE];
	int nr_threads = t_nr_threads();

	sem_init(&has_run, 0, 0);
	for (int round = 0; round < NR_ROUNDS; round++) {
		for (int i = 0; i < AT_ONCE; i++)
			T_MUST(pthread_create(&threads[i], NULL, work, NULL) == 0);
		T_MUST(pthread_detach(threads[0]) == 0);
		for (int i = 1; i < AT_ONCE; i++)
			T_MUST(pthread_join(threads[i], NULL) == 0);
	}
	for (int i = 0; i < NR_ROUNDS * AT_ONCE; i++)
		T_MUST(sem_wait(&has_run) == 0);
	t_wait_for_threads(nr_threads); /* the detached ones have posted, but may not be gone */

	t_events("thread_create", NR_ROUNDS * AT_ONCE);
	t_events("thread_begin", NR_ROUNDS * AT_ONCE);
	t_events("thread_end", NR_ROUNDS * AT_ONCE);
	t_events("thread_wait", NR_ROUNDS * (AT_ONCE - 1));
	return 0;
}
