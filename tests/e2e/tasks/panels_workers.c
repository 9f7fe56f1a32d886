/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For panels.sh: a run-time system of tasks made of measure.h, with something for every panel: two
 * classes of workers, iterations, operations, tasks in tasks, data and their transfers between two
 * memory nodes, states of workers, messages. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"

enum { NR_ITERATIONS = 12, NR_IN_ITERATION = 14, NR_DATA = 9, NR_WORKERS = 3, CPU = 0, GPU = 1 };

MEASURE_TASK_DEFINE(factor, "factor");
MEASURE_TASK_DEFINE(update, "update");
MEASURE_TASK_DEFINE(message, "message");
MEASURE_WORKER_STATE_DEFINE(idle, "idle");
MEASURE_WORKER_STATE_DEFINE(fetching, "fetching");
MEASURE_WORKER_STATE_DEFINE(submitting, "submitting");

struct job {
	struct measure_site *site;
	uint64_t task, inner;
	int data, mode;
	long work;
};

static struct job jobs[NR_ITERATIONS * NR_IN_ITERATION];
static int nr_submitted, nr_taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t data[NR_DATA];
static int is_on_gpu[NR_DATA]; /* under the lock */
static volatile double sink;

static void work(long nr)
{
	for (long i = 0; i < nr; i++)
		sink += (double)i;
}

static void pause_shortly(long microseconds)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000 * microseconds}, NULL);
}

/* The next job, or NULL: there is none now. */
static struct job *take(int class, int *has_to_be_fetched)
{
	struct job *job = NULL;

	pthread_mutex_lock(&lock);
	if (nr_taken < nr_submitted) {
		job = &jobs[nr_taken++];
		*has_to_be_fetched = is_on_gpu[job->data] != class;
		is_on_gpu[job->data] = class;
	}
	pthread_mutex_unlock(&lock);
	return job;
}

static void execute(struct job *job, int class, int has_to_be_fetched)
{
	if (has_to_be_fetched) {
		uint64_t transfer;

		measure_site_begin(&fetching);
		transfer = measure_transfer_begin(data[job->data], !class, class, 80000);
		pause_shortly(50);
		measure_transfer_end(transfer);
		measure_site_end(&fetching);
	}
	measure_task_begin(job->site, job->task);
	work(class == GPU ? job->work / 3 : job->work);
	if (job->inner) {
		measure_task_begin(&update, job->inner);
		work(job->work / 2);
		measure_task_end(&update, job->inner);
		work(job->work / 2);
	}
	measure_task_end(job->site, job->task);
}

static void *run(void *argument)
{
	const int number = *(int *)argument, class = number == NR_WORKERS - 1 ? GPU : CPU;
	int is_done = 0;

	measure_worker(&(struct measure_worker_info){
		.fields = MEASURE_WORKER_HAS_NUMBER | MEASURE_WORKER_HAS_MEMORY_NODE,
		.number = (uint32_t)number,
		.memory_node = (uint32_t) class,
		.class_name = class == GPU ? "GPU" : "CPU"});
	while (!is_done) {
		int has_to_be_fetched = 0;
		struct job *job = take(class, &has_to_be_fetched);

		if (job) {
			execute(job, class, has_to_be_fetched);
			continue;
		}
		measure_site_begin(&idle);
		pause_shortly(80);
		measure_site_end(&idle);
		pthread_mutex_lock(&lock);
		is_done = nr_taken == NR_ITERATIONS * NR_IN_ITERATION;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static uint64_t create(struct measure_site *site, uint64_t iteration, long size)
{
	return measure_task_create(
		site, &(struct measure_task_info){
			      .fields = MEASURE_TASK_HAS_ITERATION | MEASURE_TASK_HAS_FLOPS,
			      .iteration = iteration,
			      .flops = 1.5 * (double)size});
}

static void submit(int iteration, int i)
{
	struct job job = {.site = i % 4 ? &update : &factor, .data = (3 * i + iteration) % NR_DATA};

	job.work = (i % 4 ? 30000 : 12000) * (i == 7 ? 5 : 1);
	job.mode = i % 3 ? MEASURE_ACCESS_RW : MEASURE_ACCESS_R;
	job.task = create(job.site, (uint64_t)iteration, job.work);
	measure_task_access(job.task, (enum measure_access)job.mode, data[job.data]);
	measure_task_ready(job.task);
	if (i == 5) {
		job.inner = create(&update, (uint64_t)iteration, job.work / 2);
		measure_task_ready(job.inner);
	}
	pthread_mutex_lock(&lock);
	jobs[nr_submitted++] = job;
	pthread_mutex_unlock(&lock);
}

/* From and to this process itself. */
static void exchange(int iteration)
{
	const struct measure_task_info info = {
		.fields = MEASURE_TASK_HAS_TAG, .tag = (uint64_t)iteration};
	const uint64_t send = measure_task_create(&message, &info);
	uint64_t receive;

	measure_task_access(send, MEASURE_ACCESS_R, data[iteration % NR_DATA]);
	measure_task_send(send, 0);
	measure_task_ready(send);
	receive = measure_task_create(&message, &info);
	measure_task_access(receive, MEASURE_ACCESS_W, data[(iteration + 1) % NR_DATA]);
	measure_task_receive(receive, 0);
	measure_task_ready(receive);
	pause_shortly(60);
	measure_task_complete(send);
	pause_shortly(40);
	measure_task_complete(receive);
}

int main(void)
{
	pthread_t threads[NR_WORKERS];
	int numbers[NR_WORKERS];

	for (int i = 0; i < NR_DATA; i++)
		data[i] = measure_data_register(&(struct measure_data_info){
			.fields = MEASURE_DATA_HAS_BYTES | MEASURE_DATA_HAS_HOME,
			.bytes = 80000 + (uint64_t)i,
			.name = "tile",
			.coordinates = (uint64_t[]){(uint64_t)i / 3, (uint64_t)i % 3},
			.nr_coordinates = 2});
	for (int i = 0; i < NR_WORKERS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, run, &numbers[i]) != 0)
			return 1;
	}
	for (int iteration = 0; iteration < NR_ITERATIONS; iteration++) {
		measure_site_begin(&submitting);
		for (int i = 0; i < NR_IN_ITERATION; i++)
			submit(iteration, i);
		measure_site_end(&submitting);
		exchange(iteration);
	}
	for (int i = 0; i < NR_WORKERS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < NR_DATA; i++)
		measure_data_unregister(data[i]);
	return 0;
}
