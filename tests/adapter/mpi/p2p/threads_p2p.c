/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Order: any
 *
 * MPI_THREAD_MULTIPLE: threads talk to their peers at once, each on a communicator of its own,
 * and complete requests that another thread has started. */
#include "t_mpi.h"

#include <pthread.h>

#define NR_THREADS 3
#define NR_ROUNDS  40

static MPI_Comm comms[NR_THREADS];
static MPI_Request handed[2];
static pthread_barrier_t barrier;

static void *talk(void *argument)
{
	MPI_Comm *comm = argument;
	int in[2], out = 1, index;
	MPI_Request requests[4];

	for (int i = 0; i < NR_ROUNDS; i++) {
		MPI_Irecv(&in[0], 1, MPI_INT, 1 - t_rank, 1, *comm, &requests[0]);
		MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, *comm, &requests[1]);
		MPI_Isend(&out, 1, MPI_INT, 1 - t_rank, 1, *comm, &requests[2]);
		MPI_Isend(&out, 1, MPI_INT, 1 - t_rank, 2, *comm, &requests[3]);
		MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	}
	pthread_barrier_wait(&barrier);
	if (comm == &comms[0]) {
		MPI_Irecv(&in[0], 1, MPI_INT, 1 - t_rank, 3, *comm, &handed[0]);
		MPI_Isend(&out, 1, MPI_INT, 1 - t_rank, 3, *comm, &handed[1]);
	}
	pthread_barrier_wait(&barrier);
	if (comm == &comms[1])
		MPI_Waitall(2, handed, MPI_STATUSES_IGNORE);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[NR_THREADS];
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &t_rank);
	T_CHECK(provided == MPI_THREAD_MULTIPLE);
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++)
		MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, talk, &comms[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_THREADS; i++)
		MPI_Comm_free(&comms[i]);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
