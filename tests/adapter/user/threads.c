/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads say by measure.h what they do, all of them the same at once: regions that nobody has
 * defined yet, with a place in the source and by names, words, values, and tasks that one creates
 * and another one executes. Says of itself how often, in lines "region NAME COUNT" and "event NAME
 * COUNT". */
#include <measure.h>
#include <pthread.h>
#include <stdio.h>

enum { NR_THREADS = 8, NR_ROUNDS = 100 };

MEASURE_TASK_DEFINE(task, "task");

static struct measure_site sites[NR_ROUNDS];
static uint64_t created[NR_THREADS];
static pthread_barrier_t barrier;

static void annotate(int round)
{
	char name[32];

	snprintf(name, sizeof(name), "word %d", round);
	measure_site_begin(&sites[round]);
	measure_region_begin("name");
	measure_region_begin(name);
	MEASURE_PARAMETER_STRING("word", name);
	MEASURE_METRIC_UINT64("round", "#", (uint64_t)round);
	measure_region_end(name);
	measure_region_end("name");
	measure_site_end(&sites[round]);
}

static void *work(void *argument)
{
	const int number = *(const int *)argument;

	for (int i = 0; i < NR_ROUNDS; i++) {
		created[number] = measure_task_create(&task, NULL);
		pthread_barrier_wait(&barrier);
		annotate(i);
		measure_task_begin(&task, created[(number + 1) % NR_THREADS]);
		measure_task_end(&task, created[(number + 1) % NR_THREADS]);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[NR_THREADS];
	int numbers[NR_THREADS];

	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_ROUNDS; i++)
		sites[i] = (struct measure_site){
			.name = "site", .file = __FILE__, .line = (uint32_t)i + 1};
	for (int i = 0; i < NR_THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, work, &numbers[i]) != 0)
			return 1;
	}
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("region site %d\nregion name %d\n", NR_THREADS * NR_ROUNDS, NR_THREADS * NR_ROUNDS);
	printf("event parameter_string %d\nevent metric %d\n", NR_THREADS * NR_ROUNDS,
		NR_THREADS * NR_ROUNDS);
	printf("event thread_task_create %d\nevent thread_task_complete %d\n",
		NR_THREADS * NR_ROUNDS, NR_THREADS * NR_ROUNDS);
	return 0;
}
