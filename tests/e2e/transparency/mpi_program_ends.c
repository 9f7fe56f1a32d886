/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program that ends in the way its argument names, after some communication. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *way;
static int rank, size;

static int is(const char *name)
{
	return strcmp(way, name) == 0;
}

static void finalize(void)
{
	MPI_Finalize();
	printf("finalized\n");
}

static void *finalize_in_thread(void *unused)
{
	finalize();
	return unused;
}

__attribute__((destructor)) static void at_the_very_end(void)
{
	if (way && is("destructor"))
		finalize();
}

static void communicate(void)
{
	int value = rank;

	for (int i = 0; i < 100; i++) {
		MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0,
			(rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

static void end_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, finalize_in_thread, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int level, value;

	if (argc != 2)
		return 2;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	way = argv[1];
	communicate();
	if (is("atexit"))
		atexit(finalize);
	if (is("thread"))
		end_in_thread();
	if (is("twice"))
		MPI_Init(&argc, &argv);
	if (is("finalize") || is("twice"))
		finalize();
	if (is("exit") && rank == 1)
		exit(3); /* the others wait for a message that does not come */
	if (is("exit"))
		MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return 0; /* "nothing": without MPI_Finalize */
}
