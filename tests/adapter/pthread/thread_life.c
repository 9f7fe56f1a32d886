/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads come and go in every way there is: they return, exit, are cancelled; are joined,
 * detached before and after their end, or made detached; and work in the destructors of their
 * keys. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "t_thread.h"

static pthread_key_t key;
static sem_t has_ended, may_end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *rounds)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (rounds == &key)
		pthread_setspecific(key, &lock); /* once more */
	else
		sem_post(&has_ended);
}

static void *work(void *data)
{
	pthread_setspecific(key, &key);
	return data;
}

static void *leave(void *data)
{
	work(data);
	pthread_exit(data);
}

static void *sleep_on(void *data)
{
	work(data);
	sem_wait(&may_end);
	return data;
}

static void join(pthread_t thread, void *expected)
{
	void *result;

	T_MUST(pthread_join(thread, &result) == 0 && result == expected);
	T_MUST(sem_wait(&has_ended) == 0);
}

static void test_joined(void)
{
	pthread_t thread;
	struct timespec until = {.tv_sec = time(NULL) + 100};
	void *result;

	T_MUST(pthread_create(&thread, NULL, work, &lock) == 0);
	join(thread, &lock);
	T_MUST(pthread_create(&thread, NULL, leave, &lock) == 0);
	T_MUST(pthread_timedjoin_np(thread, &result, &until) == 0 && result == &lock);
	T_MUST(sem_wait(&has_ended) == 0);

	T_MUST(pthread_create(&thread, NULL, sleep_on, NULL) == 0);
	T_MUST(pthread_setname_np(thread, "sleeper") == 0);
	T_MUST(pthread_tryjoin_np(thread, NULL) == EBUSY);
	T_MUST(pthread_cancel(thread) == 0);
	join(thread, PTHREAD_CANCELED);
}

/* nr_threads: as there were in the beginning */
static void test_detached(int nr_threads)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	T_MUST(pthread_create(&thread, &attributes, work, NULL) == 0);
	T_MUST(sem_wait(&has_ended) == 0);
	T_MUST(pthread_create(&thread, NULL, work, NULL) == 0);
	T_MUST(sem_wait(&has_ended) == 0);
	T_MUST(pthread_detach(thread) == 0);
	T_MUST(pthread_create(&thread, NULL, sleep_on, NULL) == 0);
	T_MUST(pthread_detach(thread) == 0);
	T_MUST(sem_post(&may_end) == 0);
	T_MUST(sem_wait(&has_ended) == 0);

	/* no such stack can be had */
	T_MUST(pthread_attr_setstacksize(&attributes, (size_t)1 << 46) == 0);
	T_MUST(pthread_create(&thread, &attributes, work, NULL) != 0);
	pthread_attr_destroy(&attributes);
	t_wait_for_threads(nr_threads); /* the detached ones are not done when their key is */
}

int main(void)
{
	int nr_threads = t_nr_threads();

	sem_init(&has_ended, 0, 0);
	sem_init(&may_end, 0, 0);
	pthread_key_create(&key, destroy);
	pthread_setname_np(pthread_self(), "the first");
	test_joined();
	test_detached(nr_threads);

	t_events("thread_create", 7); /* one failed */
	t_events("thread_begin", 6);
	t_events("thread_end", 6);
	t_events("thread_wait", 3);
	t_events("thread_acquire_lock", 12);
	t_events("thread_release_lock", 12);
	t_regions("pthread_create", 7);
	t_regions("pthread_join", 2);
	t_regions("pthread_tryjoin_np", 1);
	t_regions("pthread_exit", 1);
	t_regions("pthread_detach", 2);
	t_regions("pthread_cancel", 1);
	return 0;
}
