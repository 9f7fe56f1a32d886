/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an MPI call costs that does next to nothing itself: MPI_Comm_rank. Prints
 * "call_ns MEDIAN" over short batches with pauses, so that memory is always there. */
#include "config.h"

#include <mpi.h>

#include "bench.h"

enum { BATCHES = 151, CALLS_PER_BATCH = 10000 };

static double batch(void)
{
	uint64_t begin = bench_now();
	int rank;

	for (int i = 0; i < CALLS_PER_BATCH; i++)
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	return (double)(bench_now() - begin) / CALLS_PER_BATCH;
}

int main(int argc, char **argv)
{
	double values[BATCHES];

	MPI_Init(&argc, &argv);
	/* The first batch makes threads of the tool, which must not inherit the pin. */
	batch();
	bench_pause(100);
	bench_pin();
	for (int i = 0; i < BATCHES; i++) {
		bench_pause(3);
		values[i] = batch();
	}
	printf("call_ns %.2f\n", bench_median(values, BATCHES));
	MPI_Finalize();
	return 0;
}
