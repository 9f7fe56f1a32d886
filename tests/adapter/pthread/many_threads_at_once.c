/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads in numbers. Usage: crowd N: N threads that are all there before the first one goes, then
 * four times as many of which four at a time are there. */
#include <pthread.h>
#include <stdlib.h>

#include "t_thread.h"

#define AT_ONCE 4

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_there = PTHREAD_COND_INITIALIZER, may_go = PTHREAD_COND_INITIALIZER;
static int nr_there, nr_wanted;

static void *stay(void *data)
{
	pthread_mutex_lock(&mutex);
	if (++nr_there == nr_wanted)
		pthread_cond_signal(&all_there);
	while (nr_there < nr_wanted)
		pthread_cond_wait(&may_go, &mutex);
	pthread_mutex_unlock(&mutex);
	return data;
}

static void *nothing(void *data)
{
	return data;
}

static void start(pthread_t *threads, int nr, void *(*what)(void *))
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	T_MUST(pthread_attr_setstacksize(&attributes, 64 * 1024) == 0);
	for (int i = 0; i < nr; i++)
		T_MUST(pthread_create(&threads[i], &attributes, what, NULL) == 0);
	pthread_attr_destroy(&attributes);
}

static void join(const pthread_t *threads, int nr)
{
	for (int i = 0; i < nr; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
}

int main(int argc, char **argv)
{
	pthread_t *threads;

	nr_wanted = argc > 1 ? atoi(argv[1]) : 0;
	threads = calloc((size_t)nr_wanted + 1, sizeof(*threads));
	T_MUST(threads && nr_wanted > 0);
	start(threads, nr_wanted, stay);
	pthread_mutex_lock(&mutex);
	while (nr_there < nr_wanted)
		pthread_cond_wait(&all_there, &mutex);
	pthread_cond_broadcast(&may_go);
	pthread_mutex_unlock(&mutex);
	join(threads, nr_wanted);
	for (int i = 0; i < nr_wanted; i++) {
		start(threads, AT_ONCE, nothing);
		join(threads, AT_ONCE);
	}
	free(threads);
	t_events("thread_begin", (unsigned long)nr_wanted * (1 + AT_ONCE));
	return 0;
}
