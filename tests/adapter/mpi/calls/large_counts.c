/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Calls with large counts: a call of each role is recorded like its older twin. */
#include "t_mpi4.h"

#if MPI_VERSION >= 4
#define NR 2

static int peer;
static const MPI_Count counts[NR] = {1, 1};
static const MPI_Aint places[NR] = {0, 1};

static void messages(void)
{
	int out[2] = {0}, in[4];
	MPI_Request requests[2];
	MPI_Status status;
	MPI_Count count;

	MPI_Sendrecv_c(out, 2, MPI_INT, peer, 1, in, 4, MPI_INT, peer, 1, MPI_COMM_WORLD, &status);
	MPI_Get_count_c(&status, MPI_INT, &count);
	T_CHECK(count == 2);
	MPI_Irecv_c(in, 4, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[0]);
	MPI_Isend_c(out, 1, MPI_INT, peer, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	if (t_rank == 0)
		MPI_Send_c(out, 1, MPI_INT, peer, 3, MPI_COMM_WORLD);
	else
		MPI_Recv_c(in, 1, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv_init_c(in, 4, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init_c(out, 2, MPI_INT, peer, 4, MPI_COMM_WORLD, &requests[1]);
	MPI_Startall(NR, requests);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
	MPI_Isendrecv_c(
		out, 1, MPI_INT, peer, 5, in, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, &requests[0]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

static void collectives(void)
{
	const MPI_Aint bytes[NR] = {0, sizeof(int)};
	const MPI_Datatype types[NR] = {MPI_INT, MPI_INT};
	int one[NR] = {t_rank}, all[NR];
	MPI_Request request;

	MPI_Bcast_c(one, 2, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Gatherv_c(one, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Scatterv_c(all, counts, places, MPI_INT, one, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Allgatherv_c(one, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallv_c(one, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
	MPI_Alltoallw_c(one, counts, bytes, types, all, counts, bytes, types, MPI_COMM_WORLD);
	MPI_Reduce_scatter_c(one, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Iallreduce_c(one, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allreduce_init_c(
		one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	peer = 1 - t_rank;
	messages();
	collectives();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
#else
int main(int argc, char **argv)
{
	return t_skip(&argc, &argv, "large counts");
}
#endif
