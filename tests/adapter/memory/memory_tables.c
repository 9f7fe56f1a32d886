/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: what the adapter keeps of threads and of sizes, used by many threads at once;
 * without the adapter, which ThreadSanitizer cannot have around it. */
#include "config.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "next_allocator.h"
#include "block_sizes.h"
#include "memory_thread.h"

enum { NR_THREADS = 8, NR_ROUNDS = 20, NR_STRETCHES = 16, STRETCH = 1 << 26, APART = 64 };

static pthread_barrier_t barrier;
static int numbers[NR_THREADS];

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                     \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* Nothing need be there. Of each range all have some. */
static const void *address(int round, int range, int number)
{
	return (const void *)((uintptr_t)(range + 1) * STRETCH +
			      (uintptr_t)(round * NR_THREADS + number) * APART);
}

static size_t size(int range, int number)
{
	return ((size_t)range << 20) + (size_t)number;
}

static void put(int round, int number)
{
	for (int i = 0; i < NR_STRETCHES; i++)
		MUST(measure_size_put(address(round, i, number), size(i, number)) ==
			(int64_t)size(i, number));
}

static void take(int round, int number)
{
	for (int i = 0; i < NR_STRETCHES; i++) {
		MUST(measure_size_take(address(round, i, number)) == size(i, number));
		MUST(measure_size_take(address(round, i, number)) == MEASURE_SIZE_UNKNOWN);
	}
}

/* A row is nobody else's until it is given back, with what is in it. */
static void count(void)
{
	struct measure_memory_thread *row = measure_memory_thread_begin();

	MUST(row && row == measure_memory_self);
	row->pending++;
	measure_memory_thread_end();
}

static void *work(void *argument)
{
	const int number = *(const int *)argument, next = (number + 1) % NR_THREADS;

	for (int i = 0; i < NR_ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		put(i, number);
		count();
		pthread_barrier_wait(&barrier);
		take(i, next);
	}
	return NULL;
}

static int64_t pending(void)
{
	struct measure_memory_thread *row;
	int64_t sum = 0;

	for (int i = 0; i < NR_THREADS; i++) {
		row = measure_memory_thread_begin();
		sum += row->pending;
		measure_memory_self = NULL; /* not given back: the next one is another */
	}
	return sum;
}

int main(void)
{
	pthread_t threads[NR_THREADS];

	measure_memory_resolve();
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++) {
		numbers[i] = i;
		MUST(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	MUST(pending() == NR_THREADS * NR_ROUNDS);
	return 0;
}
