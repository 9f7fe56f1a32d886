/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a hook costs in a process with 64 threads that sleep and wake up, and when it is attached to:
 * waits for a file, then prints the median of many batches of hooks.
 *
 *	attached FILE */
#include "config.h"

#include <pthread.h>
#include <unistd.h>

#include "leaf.h"

#define NR_THREADS 63
#define NR_BATCHES 501

BENCH_PLAIN void *sleep_often(void *unused)
{
	for (;;)
		bench_pause(2);
	return unused;
}

__attribute__((no_instrument_function)) int main(int count, char **arguments)
{
	static double batches[NR_BATCHES];
	pthread_t thread;

	if (count != 2)
		return 2;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&thread, NULL, sleep_often, NULL);
	printf("running 1\n");
	fflush(stdout);
	while (access(arguments[1], F_OK) != 0)
		bench_pause(1);
	for (int i = 0; i < NR_BATCHES; i++)
		batches[i] = batch();
	qsort(batches, NR_BATCHES, sizeof(batches[0]), bench_compare);
	printf("event_ns %.2f\n", batches[NR_BATCHES / 2]);
	fflush(stdout);
	bench_pause(200); /* to be detached from */
	return 0;
}
