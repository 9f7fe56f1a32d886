/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What threads and their locks cost. Usage: threads MODE
 *
 *	mutex    lock and unlock of a mutex that nobody else wants: "mutex_ns MEDIAN" of the pair
 *	create   creation and join of a thread that does nothing: "create_ns MEDIAN" of both
 *
 * Short batches with pauses, so that memory is always there. */
#include "config.h"

#include <pthread.h>

#include "bench.h"

enum { BATCHES = 101, PAIRS_PER_BATCH = 4000, THREADS_PER_BATCH = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static double mutex_batch(void)
{
	const uint64_t begin = bench_now();

	for (int i = 0; i < PAIRS_PER_BATCH; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return (double)(bench_now() - begin) / PAIRS_PER_BATCH;
}

static void *nothing(void *data)
{
	return data;
}

static double create_batch(void)
{
	const uint64_t begin = bench_now();
	pthread_t thread;

	for (int i = 0; i < THREADS_PER_BATCH; i++) {
		if (pthread_create(&thread, NULL, nothing, NULL) != 0)
			exit(1);
		pthread_join(thread, NULL);
	}
	return (double)(bench_now() - begin) / THREADS_PER_BATCH;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	double (*batch)(void) = strcmp(mode, "mutex") == 0    ? mutex_batch
				: strcmp(mode, "create") == 0 ? create_batch
							      : NULL;
	double values[BATCHES];

	if (!batch) {
		fputs("usage: threads mutex | create\n", stderr);
		return 2;
	}
	/* The first batch makes threads of the tool, which must not inherit the pin. With a second
	 * thread there, the C library does not take its short cuts for processes of one. */
	create_batch();
	batch();
	bench_pause(100);
	bench_pin();
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch();
	}
	printf("%s_ns %.2f\n", mode, bench_median(values, BATCHES));
	return 0;
}
