/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that annotates what it does, and whose children, that it forks while its threads are in
 * all of that, do so as well: followed CHILDREN MILLISECONDS
 *
 * Each child annotates 3 rounds and works for so long on a thread of its own, too. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

#define NR_THREADS 2
#define NR_ROUNDS  3
#define MOST_TEXTS 20000

static volatile double sink;
static atomic_bool is_over;
static double seconds;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void spin(void)
{
	const double end = now() + seconds;

	while (now() < end)
		for (int i = 1; i < 1000; i++)
			sink += 1. / i;
}

static void annotate(int round)
{
	char text[64];

	MEASURE_REGION("round");
	snprintf(text, sizeof(text), "round %d of %d", round, (int)getpid());
	MEASURE_PARAMETER_STRING("what", text);
	MEASURE_PARAMETER_INT64("number", round);
	MEASURE_METRIC_DOUBLE("residual", "K", 1. / (1 + round));
	measure_region_begin(text);
	measure_region_end(text);
	measure_marker("round", "done", MEASURE_SEVERITY_LOW);
}

/* Each text is a new one, for which a lock is taken. */
static void *annotate_always(void *unused)
{
	char text[64];

	for (unsigned i = 0; !is_over && i < MOST_TEXTS; i++) {
		snprintf(text, sizeof(text), "%u of %p", i, (void *)text);
		MEASURE_PARAMETER_STRING("thread", text);
		usleep(10);
	}
	return unused;
}

static void *spin_too(void *unused)
{
	spin();
	return unused;
}

static void be_child(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, spin_too, NULL);
	for (int i = 0; i < NR_ROUNDS; i++)
		annotate(i);
	measure_recording_off();
	annotate(NR_ROUNDS);
	measure_recording_on();
	spin();
	pthread_join(thread, NULL);
	_exit(measure_recording() ? 3 : 4);
}

int main(int count, char **arguments)
{
	pthread_t threads[NR_THREADS];
	int nr = count > 1 ? atoi(arguments[1]) : 1, status = 0, sum = 0;

	seconds = count > 2 ? atof(arguments[2]) / 1000 : 0.1;
	annotate(0);
	spin();
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, annotate_always, NULL);
	for (int i = 0; i < nr; i++) {
		pid_t child = fork();
		if (child == 0)
			be_child();
		waitpid(child, &status, 0);
		sum += WIFEXITED(status) ? WEXITSTATUS(status) : 100;
	}
	is_over = true;
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("children: %d\n", sum);
	return 0;
}
