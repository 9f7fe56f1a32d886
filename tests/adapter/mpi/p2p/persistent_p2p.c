/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Persistent requests: every send mode, started one by one and all at once, again and again,
 * completed by each form of wait and test, cancelled and started anew, freed while idle and
 * while active. */
#include "t_mpi.h"

#define NR 2

static int peer;
static int out[8], in[8];

static void make(int tag, MPI_Request *requests)
{
	MPI_Recv_init(in, 8, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(out, 1 + t_rank, MPI_INT, peer, tag, MPI_COMM_WORLD, &requests[1]);
}

static void release(int nr, MPI_Request *requests)
{
	for (int i = 0; i < nr; i++) {
		MPI_Request_free(&requests[i]);
		T_CHECK(requests[i] == MPI_REQUEST_NULL);
	}
}

static void send_modes(void)
{
	char buffer[4096 + MPI_BSEND_OVERHEAD];
	void *detached = buffer;
	int size = sizeof(buffer);
	MPI_Request sends[3], receive;

	MPI_Buffer_attach(buffer, size);
	MPI_Bsend_init(out, 1, MPI_INT, peer, 10, MPI_COMM_WORLD, &sends[0]);
	MPI_Ssend_init(out, 2, MPI_INT, peer, 10, MPI_COMM_WORLD, &sends[1]);
	MPI_Rsend_init(out, 3, MPI_INT, peer, 10, MPI_COMM_WORLD, &sends[2]);
	MPI_Recv_init(in, 8, MPI_INT, peer, 10, MPI_COMM_WORLD, &receive);
	for (int i = 0; i < 3; i++) {
		MPI_Start(&receive);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Start(&sends[i]);
		MPI_Wait(&receive, MPI_STATUS_IGNORE);
		MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
		MPI_Wait(&sends[i], MPI_STATUS_IGNORE); /* idle: nothing to wait for */
	}
	release(3, sends);
	release(1, &receive);
	MPI_Buffer_detach(&detached, &size);
}

/* One round of completions in a given way; returns when all is complete. */
static void complete(int way, MPI_Request *requests)
{
	int flag, index, count, indices[NR];

	for (int left = NR; left > 0; left -= flag) {
		flag = count = 0;
		if (way == 0)
			MPI_Waitany(NR, requests, &index, MPI_STATUS_IGNORE), flag = 1;
		else if (way == 1)
			MPI_Waitsome(NR, requests, &flag, indices, MPI_STATUSES_IGNORE);
		else if (way == 2)
			MPI_Test(&requests[NR - left], &flag, MPI_STATUS_IGNORE);
		else if (way == 3)
			MPI_Testall(NR, requests, &count, MPI_STATUSES_IGNORE), flag = NR * count;
		else if (way == 4)
			MPI_Testany(NR, requests, &index, &flag, MPI_STATUS_IGNORE);
		else
			MPI_Testsome(NR, requests, &flag, indices, MPI_STATUSES_IGNORE);
	}
}

static void each_way(void)
{
	MPI_Request requests[NR];
	MPI_Status status;
	int flag = 0;

	make(20, requests);
	for (int way = 0; way < 6; way++) {
		MPI_Startall(NR, requests);
		complete(way, requests);
		MPI_Barrier(MPI_COMM_WORLD);
	}
	MPI_Startall(NR, requests);
	while (!flag)
		MPI_Request_get_status(requests[0], &flag, &status);
	T_CHECK(status.MPI_SOURCE == peer);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	release(NR, requests);
}

/* The second start of a cancelled receive is an ordinary one. */
static void cancelled(void)
{
	MPI_Request requests[NR];
	MPI_Status status;
	int flag;

	make(30, requests);
	MPI_Start(&requests[0]);
	MPI_Cancel(&requests[0]);
	MPI_Wait(&requests[0], &status);
	MPI_Test_cancelled(&status, &flag);
	T_CHECK(flag);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Startall(NR, requests);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	release(NR, requests);
}

static void freed_while_active(void)
{
	MPI_Request requests[NR];

	make(40, requests);
	MPI_Startall(NR, requests);
	release(1, &requests[1]);
	MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
	release(1, &requests[0]);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void nobody(void)
{
	MPI_Request requests[NR];

	MPI_Recv_init(in, 1, MPI_INT, MPI_PROC_NULL, 50, MPI_COMM_WORLD, &requests[0]);
	MPI_Send_init(out, 1, MPI_INT, MPI_PROC_NULL, 50, MPI_COMM_WORLD, &requests[1]);
	MPI_Startall(NR, requests);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
	release(NR, requests);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	peer = 1 - t_rank;
	send_modes();
	each_way();
	cancelled();
	freed_while_active();
	nobody();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
