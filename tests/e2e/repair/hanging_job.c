/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program with a thread beside each rank that hangs: the last rank waits for a message that
 * nobody sends, the others for it. Rank 0 has a thread that goes on recording. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static int step(int n)
{
	return n + 1;
}

static void *busy(void *unused)
{
	volatile int sum = 0;

	for (;;) {
		for (int i = 0; i < 20; i++)
			sum += step(i);
		usleep(2000);
	}
	return unused;
}

static void *idle(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void solve(int rank, int size)
{
	int value = rank;

	for (int i = 0; i < 20000; i++) /* main was entered some chunks ago */
		value += step(i) & 1;
	if (rank == 0) {
		printf("ready\n");
		fflush(stdout);
	}
	if (rank == size - 1)
		MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int count, char **arguments)
{
	int rank, size, level;
	pthread_t thread;

	MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	pthread_create(&thread, NULL, rank == 0 ? busy : idle, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	solve(rank, size);
	MPI_Finalize();
	return 0;
}
