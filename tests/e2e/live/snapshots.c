/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program to make archives of while it runs. In each step all threads, and ranks where there are
 *any, call functions for some milliseconds by the clock; in some the program asks for an archive by
 *itself, or takes ten times as long.
 *
 *	snapshots THREADS STEPS [ask=N]... [slow=N]... [until=FILE]
 *
 * A line "step N" is printed at the end of each step; with until=FILE it goes on until there is
 *such a file. At the end a line "gap" has the longest time, in ms, between two looks at the clock
 *of the main thread. */
#include <measure.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>
#endif

#define MOST 64
#define STEP 0.02 /* s */
#define LOOK 2e-4

static int asks[MOST], slow[MOST], nr_threads, nr_steps;
static const char *until;
static double longest;
static pthread_barrier_t barrier;

__attribute__((no_instrument_function)) static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((noinline)) static void leaf(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static double work(double seconds)
{
	double last = now(), gap = 0;
	const double end = last + seconds;

	while (last < end) {
		double time;

		for (int i = 0; i < 10; i++)
			leaf();
		do
			time = now();
		while (time - last < LOOK);
		gap = time - last > gap ? time - last : gap;
		last = time;
	}
	return gap;
}

__attribute__((noinline)) static void *worker(void *argument)
{
	for (;;) {
		pthread_barrier_wait(&barrier);
		if (nr_steps < 0)
			return argument;
		work(STEP / 2);
	}
}

static void talk(void)
{
#ifdef WITH_MPI
	int rank, size, got;

	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
		(rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
#endif
}

__attribute__((noinline)) static void step(int number)
{
	const int i = number < MOST ? number : 0;
	double gap;

	pthread_barrier_wait(&barrier);
	talk();
	if (asks[i])
		measure_snapshot();
	gap = work(slow[i] ? 10 * STEP : STEP);
	longest = gap > longest ? gap : longest;
	talk();
}

__attribute__((noinline)) static void all_steps(void)
{
	MEASURE_PHASE_DEFINE(phase, "step");
	MEASURE_LOOP_DEFINE(loop, "iterate");

	for (int i = 1; i <= nr_steps || (until && access(until, F_OK) != 0); i++) {
		MEASURE_PHASE_BEGIN(phase);
		MEASURE_ITERATION_BEGIN(loop, (uint64_t)i);
		step(i);
		MEASURE_ITERATION_END(loop);
		MEASURE_PHASE_END(phase);
		printf("step %d\n", i);
		fflush(stdout);
	}
}

static void parse(int argc, char **argv)
{
	nr_threads = atoi(argv[1]);
	nr_steps = atoi(argv[2]);
	for (int i = 3; i < argc; i++) {
		const char *value = strchr(argv[i], '=') + 1;

		if (argv[i][0] == 'a')
			asks[atoi(value)] = 1;
		else if (argv[i][0] == 's')
			slow[atoi(value)] = 1;
		else
			until = value;
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[MOST];

#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
#endif
	parse(argc, argv);
	pthread_barrier_init(&barrier, NULL, (unsigned int)nr_threads);
	for (int i = 1; i < nr_threads; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	all_steps();
	nr_steps = -1;
	pthread_barrier_wait(&barrier);
	for (int i = 1; i < nr_threads; i++)
		pthread_join(threads[i], NULL);
#ifdef WITH_MPI
	MPI_Finalize();
#endif
	printf("gap %.3f\n", 1e3 * longest);
	return 0;
}
