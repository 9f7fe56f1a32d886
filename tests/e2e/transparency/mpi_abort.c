/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program one rank of which ends badly: abort, or by a signal. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int work(int n)
{
	return n < 2 ? n : work(n - 1) + work(n - 2);
}

int main(int count, char **arguments)
{
	int rank, sum;

	MPI_Init(&count, &arguments);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	sum = work(16);
	MPI_Barrier(MPI_COMM_WORLD); /* all have worked */
	if (count > 1 && rank == 1) {
		if (strcmp(arguments[1], "abort") == 0)
			MPI_Abort(MPI_COMM_WORLD, 6);
		raise(atoi(arguments[1]));
	}
	if (count > 1)
		MPI_Barrier(MPI_COMM_WORLD); /* in which the others are killed */
	MPI_Finalize();
	return sum == 987 ? 0 : 1;
}
