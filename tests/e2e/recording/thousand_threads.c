/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Very many threads: crowd at-once|one-by-one THREADS. Each calls functions when it begins and,
 * where all are there at once, when all are there. Prints the KiB of shared memory that this
 * process has then. Compiled with -finstrument-functions. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../status.h"

#define NO_HOOKS __attribute__((no_instrument_function))

static sem_t arrived, go;
static int is_at_once;

__attribute__((noinline)) static int leaf(int n)
{
	return n + 1;
}

/* Three functions are entered and left. */
static void *work(void *unused)
{
	leaf(1);
	sem_post(&arrived);
	if (is_at_once)
		sem_wait(&go);
	leaf(2);
	return unused;
}

NO_HOOKS int main(int count, char **arguments)
{
	int nr_threads = count > 2 ? atoi(arguments[2]) : 0;
	pthread_t *threads = calloc((size_t)nr_threads + 1, sizeof(*threads));
	pthread_attr_t small;

	is_at_once = count > 1 && strcmp(arguments[1], "at-once") == 0;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 * 1024);
	sem_init(&arrived, 0, 0);
	sem_init(&go, 0, 0);
	for (int i = 0; i < nr_threads; i++) {
		if (pthread_create(&threads[i], &small, work, NULL) != 0)
			return 77;
		if (!is_at_once)
			pthread_join(threads[i], NULL);
	}
	for (int i = 0; i < nr_threads; i++)
		sem_wait(&arrived);
	printf("%ld\n", status_kib("RssShmem"));
	for (int i = 0; i < nr_threads && is_at_once; i++)
		sem_post(&go);
	for (int i = 0; i < nr_threads && is_at_once; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
