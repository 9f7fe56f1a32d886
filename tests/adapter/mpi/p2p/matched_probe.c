/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Matched probes and receives: a message keeps its place among those of one sender and tag,
 * whatever is received between its probe and its receive. */
#include "t_mpi.h"

#define NR 4

static int buffer[NR + 1];

static void send_all(int tag)
{
	for (int i = 0; i < NR; i++)
		MPI_Send(buffer, i + 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
}

static int count_of(const MPI_Status *status)
{
	int count;

	MPI_Get_count(status, MPI_INT, &count);
	return count;
}

/* Messages 1 and 2 are probed, 3 is received, then 2 and 1, then 4. */
static void out_of_order(void)
{
	MPI_Message first, second;
	MPI_Status status;

	if (t_rank == 0) {
		send_all(1);
		return;
	}
	MPI_Mprobe(0, 1, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
	MPI_Mprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &second, &status);
	T_CHECK(count_of(&status) == 2);
	MPI_Recv(buffer, NR, MPI_INT, 0, 1, MPI_COMM_WORLD, &status);
	T_CHECK(count_of(&status) == 3);
	MPI_Mrecv(buffer, NR, MPI_INT, &second, MPI_STATUS_IGNORE);
	MPI_Mrecv(buffer, NR, MPI_INT, &first, &status);
	T_CHECK(count_of(&status) == 1 && first == MPI_MESSAGE_NULL);
	MPI_Recv(buffer, NR, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nonblocking(void)
{
	MPI_Request requests[NR];
	MPI_Message message;
	int flag;

	if (t_rank == 0) {
		send_all(2);
		return;
	}
	for (int i = 0; i < NR; i++) {
		do
			MPI_Improbe(
				0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
		while (!flag);
		MPI_Imrecv(buffer, i + 1, MPI_INT, &message, &requests[i]);
	}
	MPI_Wait(&requests[NR - 1], MPI_STATUS_IGNORE);
	MPI_Waitall(NR, requests, MPI_STATUSES_IGNORE);
}

static void nobody(void)
{
	MPI_Message message;
	MPI_Request request;
	MPI_Status status;

	MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	T_CHECK(message == MPI_MESSAGE_NO_PROC);
	MPI_Mrecv(buffer, 1, MPI_INT, &message, &status);
	T_CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
	MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	MPI_Imrecv(buffer, 1, MPI_INT, &message, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The message stays to be received. */
static void refused(void)
{
	const int no_count = -1;
	MPI_Message message;
	MPI_Request request;

	if (t_rank == 0) {
		MPI_Send(buffer, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
		return;
	}
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
	T_CHECK(MPI_Mrecv(buffer, no_count, MPI_INT, &message, MPI_STATUS_IGNORE) != MPI_SUCCESS);
	T_CHECK(MPI_Imrecv(buffer, no_count, MPI_INT, &message, &request) != MPI_SUCCESS);
	MPI_Mrecv(buffer, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	out_of_order();
	nonblocking();
	nobody();
	refused();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
