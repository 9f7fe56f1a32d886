/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages from rank 0 to rank 1, and collective operations. */
#include <mpi.h>

int main(int argc, char **argv)
{
	int rank, in = 0, sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; i < 5; i++) {
		if (rank == 0)
			MPI_Send(&rank, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
		else if (rank == 1)
			MPI_Recv(&in, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	return MPI_Finalize();
}
