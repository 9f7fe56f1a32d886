/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 *
 * Blocking point-to-point: every send mode, wildcards, MPI_PROC_NULL, empty messages, derived
 * datatypes, ignored statuses, and rank 0 talking to itself. */
#include "t_mpi.h"

static void send_modes(void)
{
	char detached[4096 + MPI_BSEND_OVERHEAD];
	void *buffer = detached;
	int size = sizeof(detached);
	int value[4] = {1, 2, 3, 4};

	if (t_rank == 0) {
		MPI_Send(value, 4, MPI_INT, 1, 10, MPI_COMM_WORLD);
		MPI_Buffer_attach(detached, size);
		MPI_Bsend(value, 3, MPI_INT, 1, 11, MPI_COMM_WORLD);
		MPI_Buffer_detach(&buffer, &size);
		MPI_Ssend(value, 2, MPI_INT, 1, 12, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Rsend(value, 1, MPI_INT, 1, 13, MPI_COMM_WORLD);
		MPI_Send(NULL, 0, MPI_BYTE, 1, 14, MPI_COMM_WORLD);
	} else {
		MPI_Status status;
		MPI_Request request;

		MPI_Recv(value, 4, MPI_INT, 0, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(value, 4, MPI_INT, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &status);
		T_CHECK(status.MPI_SOURCE == 0);
		MPI_Recv(value, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
		MPI_Irecv(value, 1, MPI_INT, 0, 13, MPI_COMM_WORLD, &request);
		MPI_Barrier(MPI_COMM_WORLD);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Recv(NULL, 0, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

static void nobody(void)
{
	int value = t_rank;

	MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
	MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(&value, 1, MPI_INT, 1 - t_rank, 2, &value, 0, MPI_INT, MPI_PROC_NULL, 2,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(&value, 1, MPI_INT, 1 - t_rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	T_CHECK(value == 1 - t_rank);
}

static void both_ways(void)
{
	double out[2] = {t_rank, t_rank};
	double in[2];
	MPI_Status status;

	MPI_Sendrecv(out, 2, MPI_DOUBLE, 1 - t_rank, 20, in, 2, MPI_DOUBLE, MPI_ANY_SOURCE,
		MPI_ANY_TAG, MPI_COMM_WORLD, &status);
	T_CHECK(in[1] == 1 - t_rank && status.MPI_TAG == 20);
	MPI_Sendrecv_replace(out, 2, MPI_DOUBLE, 1 - t_rank, 21, 1 - t_rank, 21, MPI_COMM_WORLD,
		MPI_STATUS_IGNORE);
	T_CHECK(out[0] == 1 - t_rank);
}

static void derived_type(void)
{
	MPI_Datatype column;
	int matrix[5][5] = {{t_rank}};

	MPI_Type_vector(5, 1, 5, MPI_INT, &column);
	MPI_Type_commit(&column);
	if (t_rank == 1)
		MPI_Send(matrix, 1, column, 0, 30, MPI_COMM_WORLD);
	else
		MPI_Recv(matrix, 1, column, 1, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	T_CHECK(matrix[0][0] == 1);
	MPI_Type_free(&column);
}

static void probes(void)
{
	MPI_Status status;
	int value = 7;
	int received;
	int flag;

	if (t_rank == 0) {
		MPI_Send(&value, 1, MPI_INT, 1, 40, MPI_COMM_WORLD);
		MPI_Iprobe(1, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
		T_CHECK(!flag);
		MPI_Sendrecv(&value, 1, MPI_INT, 0, 41, &received, 1, MPI_INT, 0, 41, MPI_COMM_SELF,
			MPI_STATUS_IGNORE);
	} else {
		MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
		MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
			&status);
		T_CHECK(status.MPI_TAG == 40);
	}
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	send_modes();
	nobody();
	both_ways();
	derived_type();
	probes();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
