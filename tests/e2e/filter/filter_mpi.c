/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message and a collective operation inside of functions, for filters to leave out. */
#include <mpi.h>

static void talk(int rank, int size)
{
	int token = rank;

	if (rank == 0)
		MPI_Send(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
	if (rank == size - 1)
		MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(MPI_IN_PLACE, &token, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 5; i++)
		talk(rank, size);
	return MPI_Finalize();
}
