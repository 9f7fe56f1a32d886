/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program to be recorded and cut: messages, collectives, windows, a file that all write together,
 * teams, tasks and locks, over and over. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

#define ROUNDS 60
#define COUNT  64

static int rank, size;

static void exchange(int round)
{
	double out[COUNT] = {0}, in[COUNT], sum;
	MPI_Request requests[2];

	MPI_Irecv(in, COUNT, MPI_DOUBLE, (rank + size - 1) % size, round % 3, MPI_COMM_WORLD,
		&requests[0]);
	MPI_Isend(
		out, COUNT, MPI_DOUBLE, (rank + 1) % size, round % 3, MPI_COMM_WORLD, &requests[1]);
	if (round % 4 == rank)
		usleep(300);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	MPI_Allreduce(in, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void put(MPI_Win window)
{
	double out[COUNT] = {0};

	MPI_Win_fence(0, window);
	MPI_Put(out, COUNT, MPI_DOUBLE, (rank + 1) % size, 0, COUNT, MPI_DOUBLE, window);
	MPI_Win_fence(0, window);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, (rank + 1) % size, 0, window);
	MPI_Put(out, COUNT, MPI_DOUBLE, (rank + 1) % size, 0, COUNT, MPI_DOUBLE, window);
	MPI_Win_unlock((rank + 1) % size, window);
}

static void compute(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		usleep(20);
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 4; i++)
#pragma omp task
		{
			usleep(20);
#pragma omp task
			usleep(10);
#pragma omp taskwait
		}
	}
}

static void write_together(const char *name)
{
	double out[COUNT] = {0};
	MPI_File file;

	MPI_File_open(
		MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
	for (int i = 0; i < 3; i++)
		MPI_File_write_at_all(file, (MPI_Offset)sizeof(out) * rank, out, COUNT, MPI_DOUBLE,
			MPI_STATUS_IGNORE);
	MPI_File_close(&file);
}

int main(int argc, char **argv)
{
	static double memory[COUNT];
	int provided;
	MPI_Win window;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Win_create(
		memory, sizeof(memory), sizeof(*memory), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	for (int round = 0; round < ROUNDS; round++) {
		exchange(round);
		put(window);
		compute();
		if (round % 20 == 10)
			write_together(argv[1]);
	}
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
