/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The task graph of a tiled Cholesky factorisation on several processes, executed by a small
 * run-time system of its own, which describes its tasks, data and workers by measure.h. Kernels
 * only wait as long as a kernel would compute, so that the schedule, and not the processor, decides
 * how long it takes: doc/tutorial-tasks.md.
 *
 *	mpicc -O2 -pthread $(pkg-config --cflags measure) -o tiles tiles.c -lm
 *	mpirun -n 2 measure -o run ./tiles [-n TILES] [-b BYTES] [-w WORKERS] [-s fifo|lifo|priority]
 *		[-r REQUESTS] [-p POLL_US] */
#include <math.h>
#include <measure.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_ACCESSES 3
#define MOST_REQUESTS 4096

enum kind { POTRF, TRSM, SYRK, GEMM, SEND, RECEIVE, NR_KINDS };

MEASURE_TASK_DEFINE(potrf, "potrf");
MEASURE_TASK_DEFINE(trsm, "trsm");
MEASURE_TASK_DEFINE(syrk, "syrk");
MEASURE_TASK_DEFINE(gemm, "gemm");
MEASURE_TASK_DEFINE(message, "message");
MEASURE_WORKER_STATE_DEFINE(idle, "idle");
MEASURE_WORKER_STATE_DEFINE(submitting, "submitting");

static const struct {
	struct measure_site *site;
	long us;
	double flops; /* for each element of a tile and row of it */
} kernels[NR_KINDS] = {{&potrf, 1000, 1. / 3}, {&trsm, 2000, 1}, {&syrk, 2000, 1}, {&gemm, 3000, 2}, {&message, 0, 0},
	{&message, 0, 0}};

struct task {
	enum kind kind;
	int priority, partner;
	struct tile *tiles[MOST_ACCESSES]; /* the last one is changed, except by SEND */
	int nr_tiles;
	int nr_waits; /* tasks that have to end before, and 1 until it is submitted */
	struct task **successors;
	int nr_successors;
	bool is_over;
	uint64_t number; /* as measure.h has it */
	struct task *next;
};

/* Of the lower half of the matrix; or the copy of one that another process owns. */
struct tile {
	int index, owner;
	uint64_t handle;
	char *bytes;
	struct task *writer;
	struct task **readers; /* since then */
	int nr_readers;
	unsigned is_known; /* bit i: process i has a copy */
};

static int rank, nr_ranks;
static int nr_tiles = 16, nr_bytes = 128 * 1024, nr_workers = 8, most_sends = MOST_REQUESTS, poll_us = 1000;
static const char *scheduler = "priority";
static struct tile *matrix;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* for all of tasks and queues */
static pthread_cond_t is_ready = PTHREAD_COND_INITIALIZER;
static struct task *ready, *sends, *receives;
static int nr_submitted, nr_over;
static bool is_ending;

static struct tile *tile_at(int i, int j)
{
	return &matrix[i * nr_tiles + j];
}

/* ------------------------------------------------------------------------- queues --- */

static void queue_append(struct task **queue, struct task *task)
{
	while (*queue)
		queue = &(*queue)->next;
	task->next = NULL;
	*queue = task;
}

static struct task *queue_take(struct task **queue)
{
	struct task *task = *queue;

	if (task)
		*queue = task->next;
	return task;
}

static void ready_add(struct task *task)
{
	struct task **place = &ready;

	if (strcmp(scheduler, "fifo") == 0) {
		queue_append(&ready, task);
		return;
	}
	while (strcmp(scheduler, "priority") == 0 && *place && (*place)->priority >= task->priority)
		place = &(*place)->next;
	task->next = *place;
	*place = task;
}

/* ---------------------------------------------------------------------- dependences --- */

static void task_release(struct task *task)
{
	if (--task->nr_waits > 0)
		return;
	measure_task_ready(task->number);
	if (task->kind == SEND)
		queue_append(&sends, task);
	else if (task->kind == RECEIVE)
		queue_append(&receives, task);
	else {
		ready_add(task);
		pthread_cond_signal(&is_ready);
	}
}

static void task_wait_for(struct task *task, struct task *before)
{
	if (!before || before->is_over)
		return;
	before->successors = realloc(before->successors, sizeof(*before->successors) * (size_t)(before->nr_successors + 1));
	before->successors[before->nr_successors++] = task;
	task->nr_waits++;
	measure_task_dependence(task->number, before->number);
}

static void task_over(struct task *task)
{
	pthread_mutex_lock(&mutex);
	task->is_over = true;
	nr_over++;
	for (int i = 0; i < task->nr_successors; i++)
		task_release(task->successors[i]);
	pthread_mutex_unlock(&mutex);
}

