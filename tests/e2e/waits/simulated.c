/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Three programs whose ranks compute unequally long: a ring that passes a number on, a halo
 * exchange with nonblocking messages, and a master with workers. Built with SIMULATED, they compute
 * what work.RANK says, in nanoseconds, on a platform of SimGrid, and print how long they would run.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ROUNDS 12

static int rank, nr_ranks;

#ifdef SIMULATED
#include <smpi/smpi.h>

static FILE *durations;

static void begin_work(void)
{
	char name[32];

	snprintf(name, sizeof(name), "work.%d", rank);
	durations = fopen(name, "r");
}

/* On a processor of 1e9 operations per second. */
static void work(int milliseconds)
{
	double nanoseconds = 0;

	(void)milliseconds;
	if (!durations || fscanf(durations, "%lf", &nanoseconds) != 1)
		MPI_Abort(MPI_COMM_WORLD, 1);
	smpi_execute_flops(nanoseconds);
}
#else
static void begin_work(void)
{
}

__attribute__((noinline)) static void work(int milliseconds)
{
	const struct timespec duration = {.tv_nsec = milliseconds * 1000000L};

	nanosleep(&duration, NULL);
}
#endif

/* Who is slow changes from round to round: nobody is it always, and somebody always waits. */
static int unequal(int round)
{
	return 4 + 8 * ((rank * 2 + round) % 3);
}

static void ring(void)
{
	int value = rank, other = 0;

	for (int round = 0; round < ROUNDS; round++) {
		work(unequal(round));
		if (rank % 2 == 0)
			MPI_Send(&value, 1, MPI_INT, (rank + 1) % nr_ranks, 0, MPI_COMM_WORLD);
		MPI_Recv(&other, 1, MPI_INT, (rank + nr_ranks - 1) % nr_ranks, 0, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		if (rank % 2 == 1)
			MPI_Send(&value, 1, MPI_INT, (rank + 1) % nr_ranks, 0, MPI_COMM_WORLD);
	}
}

/* Half of the work is done while the messages are on their way. */
static void halo(void)
{
	const int neighbours[2] = {rank > 0 ? rank - 1 : MPI_PROC_NULL,
		rank + 1 < nr_ranks ? rank + 1 : MPI_PROC_NULL};
	double out[2][100] = {{0}}, in[2][100];
	MPI_Request requests[4];

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 2; i++)
			MPI_Irecv(in[i], 100, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD,
				&requests[i]);
		work(unequal(round));
		for (int i = 0; i < 2; i++)
			MPI_Isend(out[i], 100, MPI_DOUBLE, neighbours[i], 0, MPI_COMM_WORLD,
				&requests[2 + i]);
		work(unequal(round + 1));
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
		if (round % 4 == 3)
			MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void farm(void)
{
	int task = 0, result = 0, sum = 0, parts[64];

	for (int round = 0; round < ROUNDS; round++) {
		if (rank == 0)
			work(3);
		MPI_Bcast(&task, 1, MPI_INT, 0, MPI_COMM_WORLD);
		work(unequal(round));
		MPI_Gather(&result, 1, MPI_INT, parts, 1, MPI_INT, 0, MPI_COMM_WORLD);
		work(2);
		MPI_Reduce(&result, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
		if (round % 3 == 2)
			MPI_Allreduce(&result, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	double begin;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nr_ranks);
	begin_work();
	MPI_Barrier(MPI_COMM_WORLD);
	begin = MPI_Wtime();
	if (strcmp(name, "ring") == 0)
		ring();
	else if (strcmp(name, "halo") == 0)
		halo();
	else if (strcmp(name, "farm") == 0)
		farm();
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("time_ns %.0f\n", 1e9 * (MPI_Wtime() - begin));
	MPI_Finalize();
	return 0;
}
