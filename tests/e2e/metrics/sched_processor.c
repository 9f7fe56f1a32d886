/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Moves itself to processors by turns and calls a function some times on each: moves CALLS
 * PROCESSOR... Then a second thread does the same. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static int nr_calls, nr_processors;
static char **processors;
static volatile int total;

__attribute__((noinline)) static void step(int by)
{
	total += by;
}

__attribute__((no_instrument_function)) static void move(int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		exit(1);
}

static void *work(void *argument)
{
	for (int i = 0; i < nr_processors; i++) {
		move(atoi(processors[i]));
		for (int k = 0; k < nr_calls; k++)
			step(k);
	}
	return argument;
}

int main(int count, char **arguments)
{
	pthread_t thread;

	if (count < 3)
		return 2;
	nr_calls = atoi(arguments[1]);
	processors = arguments + 2;
	nr_processors = count - 2;
	work(NULL);
	if (pthread_create(&thread, NULL, work, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 1;
	return 0;
}
