/* SPDX-License-Identifier: BSD-3-Clause
 *
 * `meet SECONDS [FILE [MESSAGES]]`: ranks that work for a millisecond and meet, again and again.
 * When they have met a hundred times rank 0 makes FILE. Between meetings each sends itself
 * MESSAGES. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NR_MEETINGS 100

static void make(const char *name)
{
	FILE *file = fopen(name, "w");

	if (!file)
		MPI_Abort(MPI_COMM_WORLD, 1);
	fclose(file);
}

static void talk(int nr_messages)
{
	int word = 0;

	for (int i = 0; i < nr_messages; i++)
		MPI_Sendrecv_replace(
			&word, 1, MPI_INT, 0, 0, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	const double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
	const char *file = argc > 2 ? argv[2] : NULL;
	const int nr_messages = argc > 3 ? atoi(argv[3]) : 0;
	int are_over = 0, rank;
	double start;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	start = MPI_Wtime();
	for (int i = 0; !are_over; i++) {
		int is_over = MPI_Wtime() - start > seconds;

		usleep(1000);
		talk(nr_messages);
		MPI_Allreduce(&is_over, &are_over, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
		if (i == NR_MEETINGS && rank == 0 && file)
			make(file);
	}
	MPI_Finalize();
	return 0;
}
