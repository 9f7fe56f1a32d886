/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Everything in one process: MPI by several threads that the program makes, in which there are
 * OpenMP teams, while the first thread has a team of its own; functions that the compiler
 * instruments in all of them; and a fork. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "t_thread.h"

#define NR_ROUNDS  3
#define NR_THREADS 2
#define NR_TEAM	   3

static int rank, nr_ranks;

static double leaf(int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static double team(void)
{
	double sum = 0;

#pragma omp parallel num_threads(NR_TEAM) reduction(+ : sum)
	{
		sum += leaf(100);
#pragma omp barrier
#pragma omp critical
		sum += leaf(10);
	}
	return sum;
}

static void *work(void *tag)
{
	int sent = rank, received;

	pthread_setname_np(pthread_self(), "worker");
	T_MUST(team() > 0);
	MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % nr_ranks, (int)(long)tag, &received, 1, MPI_INT,
		(rank + nr_ranks - 1) % nr_ranks, (int)(long)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	return NULL;
}

static void run(void)
{
	pthread_t threads[NR_THREADS];

	for (long i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	T_MUST(team() > 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
}

static void *nothing(void *data)
{
	return data;
}

static void fork_once(void)
{
	pthread_t thread;
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(pthread_create(&thread, NULL, nothing, NULL) == 0 ? 3 : 4);
	T_MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
}

int main(int argc, char **argv)
{
	int provided;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nr_ranks);
	if (provided < MPI_THREAD_MULTIPLE)
		MPI_Abort(MPI_COMM_WORLD, 77);
	for (int i = 0; i < NR_ROUNDS; i++)
		run();
	fork_once();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	if (rank > 0)
		return 0;
	t_events("thread_create", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_events("thread_begin", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_events("thread_end", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_events("thread_wait", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_events("thread_fork", (unsigned long)(nr_ranks * NR_ROUNDS * (NR_THREADS + 1)));
	t_events("thread_join", (unsigned long)(nr_ranks * NR_ROUNDS * (NR_THREADS + 1)));
	t_events("mpi_send", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_events("mpi_recv", (unsigned long)(nr_ranks * NR_ROUNDS * NR_THREADS));
	t_regions("leaf", (unsigned long)(nr_ranks * NR_ROUNDS * (NR_THREADS + 1) * NR_TEAM * 2));
	return 0;
}
