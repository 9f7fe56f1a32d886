/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * Passive targets: locks of both kinds, of one target and of all, and every kind of flush.
 * Memory that is attached to a window later. */
#include "t_mpi.h"

static int right, buffer[4];

static void lock_one(MPI_Win win)
{
	int value = t_rank, got;

	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
	MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	MPI_Win_unlock(right, win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock(MPI_LOCK_SHARED, right, MPI_MODE_NOCHECK, win);
	MPI_Get(&got, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	MPI_Win_unlock(right, win);
	T_CHECK(got == t_rank);
	MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
	MPI_Win_unlock(right, win);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Puts are complete here before they are there; gets are complete at once in both places. */
static void flush(MPI_Win win)
{
	int value = 10 + t_rank, got[2];

	MPI_Win_lock_all(0, win);
	MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
	MPI_Win_flush_local(right, win);
	MPI_Put(&value, 1, MPI_INT, right, 1, 1, MPI_INT, win);
	MPI_Win_flush_local_all(win);
	MPI_Win_flush(right, win);
	MPI_Get(&got[0], 1, MPI_INT, right, 0, 1, MPI_INT, win);
	MPI_Get(&got[1], 1, MPI_INT, right, 1, 1, MPI_INT, win);
	MPI_Win_flush_local(right, win);
	T_CHECK(got[0] == 10 + t_rank && got[1] == 10 + t_rank);
	MPI_Win_flush(right, win);
	MPI_Put(&value, 1, MPI_INT, right, 2, 1, MPI_INT, win);
	MPI_Get(&got[0], 1, MPI_INT, 0, 3, 1, MPI_INT, win);
	MPI_Win_flush(t_rank, win); /* nothing is on its way there, or only a get */
	MPI_Win_flush_local_all(win);
	MPI_Win_flush_all(win);
	MPI_Win_sync(win);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void leave_to_unlock(MPI_Win win)
{
	int value = 20 + t_rank, one = 1, was;

	MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
	for (int target = 0; target < t_size; target++)
		MPI_Accumulate(&value, 1, MPI_INT, target, 3, 1, MPI_INT, MPI_SUM, win);
	MPI_Fetch_and_op(&one, &was, MPI_INT, 0, 3, MPI_SUM, win);
	MPI_Win_unlock_all(win);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void dynamic(void)
{
	MPI_Aint mine, theirs;
	int value = 30 + t_rank, memory[1];
	MPI_Win win;

	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_attach(win, memory, sizeof(memory));
	MPI_Get_address(memory, &mine);
	MPI_Sendrecv(&mine, 1, MPI_AINT, (t_rank + t_size - 1) % t_size, 1, &theirs, 1, MPI_AINT,
		right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win);
	MPI_Put(&value, 1, MPI_INT, right, theirs, 1, MPI_INT, win);
	MPI_Win_unlock(right, win);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_detach(win, memory);
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	MPI_Win win;

	t_init(&argc, &argv);
	right = (t_rank + 1) % t_size;
	MPI_Win_create(
		buffer, sizeof(buffer), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	lock_one(win);
	flush(win);
	leave_to_unlock(win);
	MPI_Win_free(&win);
	dynamic();
	MPI_Finalize();
	return 0;
}