static void task_access(struct task *task, struct tile *tile, bool is_changed)
{
	task_wait_for(task, tile->writer);
	for (int i = 0; is_changed && i < tile->nr_readers; i++)
		task_wait_for(task, tile->readers[i]);
	if (is_changed) {
		tile->writer = task;
		tile->nr_readers = 0;
	} else {
		tile->readers = realloc(tile->readers, sizeof(*tile->readers) * (size_t)(tile->nr_readers + 1));
		tile->readers[tile->nr_readers++] = task;
	}
	task->tiles[task->nr_tiles++] = tile;
	measure_task_access(task->number, is_changed ? MEASURE_ACCESS_RW : MEASURE_ACCESS_R, tile->handle);
}

/* ----------------------------------------------------------------------- submission --- */

static struct task *task_create(enum kind kind, int priority, int step, const struct tile *tile)
{
	const double nr_elements = nr_bytes / (double)sizeof(double);
	const struct measure_task_info info = {
		.fields = MEASURE_TASK_HAS_ITERATION | MEASURE_TASK_HAS_PRIORITY | MEASURE_TASK_HAS_TAG | MEASURE_TASK_HAS_FLOPS,
		.flops = kernels[kind].flops * nr_elements * sqrt(nr_elements),
		.iteration = (uint64_t)step,
		.tag = (uint64_t)tile->index,
		.priority = priority};
	struct task *task = calloc(1, sizeof(*task));

	task->kind = kind;
	task->priority = priority;
	task->nr_waits = 1;
	task->number = measure_task_create(kernels[kind].site, &info);
	nr_submitted++;
	return task;
}

static void tile_allocate(struct tile *tile)
{
	const uint64_t place[] = {(uint64_t)(tile->index / nr_tiles), (uint64_t)(tile->index % nr_tiles)};
	const struct measure_data_info info = {.fields = MEASURE_DATA_HAS_BYTES | MEASURE_DATA_HAS_TAG,
		.bytes = (uint64_t)nr_bytes,
		.tag = (uint64_t)tile->index,
		.name = "tile",
		.coordinates = place,
		.nr_coordinates = 2};

	if (tile->bytes)
		return;
	tile->bytes = calloc(1, (size_t)nr_bytes);
	tile->handle = measure_data_register(&info);
}

/* A tile that `reader` has to read: sent there once, for it is not changed any more. */
static void tile_bring(struct tile *tile, int reader, int priority, int step)
{
	const bool is_sender = rank == tile->owner;
	struct task *task;

	if (reader == tile->owner || tile->is_known & 1u << reader)
		return;
	tile->is_known |= 1u << reader;
	if (rank != reader && !is_sender)
		return;
	tile_allocate(tile);
	task = task_create(is_sender ? SEND : RECEIVE, priority, step, tile);
	task->partner = is_sender ? reader : tile->owner;
	if (is_sender)
		measure_task_send(task->number, (uint32_t)reader);
	else
		measure_task_receive(task->number, (uint32_t)tile->owner);
	task_access(task, tile, !is_sender);
	task_release(task);
}

/* `b` or both may be NULL. */
static void submit(enum kind kind, int step, struct tile *a, struct tile *b, struct tile *changed)
{
	const int i = changed->index / nr_tiles, j = changed->index % nr_tiles;
	const int priority = 2 * nr_tiles - step - i - j;
	struct task *task;

	pthread_mutex_lock(&mutex);
	if (a)
		tile_bring(a, changed->owner, priority, step);
	if (b)
		tile_bring(b, changed->owner, priority, step);
	if (changed->owner == rank) {
		tile_allocate(changed);
		task = task_create(kind, priority, step, changed);
		if (a)
			task_access(task, a, false);
		if (b)
			task_access(task, b, false);
		task_access(task, changed, true);
		task_release(task);
	}
	pthread_mutex_unlock(&mutex);
}

static void submit_all(void)
{
	MEASURE_REGION_BEGIN(submitting);
	for (int k = 0; k < nr_tiles; k++) {
		submit(POTRF, k, NULL, NULL, tile_at(k, k));
		for (int i = k + 1; i < nr_tiles; i++)
			submit(TRSM, k, tile_at(k, k), NULL, tile_at(i, k));
		for (int i = k + 1; i < nr_tiles; i++) {
			for (int j = k + 1; j < i; j++)
				submit(GEMM, k, tile_at(i, k), tile_at(j, k), tile_at(i, j));
			submit(SYRK, k, tile_at(i, k), NULL, tile_at(i, i));
		}
	}
	MEASURE_REGION_END(submitting);
}

/* -------------------------------------------------------------------------- workers --- */

/* Counts in the tile how often it was changed: what it reads was changed as often as it should. */
static void execute(struct task *task)
{
	const struct timespec time = {0, kernels[task->kind].us * 1000};
	int *count = (int *)(void *)task->tiles[task->nr_tiles - 1]->bytes;

	measure_task_begin(kernels[task->kind].site, task->number);
	nanosleep(&time, NULL);
	for (int i = 0; i + 1 < task->nr_tiles; i++)
		if (*(int *)(void *)task->tiles[i]->bytes != task->tiles[i]->index % nr_tiles + 1)
			MPI_Abort(MPI_COMM_WORLD, 1);
	++*count;
	measure_task_end(kernels[task->kind].site, task->number);
}

