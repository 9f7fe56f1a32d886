/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Nonblocking point-to-point: every way to complete a request, requests of other kinds between
 * them, cancelled and freed ones, and more of them than fit the stack. */
#include "t_mpi.h"

#define NR_MANY 40

static int peer;

/* Both ranks send and receive `nr` messages of i + 1 ints each. */
static void start(int nr, int tag, MPI_Request *requests)
{
	static int out[NR_MANY + 1], in[2 * NR_MANY][NR_MANY + 1];

	for (int i = 0; i < nr; i++) {
		MPI_Irecv(in[i], NR_MANY, MPI_INT, i % 2 ? peer : MPI_ANY_SOURCE, tag + i,
			MPI_COMM_WORLD, &requests[i]);
		MPI_Isend(out, i + 1, MPI_INT, peer, tag + i, MPI_COMM_WORLD, &requests[nr + i]);
	}
}

static void wait_each_way(void)
{
	MPI_Request requests[4];
	MPI_Status statuses[4];
	int index, count, indices[4];

	start(2, 100, requests);
	for (int i = 0; i < 4; i++)
		MPI_Wait(&requests[i], i % 2 ? &statuses[i] : MPI_STATUS_IGNORE);
	start(2, 200, requests);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	start(2, 300, requests);
	MPI_Waitall(4, requests, statuses);
	T_CHECK(statuses[0].MPI_SOURCE == peer && statuses[1].MPI_TAG == 301);
	start(1, 400, requests);
	for (int i = 0; i < 2; i++)
		MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
	T_CHECK(index == MPI_UNDEFINED);
	start(2, 500, requests);
	for (int left = 4; left > 0; left -= count)
		MPI_Waitsome(4, requests, &count, indices, MPI_STATUSES_IGNORE);
}

static void test_each_way(void)
{
	MPI_Request requests[4];
	MPI_Status statuses[4];
	int flag, index, count, indices[4];

	start(1, 600, requests);
	for (int i = 0; i < 2; i++)
		do
			MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
		while (!flag);
	start(2, 700, requests);
	do
		MPI_Testall(4, requests, &flag, statuses);
	while (!flag);
	T_CHECK(statuses[1].MPI_TAG == 701);
	start(1, 800, requests);
	for (int left = 2; left > 0; left -= flag)
		MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
	start(2, 900, requests);
	for (int left = 4; left > 0; left -= count)
		MPI_Testsome(4, requests, &count, indices, statuses);
}

static void send_modes(void)
{
	static char attached[4096 + 4 * MPI_BSEND_OVERHEAD];
	void *buffer = attached;
	int size = sizeof(attached);
	MPI_Request requests[7];
	int in[3], out = 1;

	MPI_Buffer_attach(attached, size);
	for (int i = 0; i < 3; i++)
		MPI_Irecv(&in[i], 1, MPI_INT, peer, 50 + i, MPI_COMM_WORLD, &requests[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Ibsend(&out, 1, MPI_INT, peer, 50, MPI_COMM_WORLD, &requests[3]);
	MPI_Issend(&out, 1, MPI_INT, peer, 51, MPI_COMM_WORLD, &requests[4]);
	MPI_Irsend(&out, 1, MPI_INT, peer, 52, MPI_COMM_WORLD, &requests[5]);
	MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 53, MPI_COMM_WORLD, &requests[6]);
	MPI_Waitall(7, requests, MPI_STATUSES_IGNORE);
	MPI_Buffer_detach(&buffer, &size);
}

static void other_kinds(void)
{
	MPI_Request requests[4];
	int in, out = 2;

	MPI_Send_init(&out, 1, MPI_INT, peer, 60, MPI_COMM_WORLD, &requests[0]);
	MPI_Recv_init(&in, 1, MPI_INT, peer, 60, MPI_COMM_WORLD, &requests[1]);
	MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
	MPI_Irecv(&in, 1, MPI_INT, MPI_PROC_NULL, 61, MPI_COMM_WORLD, &requests[3]);
	MPI_Startall(2, requests);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	MPI_Request_free(&requests[0]);
	MPI_Request_free(&requests[1]);
}

static void cancelled_and_freed(void)
{
	MPI_Request request;
	MPI_Status status;
	int in, out = 3, flag;

	MPI_Irecv(&in, 1, MPI_INT, peer, 70, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Wait(&request, &status);
	MPI_Test_cancelled(&status, &flag);
	T_CHECK(flag);
	MPI_Isend(&out, 1, MPI_INT, peer, 71, MPI_COMM_WORLD, &request);
	MPI_Request_free(&request);
	MPI_Recv(&in, 1, MPI_INT, peer, 71, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(&in, 1, MPI_INT, peer, 73, MPI_COMM_WORLD, &request);
	MPI_Cancel(&request);
	MPI_Request_free(&request);
	MPI_Irecv(&in, 1, MPI_INT, peer, 72, MPI_COMM_WORLD, &request);
	MPI_Send(&out, 1, MPI_INT, peer, 72, MPI_COMM_WORLD);
	do
		MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
	while (!flag);
	MPI_Request_free(&request);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	MPI_Request requests[2 * NR_MANY];

	t_init(&argc, &argv);
	peer = 1 - t_rank;
	wait_each_way();
	test_each_way();
	send_modes();
	other_kinds();
	cancelled_and_freed();
	start(NR_MANY, 1000, requests);
	MPI_Waitall(2 * NR_MANY, requests, MPI_STATUSES_IGNORE);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
