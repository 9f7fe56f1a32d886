/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Order: any
 *
 * MPI_THREAD_MULTIPLE: threads share one file and open others of their own, and wait for
 * operations that another thread has started. */
#include "t_mpi.h"

#include <pthread.h>

#define NR_THREADS 3
#define NR_ROUNDS  40

static MPI_File file;
static MPI_Comm comms[NR_THREADS]; /* MPI allows one thread at a time for each */
static MPI_Request handed[NR_THREADS];
static pthread_barrier_t barrier;
/* Of operations that several threads have under way, Open MPI 4.1 now and then completes one
 * never (ompio; without an adapter too), so only the last ones below meet. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void use_own(int self)
{
	char name[T_PATH_MAX];
	MPI_File own;

	MPI_File_open(comms[self], t_path(name, "own", t_rank * NR_THREADS + self),
		MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &own);
	MPI_File_write(own, &self, 1, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_close(&own);
}

static void *operate(void *argument)
{
	const int self = *(const int *)argument, next = (self + 1) % NR_THREADS;
	const MPI_Offset place = (MPI_Offset)sizeof(int) * (t_rank * NR_THREADS + self);
	int value = self, got = -1;
	MPI_Request request;

	for (int i = 0; i < NR_ROUNDS; i++) {
		MPI_File_write_at(file, place, &value, 1, MPI_INT, MPI_STATUS_IGNORE);
		pthread_mutex_lock(&one_at_a_time);
		MPI_File_iread_at(file, place, &got, 1, MPI_INT, &request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
		pthread_mutex_unlock(&one_at_a_time);
		T_CHECK(got == value);
		if (i % 10 == 0)
			use_own(self);
	}
	MPI_File_iwrite_at(file, place, &value, 1, MPI_INT, &handed[self]);
	pthread_barrier_wait(&barrier);
	MPI_Wait(&handed[next], MPI_STATUS_IGNORE);
	pthread_barrier_wait(&barrier);
	return NULL;
}

int main(int argc, char **argv)
{
	int provided, numbers[NR_THREADS];
	pthread_t threads[NR_THREADS];
	char name[T_PATH_MAX];

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	if (provided < MPI_THREAD_MULTIPLE) {
		MPI_Finalize();
		return 0;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &t_rank);
	MPI_File_open(MPI_COMM_WORLD, t_path(name, "shared", 0),
		MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++) {
		numbers[i] = i;
		MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
		pthread_create(&threads[i], NULL, operate, &numbers[i]);
	}
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(threads[i], NULL);
		MPI_Comm_free(&comms[i]);
	}
	MPI_File_close(&file);
	MPI_Finalize();
	return 0;
}
