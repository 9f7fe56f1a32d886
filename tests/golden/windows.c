/* SPDX-License-Identifier: BSD-3-Clause
 * One-sided communication of two ranks, by fences, by locks, and by post and start; each with the
 * other one. Compiled without hooks. */
#include <mpi.h>
#include <stdio.h>

enum { NR_VALUES = 4 };
static int values[NR_VALUES], got[NR_VALUES];
static int rank, other;

static void by_fence(MPI_Win win)
{
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(&rank, 1, MPI_INT, other, 0, 1, MPI_INT, win);
	MPI_Accumulate(&rank, 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void by_lock(MPI_Win win)
{
	const int one = 1;
	MPI_Request request;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
	MPI_Get(got, 2, MPI_INT, other, 0, 2, MPI_INT, win);
	MPI_Win_flush(other, win);
	MPI_Fetch_and_op(&one, got, MPI_INT, other, 2, MPI_SUM, win);
	MPI_Rput(&one, 1, MPI_INT, other, 3, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_unlock(other, win);
}

static void by_epoch(MPI_Win win)
{
	MPI_Group all, partner;

	MPI_Comm_group(MPI_COMM_WORLD, &all);
	MPI_Group_incl(all, 1, &other, &partner);
	MPI_Win_post(partner, 0, win);
	MPI_Win_start(partner, 0, win);
	MPI_Put(values, NR_VALUES, MPI_INT, other, 0, NR_VALUES, MPI_INT, win);
	MPI_Win_complete(win);
	MPI_Win_wait(win);
	MPI_Group_free(&partner);
	MPI_Group_free(&all);
}

int main(int argc, char **argv)
{
	int *memory;
	MPI_Win win;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	MPI_Win_allocate(NR_VALUES * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL,
		MPI_COMM_WORLD, &memory, &win);
	MPI_Win_set_name(win, "shared board");
	by_fence(win);
	by_lock(win);
	MPI_Barrier(MPI_COMM_WORLD);
	by_epoch(win);
	MPI_Win_free(&win);
	MPI_Finalize();
	if (rank == 0)
		puts("done");
	return 0;
}
