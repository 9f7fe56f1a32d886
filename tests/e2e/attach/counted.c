/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program whose calls are counted by itself: after the file GO is there, until the file STOP is,
 * each thread calls a function that has compiled-in hooks, locks, and reads; it prints how often.
 * Before and after that it only waits, so that what is recorded from one file to the other is all.
 *
 *	counted THREADS */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif

#define MOST_THREADS 64
#define QUIET	     __attribute__((no_instrument_function))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint64_t functions, locks, reads, exchanges;
static _Atomic int phase; /* 1: it counts; 2: the end */

QUIET static void nap(void)
{
	const struct timespec time = {0, 1000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

__attribute__((noinline)) int counted_function(int value)
{
	return value * 3 + 1;
}

QUIET static void *run(void *unused)
{
	const int zero = open("/dev/zero", O_RDONLY);
	char byte;

	(void)unused;
	while (atomic_load(&phase) == 0)
		nap();
	while (atomic_load(&phase) == 1) {
		for (int i = 0; i < 10; i++)
			counted_function(i);
		atomic_fetch_add(&functions, 10);
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		atomic_fetch_add(&locks, 1);
		if (read(zero, &byte, 1) == 1)
			atomic_fetch_add(&reads, 1);
		nap();
	}
	while (atomic_load(&phase) == 2)
		nap();
	close(zero);
	return NULL;
}

QUIET static void exchange(int rank)
{
#ifdef WITH_MPI
	int value = rank, other = 0;

	MPI_Sendrecv(&value, 1, MPI_INT, 1 - rank, 7, &other, 1, MPI_INT, 1 - rank, 7,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (other == 1 - rank)
		atomic_fetch_add(&exchanges, 1);
#else
	(void)rank;
#endif
}

/* The file `name`, of this rank. */
QUIET static int is_there(const char *name, int rank)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.%d", name, rank);
	return access(path, F_OK) == 0;
}

QUIET int main(int count, char **arguments)
{
	const int nr = count > 1 ? atoi(arguments[1]) : 4;
	pthread_t threads[MOST_THREADS];
	int rank = 0;

#ifdef WITH_MPI
	int level;

	MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	for (int i = 0; i < nr; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	printf("pid %d rank %d\n", (int)getpid(), rank);
	fflush(stdout);
	while (!is_there("GO", rank))
		nap();
	atomic_store(&phase, 1);
	for (int i = 0; i < 100; i++) {
		exchange(rank);
		nap();
	}
	while (!is_there("STOP", rank))
		nap();
	atomic_store(&phase, 2);
	for (int i = 0; i < 50; i++)
		nap();
	printf("counts %d functions %lu locks %lu reads %lu exchanges %lu\n", rank, functions, locks,
		reads, exchanges);
	fflush(stdout);
	while (!is_there("END", rank))
		nap();
	atomic_store(&phase, 3);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
