/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_mode.sh and flight_recorder.sh: messages, requests, collectives, one-sided communication and a
 * communicator, between parallel regions of two threads. All that is not time is the same in each run. Usage:
 * mixture_mpi ROUNDS */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

static int rank, size;
static volatile long sink;

__attribute__((noinline)) static void leaf(long n)
{
	sink += n;
}

static void exchange(MPI_Comm comm, int round)
{
	int value[2] = {rank, round}, got[2], left = (rank + size - 1) % size,
	    right = (rank + 1) % size;
	MPI_Request requests[2];

	MPI_Irecv(got, 2, MPI_INT, left, round % 3, comm, &requests[0]);
	MPI_Isend(value, 1 + round % 2, MPI_INT, right, round % 3, comm, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Sendrecv(value, 1, MPI_INT, right, 9, got, 1, MPI_INT, left, 9, comm, MPI_STATUS_IGNORE);
}

static void collect(MPI_Comm comm, int round)
{
	double value = round, sum;
	MPI_Request request;

	MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
	MPI_Bcast(&value, 1, MPI_DOUBLE, round % size, comm);
	MPI_Ibarrier(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void put(MPI_Win window, int round)
{
	int got, value = round;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
	MPI_Put(&value, 1, MPI_INT, (rank + 1) % size, rank, 1, MPI_INT, window);
	MPI_Win_unlock((rank + 1) % size, window);
	MPI_Win_fence(0, window);
	MPI_Get(&got, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
	MPI_Win_fence(0, window);
}

int main(int count, char **arguments)
{
	MPI_Comm comm;
	MPI_Win window;
	int *memory;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Win_allocate((MPI_Aint)sizeof(int) * size, sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
	for (int round = 0; count > 1 && round < atoi(arguments[1]); round++) {
#pragma omp parallel num_threads(2)
		for (int i = 0; i < 100; i++)
			leaf(i);
		exchange(round % 2 ? comm : MPI_COMM_WORLD, round);
		collect(comm, round);
		if (round % 10 == 0)
			put(window, round);
	}
	MPI_Win_free(&window);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	return 0;
}
