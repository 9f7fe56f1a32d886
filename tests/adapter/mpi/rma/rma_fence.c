/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 4
 *
 * Windows of every make, and operations between fences. */
#include "t_mpi.h"

#define NR 8

static int right;

/* Everything that can be between two fences, to the right neighbour. */
static void operate(MPI_Win win, int *memory)
{
	int mine[NR], fetched[NR], one = 1, two = 2, was;

	for (int i = 0; i < NR; i++)
		mine[i] = t_rank;
	for (int i = 0; i < NR; i++)
		memory[i] = 100 + t_rank;
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(mine, NR / 2, MPI_INT, right, 0, NR / 2, MPI_INT, win);
	MPI_Put(mine, 1, MPI_INT, right, NR / 2, 1, MPI_INT, win);
	MPI_Put(mine, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
	MPI_Win_fence(0, win);
	T_CHECK(memory[0] == (t_rank + t_size - 1) % t_size);
	MPI_Get(fetched, NR, MPI_INT, right, 0, NR, MPI_INT, win);
	MPI_Win_fence(0, win);
	T_CHECK(fetched[0] == t_rank && fetched[NR - 1] == 100 + right);
	MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
	MPI_Get_accumulate(&one, 1, MPI_INT, &was, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_SUM, win);
	MPI_Get_accumulate(&one, 0, MPI_INT, &was, 1, MPI_INT, right, 2, 1, MPI_INT, MPI_NO_OP, win);
	MPI_Win_fence(0, win);
	MPI_Fetch_and_op(&two, &was, MPI_INT, right, 3, MPI_REPLACE, win);
	MPI_Compare_and_swap(&one, &two, &was, MPI_INT, right, 4, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	T_CHECK(memory[3] == 2);
}

/* Bytes are those of the data, not of the memory it is strewn over. */
static void derived(MPI_Win win)
{
	MPI_Datatype every_other;
	int mine[NR] = {0};

	MPI_Type_vector(3, 1, 2, MPI_INT, &every_other);
	MPI_Type_commit(&every_other);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(mine, 1, every_other, right, 0, 3, MPI_INT, win);
	MPI_Put(mine, 0, MPI_INT, right, 0, 0, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Type_free(&every_other);
}

static void windows(void)
{
	const MPI_Aint bytes = NR * sizeof(int);
	int own[NR], *memory;
	MPI_Win win, other;

	MPI_Win_create(own, bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_set_name(win, "halo");
	operate(win, own);
	MPI_Win_allocate(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &other);
	MPI_Win_set_name(other, "first name");
	MPI_Win_set_name(other, "edges");
	operate(other, memory);
	derived(other);
	MPI_Win_free(&other);
	MPI_Win_free(&win);
	T_CHECK(win == MPI_WIN_NULL);
	MPI_Win_allocate_shared(bytes, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	MPI_Win_fence(0, win);
	MPI_Win_free(&win);
}

/* Targets are ranks in the window's communicator. Whether the value comes there is not looked
 * at: with MPICH 4.0 it is late. */
static void in_part(void)
{
	static int memory[1];
	int value = 7, part_rank, part_size;
	MPI_Comm part;
	MPI_Win win;

	MPI_Comm_split(MPI_COMM_WORLD, t_rank == 1 ? MPI_UNDEFINED : 0, -t_rank, &part);
	if (part == MPI_COMM_NULL)
		return;
	MPI_Comm_rank(part, &part_rank);
	MPI_Comm_size(part, &part_size);
	MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, part, &win);
	MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
	MPI_Put(&value, 1, MPI_INT, (part_rank + 1) % part_size, 0, 1, MPI_INT, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_free(&win);
	MPI_Comm_free(&part);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	right = (t_rank + 1) % t_size;
	windows();
	in_part();
	MPI_Finalize();
	return 0;
}
