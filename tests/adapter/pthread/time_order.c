/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many threads that create and join each other and fight for a few locks, each moment on another
 * core: whatever came first must have the earlier time. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "t_thread.h"

#define NR_WAVES    25
#define NR_PARENTS  6
#define NR_CHILDREN 2
#define NR_ROUNDS   30
#define NR_THREADS  (NR_WAVES * NR_PARENTS * (1 + NR_CHILDREN))

static pthread_mutex_t mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static volatile int shared[4];

/* Whichever way leads to it. */
static void lock(pthread_mutex_t *mutex, int way)
{
	struct timespec later = {time(NULL) + 100, 0};

	switch (way % 3) {
	case 0:
		T_MUST(pthread_mutex_lock(mutex) == 0);
		break;
	case 1:
		T_MUST(pthread_mutex_timedlock(mutex, &later) == 0);
		break;
	case 2:
		while (pthread_mutex_trylock(mutex) != 0)
			sched_yield();
	}
}

static void fight(void)
{
	for (int i = 0; i < NR_ROUNDS; i++) {
		lock(&mutexes[i % 2], i);
		shared[i % 2]++;
		if (i % 5 == 0)
			sched_yield();
		T_MUST(pthread_mutex_unlock(&mutexes[i % 2]) == 0);
		T_MUST(pthread_rwlock_wrlock(&rwlock) == 0);
		shared[2]++;
		T_MUST(pthread_rwlock_unlock(&rwlock) == 0);
		T_MUST(pthread_spin_lock(&spin) == 0);
		shared[3]++;
		T_MUST(pthread_spin_unlock(&spin) == 0);
	}
}

static void *child(void *data)
{
	fight();
	return data;
}

static void *parent(void *data)
{
	pthread_t children[NR_CHILDREN];

	for (int i = 0; i < NR_CHILDREN; i++)
		T_MUST(pthread_create(&children[i], NULL, child, NULL) == 0);
	fight();
	for (int i = 0; i < NR_CHILDREN; i++)
		T_MUST(pthread_join(children[i], NULL) == 0);
	return data;
}

int main(void)
{
	pthread_t parents[NR_PARENTS];

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	for (int wave = 0; wave < NR_WAVES; wave++) {
		for (int i = 0; i < NR_PARENTS; i++)
			T_MUST(pthread_create(&parents[i], NULL, parent, NULL) == 0);
		for (int i = 0; i < NR_PARENTS; i++)
			T_MUST(pthread_join(parents[i], NULL) == 0);
	}
	T_MUST(shared[2] == NR_THREADS * NR_ROUNDS);

	t_events("thread_create", NR_THREADS);
	t_events("thread_begin", NR_THREADS);
	t_events("thread_end", NR_THREADS);
	t_events("thread_wait", NR_THREADS);
	t_events("thread_acquire_lock", 3 * NR_THREADS * NR_ROUNDS);
	t_events("thread_release_lock", 3 * NR_THREADS * NR_ROUNDS);
	return 0;
}
