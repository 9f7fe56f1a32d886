/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_mode.sh and flight_recorder.sh: what a process without MPI does to get events, in
 * rounds, on three threads. All that is not time is the same in each run. Usage: mixture ROUNDS
 * DIRECTORY [children|storm THREADS] */
#include <measure.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_THREADS   3
#define MOST_THREADS 256
#define STORM        6000000 /* calls of all threads together */

MEASURE_PHASE_DEFINE(rounds, "rounds");
MEASURE_LOOP_DEFINE(step, "step");
MEASURE_REGION_DEFINE(part, "part");
MEASURE_TASK_DEFINE(package, "package");

static volatile long sink;
static pthread_mutex_t locks[NR_THREADS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static const char *directory;
static int nr_rounds;

__attribute__((noinline)) static void leaf(long n)
{
	sink += n;
}

__attribute__((noinline)) static void down(int depth)
{
	void *memory = malloc(64 * (size_t)depth + 1);

	leaf(depth);
	if (depth > 0)
		down(depth - 1);
	if (depth % 3 == 0 && depth > 1)
		down(depth - 2);
	free(memory);
}

static void use_file(long thread)
{
	char path[4096], text[100] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/file.%ld", directory, thread);
	file = fopen(path, "w+");
	if (!file)
		return;
	fwrite(text, 1, sizeof(text), file);
	rewind(file);
	if (fread(text, 1, sizeof(text), file) > 0)
		leaf(0);
	fclose(file);
}

/* A task of another round is executed inside this one. */
static void use_tasks(int n)
{
	static __thread uint64_t before;
	uint64_t task = measure_task_create(&package, NULL);

	if (before)
		measure_task_dependence(task, before);
	measure_task_begin(&package, task);
	leaf(n);
	measure_task_end(&package, task);
	before = task;
}

static void do_round(long thread, int round)
{
	MEASURE_ITERATION_BEGIN(step, round % 10);
	MEASURE_PARAMETER_INT64("round", round);
	down(round % 7);
	pthread_mutex_lock(&locks[thread]);
	MEASURE_REGION_BEGIN(part);
	MEASURE_METRIC_INT64("level", "1", round);
	MEASURE_METRIC_DOUBLE("heat", "K", round / 3.0);
	measure_region_begin("by name");
	leaf(round);
	measure_region_end("by name");
	MEASURE_REGION_END(part);
	pthread_mutex_unlock(&locks[thread]);
	if (round % 50 == 0)
		use_file(thread);
	use_tasks(round);
	if (round % 100 == 7) {
		measure_recording_off();
		down(3);
		measure_recording_on();
	}
	MEASURE_ITERATION_END(step);
}

static void *work(void *argument)
{
	MEASURE_PHASE_BEGIN(rounds);
	for (int i = 0; i < nr_rounds; i++)
		do_round((long)argument, i);
	MEASURE_PHASE_END(rounds);
	return argument;
}

static void work_on_threads(void)
{
	pthread_t threads[NR_THREADS];

	for (long i = 1; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work(NULL);
	for (int i = 1; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void *rage(void *nr)
{
	for (long i = 0; i < (long)nr; i++)
		leaf(i);
	return nr;
}

static void storm(long nr)
{
	pthread_t threads[MOST_THREADS];

	for (int i = 0; i < nr && i < MOST_THREADS; i++)
		pthread_create(&threads[i], NULL, rage, (void *)(STORM / nr));
	for (int i = 0; i < nr && i < MOST_THREADS; i++)
		pthread_join(threads[i], NULL);
}

int main(int count, char **arguments)
{
	const char *mode = count > 3 ? arguments[3] : "";

	if (count < 3)
		return 99;
	nr_rounds = atoi(arguments[1]);
	directory = arguments[2];
	for (int i = 0; i < 2 && strcmp(mode, "children") == 0; i++) {
		if (fork() == 0) {
			work_on_threads();
			exit(0);
		}
		wait(NULL);
	}
	work_on_threads();
	if (strcmp(mode, "storm") == 0 && count > 4)
		storm(atol(arguments[4]));
	return 0;
}
