/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Order: any
 *
 * MPI_THREAD_MULTIPLE: threads operate on one window at once, flush each other's operations, and
 * wait for requests that another thread has started. */
#include "t_mpi.h"

#include <pthread.h>

#define NR_THREADS 3
#define NR_ROUNDS  60

static MPI_Win win;
static MPI_Request handed[NR_THREADS];
static int memory[NR_THREADS * 2];
static pthread_barrier_t barrier;

static void *operate(void *argument)
{
	const int self = *(const int *)argument, next = (self + 1) % NR_THREADS;
	int value = self, got;
	MPI_Request request;

	for (int i = 0; i < NR_ROUNDS; i++) {
		MPI_Put(&value, 1, MPI_INT, i % 2, self, 1, MPI_INT, win);
		MPI_Rput(&value, 1, MPI_INT, 1 - t_rank, NR_THREADS + self, 1, MPI_INT, win,
			&request);
		if (i % 3 == 0)
			MPI_Win_flush(i % 2, win);
		else if (i % 3 == 1)
			MPI_Win_flush_local_all(win);
		MPI_Get(&got, 1, MPI_INT, 1 - t_rank, self, 1, MPI_INT, win);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		MPI_Win_flush_all(win);
	}
	MPI_Rput(&value, 1, MPI_INT, 1 - t_rank, self, 1, MPI_INT, win, &handed[self]);
	pthread_barrier_wait(&barrier);
	MPI_Wait(&handed[next], MPI_STATUS_IGNORE);
	return NULL;
}

int main(int argc, char **argv)
{
	int provided, numbers[NR_THREADS];
	pthread_t threads[NR_THREADS];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 0;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &t_rank);
	MPI_Win_create(
		memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_lock_all(0, win);
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, operate, &numbers[i]);
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
