/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 16 bytes to and fro between two ranks on cores of their own. Prints "oneway_ns N": half of a
 * round trip, median over batches so short that most of them run undisturbed; and
 * "fastest_ns N", the best of them. */
#include "config.h"

#include <mpi.h>

#include "bench.h"

#define NR_BATCHES 501
#define NR_TRIPS   100
#define NR_WARMUP  5000
#define BYTES      16

static void pin_apart(int rank)
{
	cpu_set_t all, one;

	if (sched_getaffinity(0, sizeof(all), &all) != 0 || CPU_COUNT(&all) < 2)
		return;
	CPU_ZERO(&one);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &all) && rank-- == 0)
			CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void trips(int rank, int nr)
{
	char buffer[BYTES] = {0};

	for (int i = 0; i < nr; i++) {
		if (rank == 0)
			MPI_Send(buffer, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(buffer, BYTES, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(buffer, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	double oneway[NR_BATCHES];
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != 2) {
		fprintf(stderr, "pingpong: run it on 2 ranks\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	pin_apart(rank);
	trips(rank, NR_WARMUP);
	for (int batch = 0; batch < NR_BATCHES; batch++) {
		const uint64_t start = bench_now();

		trips(rank, NR_TRIPS);
		oneway[batch] = (double)(bench_now() - start) / NR_TRIPS / 2;
	}
	if (rank == 0) {
		printf("oneway_ns %.1f\n", bench_median(oneway, NR_BATCHES));
		printf("fastest_ns %.1f\n", oneway[0]); /* the median has sorted them */
	}
	MPI_Finalize();
	return 0;
}
