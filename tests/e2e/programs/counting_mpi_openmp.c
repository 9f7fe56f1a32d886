/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI and OpenMP program that counts what its threads do in files, for whoever ends it at any
 * moment:
 *
 *	hybrid ITERATIONS COUNTS [abort|kill|exit]
 *
 * COUNTS.RANK is an array of numbers, one for each thread of the rank: how often its function was
 * entered and left. With a third argument rank 1 ends that way in the middle. */
#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define QUIET __attribute__((no_instrument_function))
#define STEPS 200 /* of a thread in an iteration */

static volatile uint64_t *counts;
static int rank, size;

__attribute__((noinline)) static int step_0(int n)
{
	return n + 1;
}

__attribute__((noinline)) static int step_1(int n)
{
	return n + 2;
}

QUIET static void work(int thread)
{
	for (int i = 0; i < STEPS; i++) {
		if ((thread ? step_1(i) : step_0(i)) >= 0)
			counts[thread]++;
	}
}

static int open_counts(const char *prefix)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s.%d", prefix, rank);
	int fd = open(path, O_RDWR | O_CREAT, 0666);
	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 0;
	counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return counts != MAP_FAILED;
}

static void iterate(void)
{
	const struct timespec pause = {0, 2000000};
	int value = rank;

#pragma omp parallel num_threads(2)
	work(omp_get_thread_num());
	MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	nanosleep(&pause, NULL);
}

static void end(const char *how)
{
	if (strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 6);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "exit") == 0)
		exit(4);
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 99;
	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (!open_counts(arguments[2]))
		return 99;
	int nr = atoi(arguments[1]);
	for (int i = 0; i < nr; i++) {
		if (count > 3 && rank == 1 && i == nr / 2)
			end(arguments[3]);
		iterate();
	}
	MPI_Finalize();
	return 0;
}
