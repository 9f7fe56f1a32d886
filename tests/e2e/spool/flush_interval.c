/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that counts what its threads do in a file, and when, for whoever kills it together with
 * its keeper:
 *
 *	flushed KIND COUNTS
 *
 * KIND: sleeping (1000 calls, then nothing), slow (30 calls a second), fast, threads (eight, each
 *half as fast as the one before), short (calls within each other that last for some ms), or
 *ranks (of MPI, compiled with WITH_MPI). COUNTS, or COUNTS.RANK, is as struct measure_history says.
*/
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif

#include "history.h"

#define QUIET   __attribute__((no_instrument_function))
#define SECONDS 60

static struct measure_history *history;

#define STEP(n)                                                                                    \
	__attribute__((noinline)) static int step_##n(int value)                                   \
	{                                                                                          \
		return value + (n);                                                                \
	}
STEP(0)
STEP(1)
STEP(2)
STEP(3)
STEP(4)
STEP(5)
STEP(6)
STEP(7)
static int (*const steps[HISTORY_THREADS])(int) = {
	step_0, step_1, step_2, step_3, step_4, step_5, step_6, step_7};

QUIET static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* What is counted is over, and its events are committed. */
QUIET static void step(int thread, int nr)
{
	for (int i = 0; i < nr; i++)
		if (steps[thread](i) >= 0)
			history->counts[thread]++;
	uint64_t slot = (now() - history->begin) / HISTORY_SLOT_NS;
	if (slot < HISTORY_SLOTS)
		history->slots[slot][thread] = history->counts[thread];
}

QUIET static void nap(long us)
{
	const struct timespec time = {us / 1000000, us % 1000000 * 1000};

	nanosleep(&time, NULL);
}

__attribute__((noinline)) static void tiny(volatile int *value)
{
	++*value;
}

/* Calls of 3, 6, 9, ... ms within each other: a filter may take the inner ones back. */
__attribute__((noinline)) static void nested(int depth, volatile int *value)
{
	uint64_t end = now() + 3000000;

	if (depth > 0)
		nested(depth - 1, value);
	for (int i = 0; i < 100 || now() < end; i++)
		tiny(value);
}

QUIET static void go_on(int thread, int nr, long us)
{
	while (now() - history->begin < SECONDS * UINT64_C(1000000000)) {
		step(thread, nr);
		nap(us);
	}
}

QUIET static void *one_of_eight(void *thread)
{
	go_on((int)(intptr_t)thread, 3, 1000L << (intptr_t)thread);
	return NULL;
}

QUIET static void *fast(void *thread)
{
	go_on((int)(intptr_t)thread, 300, 50);
	return NULL;
}

QUIET static void run_threads(int nr, void *(*function)(void *))
{
	pthread_t threads[HISTORY_THREADS];

	for (intptr_t i = 1; i < nr; i++)
		if (pthread_create(&threads[i], NULL, function, (void *)i) != 0)
			exit(98);
	function(NULL);
	for (int i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
}

QUIET static void run_short(void)
{
	volatile int value = 0;

	while (now() - history->begin < SECONDS * UINT64_C(1000000000)) {
		nested(4, &value);
		step(0, 1);
		for (uint64_t end = now() + 20000000; now() < end;)
			tiny(&value);
	}
}

#ifdef WITH_MPI
QUIET static void run_ranks(int rank, int size)
{
	while (now() - history->begin < SECONDS * UINT64_C(1000000000)) {
		int value = rank;
		step(rank % HISTORY_THREADS, 5);
		MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0,
			(rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		nap(10000);
	}
}
#else
QUIET static void run_ranks(int rank, int size)
{
	(void)rank, (void)size;
}
#endif

static int open_history(const char *name, int rank)
{
	char path[4096];

	snprintf(path, sizeof(path), rank < 0 ? "%s" : "%s.%d", name, rank);
	int fd = open(path, O_RDWR | O_CREAT, 0666);
	if (fd < 0 || ftruncate(fd, sizeof(*history)) != 0)
		return 0;
	history = mmap(NULL, sizeof(*history), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (history == MAP_FAILED)
		return 0;
	history->begin = now();
	return 1;
}

int main(int count, char **arguments)
{
	int rank = -1, size = 0;

#ifdef WITH_MPI
	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
#endif
	const char *kind = count == 3 ? arguments[1] : "";
	if (count != 3 || !open_history(arguments[2], rank))
		return 99;
	step(0, strcmp(kind, "sleeping") == 0 ? 1000 : 1);
	printf("ready\n");
	fflush(stdout);
	if (strcmp(kind, "sleeping") == 0)
		sleep(SECONDS);
	else if (strcmp(kind, "slow") == 0)
		go_on(0, 1, 33000);
	else if (strcmp(kind, "fast") == 0)
		run_threads(2, fast);
	else if (strcmp(kind, "threads") == 0)
		run_threads(HISTORY_THREADS, one_of_eight);
	else if (strcmp(kind, "short") == 0)
		run_short();
	else
		run_ranks(rank, size);
	return 0;
}
