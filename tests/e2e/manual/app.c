/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What documents call ./app: functions, phases and tasks of the annotated example, three times. With WITH_MPI also messages and
 * collectives; then it takes at least as many seconds as its argument says. */
#define main annotated_main
#include "annotated.c"
#undef main
#include <stdlib.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static volatile int nr_calls;

/* So short that the suggested filter excludes it. */
static void count(void)
{
	nr_calls++;
}

static void communicate(const char *seconds)
{
#ifdef WITH_MPI
	int rank, size, value = 0, sum;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	usleep((useconds_t)(atof(seconds) * 1e6 / 3) + (useconds_t)rank * 1000);
	MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &value, 1, MPI_INT, (rank + size - 1) % size, 0,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
	(void)seconds;
#endif
}

int main(int argc, char **argv)
{
#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
#endif
	for (int i = 0; i < 3; i++) {
		if (annotated_main())
			return 1;
		communicate(argc > 1 ? argv[1] : "0");
	}
	for (int i = 0; i < 5000; i++)
		count();
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	return 0;
}
