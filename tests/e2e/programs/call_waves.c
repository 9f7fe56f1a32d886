/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that call functions, in waves: calls THREADS WAVES ROUNDS [FILE] [PAUSE]. Each thread
 * makes that many rounds of nested and flat calls, and the first wave goes on until the file is
 * there, and says "ready" when it waits for nothing else; PAUSE: microseconds between rounds.
 * Prints at last how many functions were entered and left.
 * Compiled with -finstrument-functions. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NO_HOOKS __attribute__((no_instrument_function))

static _Atomic long nr_calls;
static long rounds;
static unsigned pause_us;
static const char *file;

__attribute__((noinline)) static int leaf(int n)
{
	return n + 1;
}

/* 2 * (n + 1) calls. */
__attribute__((noinline)) static int nest(int n)
{
	return n == 0 ? leaf(n) : nest(n - 1) + leaf(n);
}

NO_HOOKS static void say(const char *what)
{
	puts(what);
	fflush(stdout);
}

NO_HOOKS static void *work(void *unused)
{
	long sum = 0;

	for (long i = 0; i < rounds || (file && access(file, F_OK) != 0); i++) {
		nest((int)(i % 40));
		sum += 2 * (i % 40 + 1);
		if (pause_us)
			usleep(pause_us);
		if (file && i == rounds)
			say("ready");
	}
	atomic_fetch_add(&nr_calls, sum);
	return unused;
}

NO_HOOKS int main(int count, char **arguments)
{
	int nr_threads = count > 1 ? atoi(arguments[1]) : 0;
	pthread_t threads[64];

	rounds = count > 3 ? atol(arguments[3]) : 0;
	file = count > 4 && *arguments[4] ? arguments[4] : NULL;
	pause_us = count > 5 ? (unsigned)atoi(arguments[5]) : 0;
	if (nr_threads > 64 || rounds <= 0)
		return 99;
	for (int wave = 0; wave < atoi(arguments[2]); wave++) {
		for (int i = 0; i < nr_threads; i++)
			if (pthread_create(&threads[i], NULL, work, NULL) != 0)
				return 98;
		for (int i = 0; i < nr_threads; i++)
			pthread_join(threads[i], NULL);
		file = NULL;
	}
	printf("%ld\n", 2 * nr_calls);
	return 7;
}
