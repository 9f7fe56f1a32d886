/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Messages of MPI 4: a send and a receive with one request, and partitioned messages. (An exchange
 * of which one half goes to MPI_PROC_NULL crashes in MPICH 4.0.) */
#include "t_mpi4.h"

#define NR_PARTS 4

#ifdef T_HAS_MPI4
static void exchanges(void)
{
	MPI_Request request;
	int out[2] = {t_rank, t_rank};
	int in[2] = {-1, -1};

	MPI_Isendrecv(out, 2, MPI_INT, 1 - t_rank, 1, in, 2, MPI_INT, 1 - t_rank, 1, MPI_COMM_WORLD,
		&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	T_CHECK(in[1] == 1 - t_rank);
	MPI_Isendrecv_replace(
		out, 1, MPI_INT, 1 - t_rank, 2, 1 - t_rank, 2, MPI_COMM_WORLD, &request);
	MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
	T_CHECK(out[0] == 1 - t_rank);
}

static void send_parts(void)
{
	const int list[2] = {3, 1};
	double parts[NR_PARTS][8] = {{0}};
	MPI_Request request;

	MPI_Psend_init(
		parts, NR_PARTS, 8, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int round = 0; round < 2; round++) {
		MPI_Start(&request);
		MPI_Pready(0, request);
		MPI_Pready_range(2, 2, request);
		MPI_Pready_list(2, (int *)list, request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
}

static void receive_parts(void)
{
	double parts[NR_PARTS * 8];
	MPI_Request request;
	int flag;

	MPI_Precv_init(
		parts, 2, NR_PARTS * 4, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int round = 0; round < 2; round++) {
		MPI_Startall(1, &request);
		MPI_Parrived(request, 0, &flag);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	exchanges();
	if (t_rank == 0)
		send_parts();
	else
		receive_parts();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
#else
int main(int argc, char **argv)
{
	return t_skip(&argc, &argv, "MPI_Isendrecv");
}
#endif
