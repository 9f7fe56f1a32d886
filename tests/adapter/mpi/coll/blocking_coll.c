/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * Every blocking collective, with and without MPI_IN_PLACE, on unequal counts. */
#include "t_mpi.h"

#define N 3

static int in[64], out[64];
static const int counts[N] = {1, 2, 3};
static const int displs[N] = {0, 1, 3};

static void rooted(void)
{
	const int is_root = t_rank == 1;

	MPI_Bcast(out, 5, MPI_INT, 2, MPI_COMM_WORLD);
	MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Gather(is_root ? MPI_IN_PLACE : out, 2, MPI_INT, in, 2, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Gatherv(out, counts[t_rank], MPI_INT, in, is_root ? counts : NULL, displs, MPI_INT, 1,
		MPI_COMM_WORLD);
	MPI_Gatherv(is_root ? MPI_IN_PLACE : out, counts[t_rank], MPI_INT, in,
		is_root ? counts : NULL, displs, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Scatter(out, 2, MPI_INT, in, 2, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Scatter(out, 2, MPI_INT, is_root ? MPI_IN_PLACE : in, 2, MPI_INT, 1, MPI_COMM_WORLD);
	MPI_Scatterv(out, is_root ? counts : NULL, displs, MPI_INT, in, counts[t_rank], MPI_INT, 1,
		MPI_COMM_WORLD);
	MPI_Reduce(out, in, 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
	MPI_Reduce(is_root ? MPI_IN_PLACE : out, in, 4, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
}

static void everybody(void)
{
	MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT};
	int bytes[N];
	int ones[N] = {1, 1, 1};

	for (int i = 0; i < N; i++)
		bytes[i] = (int)sizeof(int) * i;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Allgather(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 2, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgatherv(out, counts[t_rank], MPI_INT, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
	MPI_Allgatherv(
		MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallv(out, ones, displs, MPI_INT, in, ones, displs, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallw(out, ones, bytes, types, in, ones, bytes, types, MPI_COMM_WORLD);
	MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Allreduce(MPI_IN_PLACE, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Scan(MPI_IN_PLACE, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Exscan(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	T_CHECK(t_size == N);
	rooted();
	everybody();
	MPI_Barrier(MPI_COMM_SELF);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
