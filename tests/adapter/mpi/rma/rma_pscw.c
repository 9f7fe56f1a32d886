/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 4
 *
 * Post and start, complete and wait: groups of one, of several, of none, seen from both sides;
 * the window's communicator orders its ranks otherwise than the world. */
#include "t_mpi.h"

static MPI_Comm reversed;
static int rank, memory[4];

static MPI_Group group_of(int nr, const int *ranks)
{
	MPI_Group all, some;

	MPI_Comm_group(reversed, &all);
	MPI_Group_incl(all, nr, ranks, &some);
	MPI_Group_free(&all);
	return some;
}

/* Ranks 1 to 3 put into rank 0's memory. */
static void many_to_one(MPI_Win win)
{
	const int root[] = {0}, others[] = {1, 2, 3};
	MPI_Group group = rank == 0 ? group_of(3, others) : group_of(1, root);
	int value = 40 + rank;

	if (rank == 0) {
		MPI_Win_post(group, 0, win);
		MPI_Win_wait(win);
		T_CHECK(memory[1] == 41 && memory[3] == 43);
	} else {
		MPI_Win_start(group, 0, win);
		MPI_Put(&value, 1, MPI_INT, 0, rank, 1, MPI_INT, win);
		MPI_Win_complete(win);
	}
	MPI_Group_free(&group);
}

/* Both sides at once, round after round. Tests stand in for the wait. */
static void around(MPI_Win win)
{
	const int left[] = {(rank + 3) % 4}, right[] = {(rank + 1) % 4};
	MPI_Group from = group_of(1, left), to = group_of(1, right);
	int value = 50 + rank, is_over = 0, got;

	for (int round = 0; round < 2; round++) {
		MPI_Win_post(from, 0, win);
		MPI_Win_start(to, 0, win);
		MPI_Put(&value, 1, MPI_INT, right[0], 0, 1, MPI_INT, win);
		MPI_Get(&got, 1, MPI_INT, right[0], 1, 1, MPI_INT, win);
		MPI_Win_complete(win);
		MPI_Win_wait(win);
		T_CHECK(memory[0] == 50 + left[0]);
	}
	MPI_Win_post(from, 0, win);
	MPI_Win_start(to, 0, win);
	MPI_Win_complete(win);
	while (!is_over)
		MPI_Win_test(win, &is_over);
	MPI_Group_free(&from);
	MPI_Group_free(&to);
}

static void with_nobody(MPI_Win win)
{
	MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
	MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
	MPI_Win_complete(win);
	MPI_Win_wait(win);
}

int main(int argc, char **argv)
{
	MPI_Win win;

	t_init(&argc, &argv);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -t_rank, &reversed);
	MPI_Comm_rank(reversed, &rank);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, reversed, &win);
	many_to_one(win);
	MPI_Barrier(reversed);
	around(win);
	MPI_Barrier(reversed);
	with_nobody(win);
	MPI_Win_free(&win);
	MPI_Comm_free(&reversed);
	MPI_Finalize();
	return 0;
}
