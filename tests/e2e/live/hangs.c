/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hangs MODE SEED: some rounds of sound communication, and then something that hangs for good, as
 * MODE says, at ranks and after rounds that SEED decides. Says what a roll-call must have, as lines
 * "expect REGEX". See also slow.c. */
#include <mpi.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE (1 << 20)
#define TAG   7

static int rank, size;
static unsigned variant;
static int odd, other; /* ranks: who does it wrong, and another one */
static int nr_rounds;
static char data[LARGE];

/* Four rounds make four collectives of the world, whatever else. */
static void round_of_work(void)
{
	double sum, mine = rank;
	const int next = (rank + 1) % size, previous = (rank + size - 1) % size;

	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	MPI_Sendrecv(&mine, 1, MPI_DOUBLE, next, TAG, &sum, 1, MPI_DOUBLE, previous, TAG,
		MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void pair(char *text, const char *end)
{
	const int low = odd < other ? odd : other, high = odd < other ? other : odd;

	sprintf(text, "ranks %d%c%d%s", low, high == low + 1 ? '-' : ',', high, end);
}

static void expect(const char *text)
{
	if (rank == 0)
		printf("expect %s\n", text);
}

/* All have said what is to be expected. */
static void ready(void)
{
	fflush(stdout);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		printf("ready\n");
		fflush(stdout);
	}
}

/* Collectives of the world before the one that goes wrong. */
static int nr_before(void)
{
	return nr_rounds + 1;
}

static void skip(void)
{
	char text[128];
	double sum, mine = 1;

	sprintf(text, "^proven mismatch: MPI_COMM_WORLD, collective %d:", nr_before() + 1);
	expect(text);
	sprintf(text, "^  %s: rank %d$", variant % 2 ? "reduce_scatter_block" : "barrier", odd);
	expect(text);
	ready();
	if (rank != odd)
		MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	if (variant % 2) {
		double *all = calloc((size_t)size, sizeof(*all));
		MPI_Reduce_scatter_block(all, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
		free(all);
	}
	MPI_Barrier(MPI_COMM_WORLD);
}

static void root(void)
{
	char text[128], *all = malloc((size_t)size * LARGE / 4);
	const char *name = variant % 2 ? "scatter" : "gather";
	const int right = odd == 0 ? size - 1 : 0;
	int wrong = odd;

	/* `odd` waits for the others as a root, or as one of the others for the wrong root */
	while (variant % 2 && (wrong == odd || wrong == right))
		wrong = (wrong + 1) % size;
	sprintf(text, "^proven mismatch: MPI_COMM_WORLD, collective %d:", nr_before() + 1);
	expect(text);
	sprintf(text, "^  %s with root %d: rank %d$", name, wrong, odd);
	expect(text);
	ready();
	if (variant % 2)
		MPI_Scatter(all, LARGE / 4, MPI_CHAR, data, LARGE / 4, MPI_CHAR,
			rank == odd ? wrong : right, MPI_COMM_WORLD);
	else
		MPI_Gather(data, LARGE / 4, MPI_CHAR, all, LARGE / 4, MPI_CHAR,
			rank == odd ? wrong : right, MPI_COMM_WORLD);
	MPI_Barrier(MPI_COMM_WORLD);
	free(all);
}

static void send(void)
{
	static const char *const calls[] = {"MPI_Ssend", "MPI_Send", "MPI_Wait", "MPI_Wait"};
	MPI_Request request;
	char text[128], ranks[64];
	const unsigned kind = variant % 4;

	pair(ranks, " wait for each other");
	sprintf(text, "^%s deadlock: %s", kind % 2 ? "suspected" : "proven", ranks);
	expect(text);
	sprintf(text, "^  rank %d: in %s to rank %d, tag 9,", odd, calls[kind], other);
	expect(text);
	ready();
	if (rank == odd && kind == 0)
		MPI_Ssend(data, 1, MPI_CHAR, other, 9, MPI_COMM_WORLD);
	if (rank == odd && kind == 1)
		MPI_Send(data, LARGE, MPI_CHAR, other, 9, MPI_COMM_WORLD);
	if (rank == odd && kind == 2)
		MPI_Issend(data, 1, MPI_CHAR, other, 9, MPI_COMM_WORLD, &request);
	if (rank == odd && kind == 3)
		MPI_Isend(data, LARGE, MPI_CHAR, other, 9, MPI_COMM_WORLD, &request);
	if (rank == odd && kind >= 2)
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

static void receive(void)
{
	static const char *const calls[] = {"MPI_Recv", "MPI_Waitall", "MPI_Probe", "MPI_Recv"};
	const unsigned kind = variant % 4;
	MPI_Request requests[2];
	char text[128], ranks[64];
	const int third = (odd + 1) % size == other ? (odd + 2) % size : (odd + 1) % size;

	pair(ranks, " wait for each other");
	sprintf(text, "^proven deadlock: %s", ranks);
	expect(text);
	sprintf(text, "^  rank %d: in %s .*from rank %d, tag %d[ ,]", odd, calls[kind], other,
		kind == 3 ? 8 : 9);
	expect(text);
	ready();
	if (rank == (kind == 3 ? other : third)) /* the right one, or with the wrong tag */
		MPI_Send(data, 1, MPI_CHAR, odd, 9, MPI_COMM_WORLD);
	if (rank == odd && (kind == 0 || kind == 3))
		MPI_Recv(data, 1, MPI_CHAR, other, kind == 3 ? 8 : 9, MPI_COMM_WORLD,
			MPI_STATUS_IGNORE);
	if (rank == odd && kind == 1) {
		MPI_Irecv(data, 1, MPI_CHAR, other, 9, MPI_COMM_WORLD, &requests[0]);
		MPI_Irecv(data + 1, 1, MPI_CHAR, third, 9, MPI_COMM_WORLD, &requests[1]);
		MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	}
	if (rank == odd && kind == 2)
		MPI_Probe(other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* -------------------------------------------------------------------------- threads --- */

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t barrier;
static volatile int nr_first;

static void *cross(void *which)
{
	const int first = which != NULL;

	pthread_mutex_lock(&locks[first]);
	__atomic_add_fetch(&nr_first, 1, __ATOMIC_SEQ_CST);
	while (nr_first < 2)
		usleep(1000);
	pthread_mutex_lock(&locks[!first]);
	pthread_mutex_unlock(&locks[!first]);
	pthread_mutex_unlock(&locks[first]);
	return NULL;
}

static void cross_openmp(void)
{
	static omp_lock_t both[2];

	omp_init_lock(&both[0]);
	omp_init_lock(&both[1]);
#pragma omp parallel num_threads(2)
	{
		const int first = omp_get_thread_num();
		omp_set_lock(&both[first]);
#pragma omp barrier
		omp_set_lock(&both[!first]);
		omp_unset_lock(&both[!first]);
		omp_unset_lock(&both[first]);
	}
}

static void two_threads(void *(*run)(void *))
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, run, NULL);
	pthread_create(&threads[1], NULL, run, &threads[1]);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
}

static void lock_twice(void)
{
	pthread_mutex_lock(&locks[0]);
	pthread_mutex_lock(&locks[0]);
}

static void crossed(void)
{
	char text[128];

	sprintf(text,
		variant % 3 == 2 ? "^proven deadlock: rank %d.* waits for a lock that it has"
				 : "^proven deadlock: threads of rank %d wait for each other",
		odd);
	expect(text);
	sprintf(text, "^  rank %d.*: in %s: lock [0-9]*, which thread [0-9] has", odd,
		variant % 3 == 1 ? "omp_set_lock" : "pthread_mutex_lock");
	expect(text);
	ready();
	if (rank == odd && variant % 3 == 0)
		two_threads(cross);
	if (rank == odd && variant % 3 == 1)
		cross_openmp();
	if (rank == odd && variant % 3 == 2)
		lock_twice();
	MPI_Barrier(MPI_COMM_WORLD);
}

static void *come(void *unused)
{
	(void)unused;
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void barrier_of_some(void)
{
#pragma omp parallel num_threads(3)
	{
		if (omp_get_thread_num() != (int)(variant % 3)) {
#pragma omp barrier
		}
	}
}

static void short_of_one(void)
{
	char text[128];
	const int is_openmp = variant % 2;

	if (is_openmp) {
		sprintf(text, "^proven mismatch: threads of rank %d do not meet the same barriers",
			odd);
		expect(text);
		sprintf(text, "^  thread [0-9]*: at the end after 0 barriers: ");
	} else {
		sprintf(text, "^proven deadlock: threads of rank %d wait for each other", odd);
		expect(text);
		sprintf(text, "^  rank %d thread [12]: in pthread_barrier_wait, a barrier", odd);
	}
	expect(text);
	ready();
	pthread_barrier_init(&barrier, NULL, 3);
	if (rank == odd && is_openmp)
		barrier_of_some();
	else if (rank == odd)
		two_threads(come);
	MPI_Barrier(MPI_COMM_WORLD);
}

/* ------------------------------------------------------------------------------ loop --- */

static volatile int is_over;

static void spin_for_good(void)
{
	while (!is_over)
		;
}

static void sleep_for_good(void)
{
	while (!is_over)
		usleep(1000);
}

static void loop(void)
{
	double sum, mine = 1;
	char text[128];

	expect("^nobody is deadlocked; waited for:$");
	sprintf(text, "^  rank %d, by %d others*: %s.* > %s", odd, size - 1,
		variant % 2 ? "[sc]" : "computes",
		variant % 2 ? "sleep_for_good" : "spin_for_good");
	expect(text);
	ready();
	if (rank == odd && variant % 2)
		sleep_for_good();
	else if (rank == odd)
		spin_for_good();
	MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static const struct {
	const char *name;
	void (*run)(void);
} modes[] = {{"skip", skip}, {"root", root}, {"send", send}, {"receive", receive},
	{"locks", crossed}, {"barrier", short_of_one}, {"loop", loop}};

int main(int nr_arguments, char **arguments)
{
	unsigned seed = nr_arguments > 2 ? (unsigned)atoi(arguments[2]) : 0;
	int given;

	MPI_Init_thread(&nr_arguments, &arguments, MPI_THREAD_FUNNELED, &given);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	variant = seed;
	odd = (int)(seed * 7 / 3) % size;
	other = (odd + 1 + (int)(seed / 2) % (size - 1)) % size;
	nr_rounds = 1 + (int)seed % 5;
	for (int i = 0; i < nr_rounds; i++)
		round_of_work();
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (nr_arguments > 2 && strcmp(arguments[1], modes[i].name) == 0)
			modes[i].run();
	MPI_Finalize();
	return 0;
}
