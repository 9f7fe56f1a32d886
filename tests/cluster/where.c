/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints host name and CLOCK_MONOTONIC_RAW in seconds of each rank, in the order of ranks, read
 * right after a barrier. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

int main(int argc, char **argv)
{
	char host[MPI_MAX_PROCESSOR_NAME];
	struct timespec now;
	int rank, size, length;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Get_processor_name(host, &length);
	MPI_Barrier(MPI_COMM_WORLD);
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	for (int i = 0; i < size; i++) {
		if (rank == 0) {
			if (i > 0) {
				MPI_Recv(host, sizeof(host), MPI_CHAR, i, 0, MPI_COMM_WORLD,
					MPI_STATUS_IGNORE);
				MPI_Recv(&now, sizeof(now), MPI_BYTE, i, 0, MPI_COMM_WORLD,
					MPI_STATUS_IGNORE);
			}
			printf("%d %s %ld\n", i, host, (long)now.tv_sec);
		} else if (rank == i) {
			MPI_Send(host, sizeof(host), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
			MPI_Send(&now, sizeof(now), MPI_BYTE, 0, 0, MPI_COMM_WORLD);
		}
	}
	MPI_Finalize();
	return 0;
}