static struct task *worker_take(void)
{
	struct task *task;

	pthread_mutex_lock(&mutex);
	if (!ready && !is_ending) {
		MEASURE_REGION_BEGIN(idle);
		while (!ready && !is_ending)
			pthread_cond_wait(&is_ready, &mutex);
		MEASURE_REGION_END(idle);
	}
	task = queue_take(&ready);
	pthread_mutex_unlock(&mutex);
	return task;
}

static void *worker(void *argument)
{
	const struct measure_worker_info info = {.fields = MEASURE_WORKER_HAS_NUMBER,
		.number = (uint32_t)*(int *)argument,
		.class_name = "CPU"};
	struct task *task;

	measure_worker(&info);
	while ((task = worker_take())) {
		execute(task);
		task_over(task);
	}
	return NULL;
}

/* -------------------------------------------------------------------------- messages --- */

static MPI_Request requests[MOST_REQUESTS];
static struct task *posted[MOST_REQUESTS];
static int nr_requests, nr_sends;

static void request_post(struct task *task)
{
	struct tile *tile = task->tiles[0];

	if (task->kind == SEND)
		MPI_Isend(tile->bytes, nr_bytes, MPI_BYTE, task->partner, tile->index, MPI_COMM_WORLD, &requests[nr_requests]);
	else
		MPI_Irecv(tile->bytes, nr_bytes, MPI_BYTE, task->partner, tile->index, MPI_COMM_WORLD, &requests[nr_requests]);
	nr_sends += task->kind == SEND;
	posted[nr_requests++] = task;
}

/* The next message that may be on its way; NULL: none. */
static struct task *message_take(void)
{
	struct task *task = NULL;

	pthread_mutex_lock(&mutex);
	if (nr_requests < MOST_REQUESTS)
		task = queue_take(&receives);
	if (!task && nr_requests < MOST_REQUESTS && nr_sends < most_sends)
		task = queue_take(&sends);
	pthread_mutex_unlock(&mutex);
	return task;
}

static int requests_test(void)
{
	int done[MOST_REQUESTS], nr = 0, nr_left = 0;

	if (nr_requests > 0)
		MPI_Testsome(nr_requests, requests, &nr, done, MPI_STATUSES_IGNORE);
	for (int i = 0; i < nr; i++) {
		nr_sends -= posted[done[i]]->kind == SEND;
		measure_task_complete(posted[done[i]]->number);
		task_over(posted[done[i]]);
		posted[done[i]] = NULL;
	}
	for (int i = 0; i < nr_requests; i++)
		if (posted[i]) {
			requests[nr_left] = requests[i];
			posted[nr_left++] = posted[i];
		}
	nr_requests = nr_left;
	return nr;
}

/* The calling thread looks for messages once in a while: it shares its core with a worker. */
static void communicate(void)
{
	bool is_over = false;
	struct task *task;

	while (!is_over) {
		while ((task = message_take()))
			request_post(task);
		if (requests_test() == 0)
			usleep((useconds_t)poll_us);
		pthread_mutex_lock(&mutex);
		is_over = nr_over == nr_submitted;
		pthread_mutex_unlock(&mutex);
	}
	pthread_mutex_lock(&mutex);
	is_ending = true;
	pthread_cond_broadcast(&is_ready);
	pthread_mutex_unlock(&mutex);
}

/* ----------------------------------------------------------------------------- main --- */

static void take_options(int argc, char **argv)
{
	for (int option; (option = getopt(argc, argv, "n:b:w:s:r:p:")) != -1;) {
		switch (option) {
		case 'n':
			nr_tiles = atoi(optarg);
			break;
		case 'b':
			nr_bytes = atoi(optarg);
			break;
		case 'w':
			nr_workers = atoi(optarg);
			break;
		case 's':
			scheduler = optarg;
			break;
		case 'r':
			most_sends = atoi(optarg);
			break;
		case 'p':
			poll_us = atoi(optarg);
			break;
		default:
			exit(2);
		}
	}
}

/* Rows belong to the processes in turn. */
static void matrix_make(void)
{
	matrix = calloc((size_t)nr_tiles * (size_t)nr_tiles, sizeof(*matrix));
	for (int i = 0; i < nr_tiles * nr_tiles; i++) {
		matrix[i].index = i;
		matrix[i].owner = i / nr_tiles % nr_ranks;
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	int numbers[64], provided;
	double start;

	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &nr_ranks);
	take_options(argc, argv);
	if (nr_tiles < 1 || nr_bytes < (int)sizeof(int) || nr_workers < 1 || nr_workers > 64 || nr_ranks > 32)
		return 2;
	matrix_make();
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	for (int i = 0; i < nr_workers; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, worker, &numbers[i]);
	}
	submit_all();
	communicate();
	for (int i = 0; i < nr_workers; i++)
		pthread_join(threads[i], NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d x %d tiles, %s: %.3f s\n", nr_tiles, nr_tiles, scheduler, MPI_Wtime() - start);
	MPI_Finalize();
	return 0;
}
