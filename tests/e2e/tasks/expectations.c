/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For analyze_tasks.sh: two workers that do what is expected of a task program, or nothing of it.
 * Usage: expectations good|bad. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "measure.h"

enum { NR_TASKS = 160, NR_OF_FIRST = 140, NR_ITERATIONS = 10, NR_WORKERS = 2 };

MEASURE_TASK_DEFINE(step, "step");
MEASURE_TASK_DEFINE(message, "message");

struct share {
	int first, end;
	long microseconds; /* of the tasks with even numbers; of others `odd` */
	long odd;
};

static uint64_t tasks[NR_TASKS];
static int is_bad;

static void pass_time(long microseconds)
{
	struct timespec now, start;

	clock_gettime(CLOCK_MONOTONIC, &start);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - start.tv_sec) * 1000000 + (now.tv_nsec - start.tv_nsec) / 1000 <
		microseconds);
}

/* Iterations go together where all is well, else one after the other, on the first worker. */
static uint64_t create(int i)
{
	struct measure_task_info info = {
		.fields = MEASURE_TASK_HAS_ITERATION, .iteration = (uint64_t)(i % NR_ITERATIONS)};

	if (is_bad)
		info.iteration = (uint64_t)(i * NR_ITERATIONS / NR_OF_FIRST);
	return measure_task_create(&step, is_bad && i >= NR_OF_FIRST ? NULL : &info);
}

static void *run(void *argument)
{
	const struct share *share = argument;

	for (int i = share->first; i < share->end; i++) {
		if (is_bad) {
			tasks[i] = create(i);
			measure_task_ready(tasks[i]);
		}
		measure_task_begin(&step, tasks[i]);
		pass_time(i % 2 ? share->odd : share->microseconds);
		measure_task_end(&step, tasks[i]);
	}
	return NULL;
}

/* A worker has nothing to do up to the message that its task needs. */
static void wait_for_message(void)
{
	const uint64_t data = measure_data_register(&(struct measure_data_info){.name = "x"});
	const struct measure_task_info info = {.fields = MEASURE_TASK_HAS_TAG, .tag = 7};
	uint64_t send, receive, last;

	send = measure_task_create(&message, &info);
	measure_task_send(send, 0);
	measure_task_ready(send);
	receive = measure_task_create(&message, &info);
	measure_task_access(receive, MEASURE_ACCESS_W, data);
	measure_task_receive(receive, 0);
	measure_task_ready(receive);
	last = measure_task_create(&step, NULL);
	measure_task_access(last, MEASURE_ACCESS_R, data);
	pass_time(60000);
	measure_task_complete(send);
	measure_task_complete(receive);
	measure_task_ready(last);
	measure_task_begin(&step, last);
	pass_time(100);
	measure_task_end(&step, last);
}

int main(int argc, char **argv)
{
	/* the bad one has nearly all on one worker, and tasks of two lengths */
	struct share shares[NR_WORKERS] = {
		{0, NR_TASKS / 2, 200, 200}, {NR_TASKS / 2, NR_TASKS, 200, 200}};
	pthread_t thread;

	is_bad = argc > 1 && strcmp(argv[1], "bad") == 0;
	if (is_bad) {
		shares[0] = (struct share){0, NR_OF_FIRST, 100, 400};
		shares[1] = (struct share){NR_OF_FIRST, NR_TASKS, 100, 400};
	} else {
		for (int i = 0; i < NR_TASKS; i++) {
			tasks[i] = create(i);
			measure_task_ready(tasks[i]);
		}
	}
	if (pthread_create(&thread, NULL, run, &shares[1]) != 0)
		return 1;
	run(&shares[0]);
	pthread_join(thread, NULL);
	if (is_bad)
		wait_for_message();
	return 0;
}
