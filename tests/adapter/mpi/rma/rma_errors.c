/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * One-sided calls that MPI refuses: it says so as it does without us, and what was refused is
 * neither left open nor recorded where that can be told before. */
#include "t_mpi.h"

static void show(const char *what, int result)
{
	int class = MPI_SUCCESS;

	MPI_Error_class(result, &class);
	if (t_rank == 0)
		printf("%s: %d\n", what, class);
}

static void operations(MPI_Win win)
{
	int value = 1, got = 0;

	show("put, no epoch", MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win));
	MPI_Win_fence(0, win);
	show("put, rank", MPI_Put(&value, 1, MPI_INT, 7, 0, 1, MPI_INT, win));
	show("put, count", MPI_Put(&value, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
	show("put, type", MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, win));
	show("put, target's type", MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_DATATYPE_NULL, win));
	show("put, window", MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL));
	show("get, count", MPI_Get(&got, -1, MPI_INT, 0, 0, 1, MPI_INT, win));
	show("put, good", MPI_Put(&value, 1, MPI_INT, t_rank, 0, 1, MPI_INT, win));
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void synchronisation(MPI_Win win)
{
	show("lock, type", MPI_Win_lock(-5, 0, 0, win));
	show("lock, rank", MPI_Win_lock(MPI_LOCK_SHARED, 7, 0, win));
	show("unlock", MPI_Win_unlock(0, win));
	show("flush", MPI_Win_flush(0, win));
	show("complete", MPI_Win_complete(win));
	show("fence, window", MPI_Win_fence(0, MPI_WIN_NULL));
}

/* There is no fence in a lock epoch. */
static void fence(MPI_Win win)
{
	MPI_Win_lock(MPI_LOCK_SHARED, t_rank, 0, win);
	show("fence, locked", MPI_Win_fence(0, win));
	MPI_Win_unlock(t_rank, win);
}

int main(int argc, char **argv)
{
	int memory[1];
	MPI_Win win, none = MPI_WIN_NULL;

	t_init(&argc, &argv);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Win_create(
		memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
	operations(win);
	synchronisation(win);
	fence(win);
	show("free", MPI_Win_free(&none));
	show("create", MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &none));
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
