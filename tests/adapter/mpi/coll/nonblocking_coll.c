/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * Every nonblocking collective, with and without MPI_IN_PLACE, several at once, completed by
 * every form of wait and test and in another order than started; MPI_Comm_idup. */
#include "t_mpi.h"

#define N      3
#define NR_MAX 16

static int in[NR_MAX][64], out[64];
static const int counts[N] = {1, 2, 3};
static const int displs[N] = {0, 1, 3};
static MPI_Request requests[NR_MAX];

static void rooted(void)
{
	const int is_root = t_rank == 1;
	const int *at_root = is_root ? counts : NULL;
	MPI_Comm world = MPI_COMM_WORLD;
	int nr = 0;

	MPI_Ibcast(in[nr], 5, MPI_INT, 2, world, &requests[nr]), nr++;
	MPI_Igather(out, 2, MPI_INT, in[nr], 2, MPI_INT, 1, world, &requests[nr]), nr++;
	MPI_Igather(is_root ? MPI_IN_PLACE : out, 2, MPI_INT, in[nr], 2, MPI_INT, 1, world,
		&requests[nr]),
		nr++;
	MPI_Igatherv(out, counts[t_rank], MPI_INT, in[nr], at_root, displs, MPI_INT, 1, world,
		&requests[nr]),
		nr++;
	MPI_Iscatter(out, 2, MPI_INT, in[nr], 2, MPI_INT, 1, world, &requests[nr]), nr++;
	MPI_Iscatterv(out, at_root, displs, MPI_INT, is_root ? MPI_IN_PLACE : in[nr],
		counts[t_rank], MPI_INT, 1, world, &requests[nr]),
		nr++;
	MPI_Ireduce(out, in[nr], 4, MPI_INT, MPI_SUM, 1, world, &requests[nr]), nr++;
	MPI_Waitall(nr, requests, MPI_STATUSES_IGNORE);
}

static void everybody(void)
{
	MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT};
	MPI_Comm world = MPI_COMM_WORLD;
	int bytes[N];
	int ones[N] = {1, 1, 1};
	int nr = 0;

	for (int i = 0; i < N; i++)
		bytes[i] = (int)sizeof(int) * i;
	MPI_Ibarrier(world, &requests[nr]), nr++;
	MPI_Iallgather(out, 2, MPI_INT, in[nr], 2, MPI_INT, world, &requests[nr]), nr++;
	MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in[nr], counts, displs, MPI_INT, world,
		&requests[nr]),
		nr++;
	MPI_Ialltoall(out, 1, MPI_INT, in[nr], 1, MPI_INT, world, &requests[nr]), nr++;
	MPI_Ialltoallv(
		out, ones, displs, MPI_INT, in[nr], ones, displs, MPI_INT, world, &requests[nr]),
		nr++;
	MPI_Ialltoallw(out, ones, bytes, types, in[nr], ones, bytes, types, world, &requests[nr]),
		nr++;
	MPI_Iallreduce(out, in[nr], 2, MPI_INT, MPI_SUM, world, &requests[nr]), nr++;
	MPI_Ireduce_scatter(out, in[nr], counts, MPI_INT, MPI_SUM, world, &requests[nr]), nr++;
	MPI_Ireduce_scatter_block(out, in[nr], 2, MPI_INT, MPI_SUM, world, &requests[nr]), nr++;
	MPI_Iscan(out, in[nr], 1, MPI_INT, MPI_SUM, world, &requests[nr]), nr++;
	MPI_Iexscan(out, in[nr], 1, MPI_INT, MPI_SUM, world, &requests[nr]), nr++;
	while (nr-- > 0)
		MPI_Wait(&requests[nr], MPI_STATUS_IGNORE);
}

static void complete_each_way(void)
{
	int flag, index, count, indices[2];

	for (int way = 0; way < 5; way++) {
		MPI_Iallreduce(out, in[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
		MPI_Ibarrier(MPI_COMM_WORLD, &requests[1]);
		for (int left = 2; left > 0;) {
			flag = count = 0;
			if (way == 0)
				MPI_Test(&requests[2 - left], &flag, MPI_STATUS_IGNORE);
			else if (way == 1)
				MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
			else if (way == 2)
				MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
			else if (way == 3)
				MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE), flag = 1;
			else
				MPI_Testall(2, requests, &count, MPI_STATUSES_IGNORE), count *= 2;
			left -= flag + count;
		}
	}
}

/* Duplicates that are complete in another order than begun, and used at once. */
static void duplicates(void)
{
	MPI_Comm duplicates[3];
	int value = 1;

	for (int i = 0; i < 2; i++)
		MPI_Comm_idup(MPI_COMM_WORLD, &duplicates[i], &requests[i]);
	MPI_Comm_dup(MPI_COMM_WORLD, &duplicates[2]);
	MPI_Wait(&requests[1 - t_rank % 2], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[t_rank % 2], MPI_STATUS_IGNORE);
	for (int i = 0; i < 3; i++) {
		MPI_Sendrecv_replace(&value, 1, MPI_INT, (t_rank + 1) % N, i, (t_rank + 2) % N, i,
			duplicates[i], MPI_STATUS_IGNORE);
		MPI_Ibarrier(duplicates[i], &requests[0]);
		MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
		MPI_Comm_free(&duplicates[i]);
	}
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	T_CHECK(t_size == N);
	rooted();
	everybody();
	complete_each_way();
	duplicates();
	MPI_Ibarrier(MPI_COMM_SELF, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
