/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slow MODE SEED: a sound program that is slow where MODE says, at a rank that SEED decides, for
 * some seconds. Nobody may be accused of anything. See also hangs.c. */
#include <fcntl.h>
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE   (4 << 20)
#define SECONDS 4

static int rank, size, odd;
static unsigned seed;
static char *data;

static void compute(void)
{
	const double end = MPI_Wtime() + SECONDS;
	volatile double sum = 0;

	while (MPI_Wtime() < end)
		for (int i = 0; i < 100000; i++)
			sum += i;
}

static void gather_all(void)
{
	double sum, mine = 1;

	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void compute_alone(void)
{
	if (rank == odd)
		compute();
	gather_all();
}

static void late(void)
{
	if (rank == odd)
		sleep(SECONDS);
	if (seed % 2)
		MPI_Bcast(data, LARGE, MPI_CHAR, odd, MPI_COMM_WORLD);
	else
		MPI_Reduce(data, data + LARGE / 2, 8, MPI_CHAR, MPI_BOR, odd, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void write_file(void)
{
	const double end = MPI_Wtime() + SECONDS;

	if (rank == odd) {
		FILE *file = tmpfile();
		while (file && MPI_Wtime() < end) {
			rewind(file);
			fwrite(data, 1, LARGE, file);
			fflush(file);
			fdatasync(fileno(file));
		}
		if (file)
			fclose(file);
	}
	gather_all();
}

/* From a pipe that another process writes to at last. */
static void read_pipe(void)
{
	char byte;
	FILE *pipe;

	if (rank == odd) {
		pipe = popen("sleep 4; echo x", "r");
		if (pipe && fread(&byte, 1, 1, pipe) != 1)
			abort();
		if (pipe)
			pclose(pipe);
	}
	gather_all();
}

static void read_input(void)
{
	char line[16];

	if (rank == 0 && !fgets(line, sizeof(line), stdin))
		sleep(1);
	gather_all();
}

/* Rank 0 serves whoever comes; one of the others is slow, and the rest waits in a barrier. */
static void serve(void)
{
	MPI_Request request;
	MPI_Status status;
	int number = 0, index;

	odd = odd == 0 ? 1 : odd;
	for (int i = 1; rank == 0 && i < size; i++) {
		if (seed % 3 == 0) {
			MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
				&status);
		} else if (seed % 3 == 1) {
			MPI_Irecv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request);
			MPI_Waitany(1, &request, &index, &status);
		} else {
			MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
			MPI_Recv(
				&number, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
		}
	}
	if (rank == odd)
		seed % 2 ? compute() : (void)sleep(SECONDS);
	if (rank != 0)
		MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Sent, and not received for long; the sender is in a barrier or waits. */
static void receive_late(void)
{
	const int next = (odd + 1) % size;
	MPI_Request request = MPI_REQUEST_NULL;

	if (rank == odd)
		MPI_Isend(data, seed % 2 ? LARGE : 8, MPI_CHAR, next, 3, MPI_COMM_WORLD, &request);
	if (rank == odd && seed % 3 == 0)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (rank == next) {
		sleep(SECONDS);
		MPI_Recv(data, LARGE, MPI_CHAR, odd, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Each rank waits for the one before it. */
static void pipeline(void)
{
	if (rank == 0)
		seed % 2 ? compute() : (void)sleep(SECONDS);
	else
		MPI_Recv(data, 8, MPI_CHAR, rank - 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	if (rank + 1 < size)
		seed % 3 ? MPI_Send(data, 8, MPI_CHAR, rank + 1, 4, MPI_COMM_WORLD)
			 : MPI_Ssend(data, 8, MPI_CHAR, rank + 1, 4, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* Large messages and small ones, without an end in sight: there is always somebody who waits. */
static void exchange(void)
{
	const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
	const double begin = MPI_Wtime();
	int goes_on = 1;

	while (goes_on) {
		MPI_Sendrecv(data, LARGE / 2, MPI_CHAR, next, 5, data + LARGE / 2, LARGE / 2,
			MPI_CHAR, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		goes_on = MPI_Wtime() - begin < SECONDS;
		MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
	}
}

static void poll_request(void)
{
	MPI_Request request;
	int is_over = 0;

	if (rank == odd)
		sleep(SECONDS);
	MPI_Ibarrier(MPI_COMM_WORLD, &request);
	while (!is_over) {
		MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
		usleep(1000);
	}
}

/* Stopped, and continued by its child. */
static void stopped(void)
{
	if (rank == odd && fork() == 0) {
		sleep(SECONDS);
		kill(getppid(), SIGCONT);
		_exit(0);
	}
	if (rank == odd)
		kill(getpid(), SIGSTOP);
	gather_all();
}

/* -------------------------------------------------------------------------- threads --- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int is_there;

static void *hold(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	sleep(SECONDS / 2);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *bring(void *unused)
{
	(void)unused;
	sleep(SECONDS);
	pthread_mutex_lock(&lock);
	is_there = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&lock);
	sem_post(&semaphore);
	return NULL;
}

static void *await_signal(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
	while (!is_there)
		pthread_cond_wait(&condition, &lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *await_semaphore(void *unused)
{
	(void)unused;
	sem_wait(&semaphore);
	return NULL;
}

static void *come_late(void *unused)
{
	(void)unused;
	sleep(SECONDS);
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void *come(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void two_threads(void *(*first)(void *), void *(*second)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static void threads(void)
{
	pthread_barrier_init(&barrier, NULL, 2);
	sem_init(&semaphore, 0, 0);
	if (rank == odd && seed % 4 == 0)
		two_threads(hold, hold);
	if (rank == odd && seed % 4 == 1)
		two_threads(bring, await_signal);
	if (rank == odd && seed % 4 == 2)
		two_threads(bring, await_semaphore);
	if (rank == odd && seed % 4 == 3)
		two_threads(come, come_late);
	gather_all();
}

/* A thread waits for work all the time, while the process waits for another one. */
static void pool(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, await_signal, NULL);
	if (rank == odd)
		seed % 2 ? compute() : (void)sleep(SECONDS);
	gather_all();
	pthread_mutex_lock(&lock);
	is_there = 1;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
}

static void openmp(void)
{
#pragma omp parallel num_threads(3)
	{
		if (rank == odd && omp_get_thread_num() == (int)(seed % 3) && seed % 2 == 0)
			sleep(SECONDS);
#pragma omp barrier
#pragma omp critical
		if (rank == odd && seed % 2)
			sleep(SECONDS / 2);
	}
	if (rank == odd && seed % 5 == 0)
		compute();
	gather_all();
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {{"compute", compute_alone}, {"late", late}, {"write", write_file}, {"pipe", read_pipe},
	{"input", read_input}, {"serve", serve}, {"receive", receive_late}, {"pipeline", pipeline},
	{"exchange", exchange}, {"poll", poll_request}, {"stopped", stopped}, {"threads", threads},
	{"pool", pool}, {"openmp", openmp}};

int main(int nr_arguments, char **arguments)
{
	int given;

	seed = nr_arguments > 2 ? (unsigned)atoi(arguments[2]) : 0;
	MPI_Init_thread(&nr_arguments, &arguments, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	odd = (int)(seed * 7 / 3) % size;
	data = calloc(1, LARGE);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		printf("ready\n");
		fflush(stdout);
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (nr_arguments > 2 && strcmp(arguments[1], modes[i].name) == 0)
			modes[i].run();
	MPI_Finalize();
	return 0;
}
