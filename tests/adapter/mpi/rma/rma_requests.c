/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Operations with requests: complete here by wait or test, there by flush or unlock; or
 * complete by a flush before anybody waits; several at a time, among other requests. */
#include "t_mpi.h"

#define NR 40

static int other, memory[NR];

static void wait_then_flush(MPI_Win win)
{
	int value = 1, got, was, is_done = 0;
	MPI_Request request;

	MPI_Rput(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Rget(&got, 1, MPI_INT, other, 1, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Raccumulate(&value, 1, MPI_INT, other, 2, 1, MPI_INT, MPI_SUM, win, &request);
	while (!is_done)
		MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
	MPI_Rget_accumulate(&value, 1, MPI_INT, &was, 1, MPI_INT, other, 3, 1, MPI_INT, MPI_SUM,
		win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Win_flush(other, win);
}

static void flush_then_wait(MPI_Win win)
{
	int value = 1;
	MPI_Request request;

	MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, win);
	MPI_Rput(&value, 1, MPI_INT, other, 1, 1, MPI_INT, win, &request);
	MPI_Win_flush_local(other, win);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Rput(&value, 1, MPI_INT, other, 2, 1, MPI_INT, win, &request);
	MPI_Win_flush_all(win);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* MPI may give one handle to many that were complete at once. */
static void many(MPI_Win win)
{
	MPI_Request requests[NR];
	int values[NR], sent = 1, received;

	for (int i = 0; i < NR - 2; i++) {
		values[i] = i;
		MPI_Rput(&values[i], 1, MPI_INT, i % 3 ? other : t_rank, i, 1, MPI_INT, win,
			&requests[i]);
	}
	MPI_Irecv(&received, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[NR - 2]);
	MPI_Isend(&sent, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &requests[NR - 1]);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	MPI_Win_flush_all(win);
}

int main(int argc, char **argv)
{
	MPI_Win win;

	t_init(&argc, &argv);
	other = 1 - t_rank;
	MPI_Win_create(
		memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_lock_all(0, win);
	wait_then_flush(win);
	flush_then_wait(win);
	many(win);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
