/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks: 4
 * Order: any
 *
 * Every way in which all ranks can meet, or nearly: communicators of the world's members in
 * several orders, made and freed again; collectives that move nothing, fail, have a root, do not
 * block or span two groups; threads that meet in communicators of their own at the same time. For
 * SECONDS. Whoever measures something where ranks meet must come out of all of it. */
#include "t_mpi.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define NR_THREADS 3

static double seconds;
static double start;

/* All ranks go on, or all are done. */
static int goes_on(MPI_Comm comm)
{
	int is_over = MPI_Wtime() - start > seconds;
	int are_over = 0;

	MPI_Allreduce(&is_over, &are_over, 1, MPI_INT, MPI_LOR, comm);
	return !are_over;
}

static void meet(MPI_Comm comm)
{
	int own[4] = {1, 2, 3, 4};
	int all[4] = {0};
	int sum = 0;
	MPI_Request request;

	MPI_Barrier(comm);
	MPI_Ibarrier(comm, &request);
	MPI_Alltoall(own, 1, MPI_INT, all, 1, MPI_INT, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Allgather(own, 1, MPI_INT, all, 1, MPI_INT, comm);
	MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, comm);
	MPI_Allreduce(own, &sum, 0, MPI_INT, MPI_SUM, comm);
	MPI_Alltoall(own, 0, MPI_INT, all, 0, MPI_INT, comm);
	MPI_Reduce_scatter_block(own, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Bcast(all, 4, MPI_INT, 0, comm);
	MPI_Gather(own, 1, MPI_INT, all, 1, MPI_INT, 1, comm);
	MPI_Scan(own, &sum, 1, MPI_INT, MPI_SUM, comm);
}

/* Refused on one rank only, which then does it right. */
static void stumble(MPI_Comm comm, int rank)
{
	int own = rank;
	int sum = 0;

	if (rank == 2)
		MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_OP_NULL, comm);
	MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
}

static void *run_thread(void *argument)
{
	MPI_Comm *comm = argument;

	do
		MPI_Barrier(*comm);
	while (goes_on(*comm));
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[NR_THREADS];
	MPI_Comm comms[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	start = MPI_Wtime();
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, run_thread, &comms[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_THREADS; i++)
		MPI_Comm_free(&comms[i]);
}

static void run_communicators(int rank)
{
	MPI_Comm halves, inter, reversed, duplicate;

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &halves);
	MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
	MPI_Comm_set_errhandler(reversed, MPI_ERRORS_RETURN);
	start = MPI_Wtime();
	do {
		MPI_Comm_dup(reversed, &duplicate);
		meet(duplicate);
		meet(reversed);
		meet(halves);
		stumble(reversed, rank);
		MPI_Barrier(inter);
		MPI_Comm_free(&duplicate);
		usleep(1000);
	} while (goes_on(MPI_COMM_WORLD));
	MPI_Comm_free(&reversed);
	MPI_Comm_free(&inter);
	MPI_Comm_free(&halves);
}

int main(int argc, char **argv)
{
	int level = MPI_THREAD_SINGLE;
	int rank, size;

	seconds = argc > 1 ? strtod(argv[1], NULL) : 0.1;
	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size != 4)
		MPI_Abort(MPI_COMM_WORLD, 2);
	run_communicators(rank);
	if (level == MPI_THREAD_MULTIPLE)
		run_threads();
	MPI_Finalize();
	return 0;
}
