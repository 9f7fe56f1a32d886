/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Delays of 50 ms, on purpose, in what delays.c has not: long sends whose receivers come late, a
 * probe, a loop of MPI_Test, access epochs whose targets come late and that end late, and a lock of
 * a window that is held for long. Five rounds of each, which begin together; ranks 0 and 1. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 5
#define DELAY  50000 /* us */
#define LONG   4194304

static int rank;
static char *buffer;
static MPI_Win window;
static MPI_Group other;

__attribute__((noinline)) static void compute(int who)
{
	if (rank == who)
		usleep(DELAY);
}

__attribute__((noinline)) static void meet(void)
{
	MPI_Barrier(MPI_COMM_WORLD);
}

/* The short message was there before anybody wanted it. */
__attribute__((noinline)) static void receive_late(int length)
{
	compute(1);
	if (rank == 0)
		MPI_Send(buffer, length, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
	if (rank == 1)
		MPI_Recv(buffer, length, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void probe(void)
{
	compute(0);
	if (rank == 0)
		MPI_Send(buffer, 8, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
	if (rank != 1)
		return;
	MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(buffer, 8, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void poll(void)
{
	MPI_Request request;
	int is_complete = 0;

	compute(0);
	if (rank == 0)
		MPI_Send(buffer, 8, MPI_CHAR, 1, 2, MPI_COMM_WORLD);
	if (rank != 1)
		return;
	MPI_Irecv(buffer, 8, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &request);
	while (!is_complete)
		MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void post_late(void)
{
	compute(1);
	if (rank == 0) {
		MPI_Win_start(other, 0, window);
		MPI_Put(buffer, 8, MPI_CHAR, 1, 0, 8, MPI_CHAR, window);
		MPI_Win_complete(window);
	} else if (rank == 1) {
		MPI_Win_post(other, 0, window);
		MPI_Win_wait(window);
	}
}

__attribute__((noinline)) static void complete_late(void)
{
	if (rank == 0) {
		MPI_Win_start(other, 0, window);
		MPI_Put(buffer, 8, MPI_CHAR, 1, 0, 8, MPI_CHAR, window);
		compute(0);
		MPI_Win_complete(window);
	} else if (rank == 1) {
		MPI_Win_post(other, 0, window);
		MPI_Win_wait(window);
	}
}

/* Rank 1 asks for the lock when rank 0 has it. */
__attribute__((noinline)) static void lock(void)
{
	if (rank == 1)
		MPI_Recv(buffer, 8, MPI_CHAR, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
	MPI_Put(buffer, 8, MPI_CHAR, 0, 0, 8, MPI_CHAR, window);
	MPI_Win_flush(0, window);
	if (rank == 0)
		MPI_Send(buffer, 8, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
	compute(0);
	MPI_Win_unlock(0, window);
}

int main(void)
{
	MPI_Group world;
	char *memory;
	int partner;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	buffer = calloc(1, LONG);
	partner = 1 - rank;
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	if (rank < 2)
		MPI_Group_incl(world, 1, &partner, &other);
	MPI_Win_allocate(1024, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
	for (int round = 0; round < ROUNDS; round++) {
		meet();
		receive_late(8);
		meet();
		receive_late(LONG);
		meet();
		probe();
		meet();
		poll();
		meet();
		post_late();
		meet();
		complete_late();
		meet();
		lock();
	}
	meet();
	MPI_Win_free(&window);
	MPI_Finalize();
	return 0;
}
