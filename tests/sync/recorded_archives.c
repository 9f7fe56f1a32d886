/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For recorded_archives.sh: ranks with teams of threads that talk to each other in many ways. */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

#define NR_ROUNDS 30

static int rank, nr_ranks;
static double field[256];

static void compute(void)
{
	double sum = 0;

#pragma omp parallel reduction(+ : sum)
	{
#pragma omp for
		for (int i = 0; i < 256; i++)
			field[i] = field[i] * 0.5 + i;
#pragma omp critical
		sum += field[omp_get_thread_num()];
#pragma omp barrier
#pragma omp single
		for (int i = 0; i < 4; i++)
#pragma omp task
			field[i] += 1;
	}
	field[0] += sum > 0;
}

static void exchange(void)
{
	const int right = (rank + 1) % nr_ranks, left = (rank + nr_ranks - 1) % nr_ranks;
	MPI_Request requests[4];
	double in[2], out[2] = {field[0], field[255]};

	MPI_Irecv(&in[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(&in[1], 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(&out[1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(&out[0], 1, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	MPI_Sendrecv_replace(in, 2, MPI_DOUBLE, right, 3, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void meet(int round)
{
	MPI_Request request;
	MPI_Comm comm;
	double sum, prefix;

	MPI_Allreduce(field, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Bcast(field, 4, MPI_DOUBLE, round % nr_ranks, MPI_COMM_WORLD);
	MPI_Scan(field, &prefix, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (round % 10)
		return;
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Reduce(field, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
	MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
	double board[2] = {0, 0};
	MPI_Win window;
	int provided;

	omp_set_num_threads(argc > 1 ? atoi(argv[1]) : 2);
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nr_ranks);
	MPI_Win_create(board, sizeof(board), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
	for (int round = 0; round < NR_ROUNDS; round++) {
		compute();
		exchange();
		meet(round);
		MPI_Win_fence(0, window);
		MPI_Put(field, 1, MPI_DOUBLE, (rank + 1) % nr_ranks, 0, 1, MPI_DOUBLE, window);
		MPI_Win_fence(0, window);
	}
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
