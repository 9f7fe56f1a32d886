/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For user_api_mpi.sh: ranks that tell their places in two grids, and do not record some of their
 * messages. */
#include <measure.h>
#include <mpi.h>

MEASURE_PHASE_DEFINE(exchange, "exchange");

static void ring(int rank, int size, int tag)
{
	int sent = rank, received = -1;

	MEASURE_REGION("ring");
	MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, tag, &received, 1, MPI_INT,
		(rank + size - 1) % size, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Allreduce(MPI_IN_PLACE, &received, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void tell_places(int rank, int size)
{
	const uint32_t sizes[] = {2, (uint32_t)size / 2}, are_periodic[] = {0, 1};
	const uint32_t place[] = {(uint32_t)rank % 2, (uint32_t)rank / 2};
	const uint32_t line[] = {(uint32_t)size}, no[] = {0}, own[] = {(uint32_t)rank};

	measure_cartesian("plate", 2, sizes, are_periodic, place);
	measure_cartesian("line", 1, line, no, own);
}

int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	tell_places(rank, size);
	MEASURE_PHASE_BEGIN(exchange);
	ring(rank, size, 1);
	measure_recording_off();
	ring(rank, size, 2);
	measure_recording_on();
	ring(rank, size, 3);
	MEASURE_PHASE_END(exchange);
	MPI_Finalize();
	return 0;
}
