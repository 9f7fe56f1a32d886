/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Delays of 50 ms, on purpose: rank 2 sends late, rank 3 comes late to a barrier, rank 0, the root,
 * to a broadcast. Three rounds of each, which begin together. With an argument, rank 1 is killed
 * while rank 2 waits for it. */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#define ROUNDS 3
#define DELAY  50000 /* us */

static int rank;

__attribute__((noinline)) static void compute(int who)
{
	if (rank == who)
		usleep(DELAY);
}

__attribute__((noinline)) static void meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) static void send_late(void)
{
	int value = 0;

	compute(2);
	if (rank == 2)
		MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void come_late(void)
{
	compute(3);
	MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) static void broadcast_late(void)
{
	int value = 0;

	compute(0);
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void die(void)
{
	int value = 0;

	if (rank == 1)
		raise(SIGKILL);
	if (rank == 2)
		MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	meet();
}

int main(int argc, char **argv)
{
	(void)argv;
	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int round = 0; round < ROUNDS; round++) {
		meet();
		send_late();
		meet();
		come_late();
		meet();
		broadcast_late();
	}
	meet();
	if (argc > 1)
		die();
	MPI_Finalize();
	return 0;
}
