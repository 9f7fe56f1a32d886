/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `meet SECONDS`: ranks that work for a millisecond and meet, again and again. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	double start;
	int are_over = 0;

	MPI_Init(&argc, &argv);
	start = MPI_Wtime();
	while (!are_over) {
		int is_over = MPI_Wtime() - start > seconds;

		usleep(1000);
		MPI_Allreduce(&is_over, &are_over, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
