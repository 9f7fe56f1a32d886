/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every kind of lock, taken in every way, also in vain; and used by several threads at once. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "t_thread.h"

#define NR_THREADS 4
#define NR_ROUNDS  200

static unsigned long nr_acquired; /* as they must be recorded */
static pthread_mutex_t shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static long nr_rounds;

static void *work(void *data)
{
	for (int i = 0; i < NR_ROUNDS; i++) {
		T_MUST(pthread_mutex_lock(&shared) == 0);
		T_MUST(pthread_spin_lock(&spin) == 0);
		nr_rounds++;
		T_MUST(pthread_spin_unlock(&spin) == 0);
		T_MUST(pthread_mutex_unlock(&shared) == 0);
		T_MUST(pthread_rwlock_wrlock(&rwlock) == 0);
		T_MUST(pthread_rwlock_unlock(&rwlock) == 0);
		T_MUST(pthread_rwlock_rdlock(&rwlock) == 0);
		T_MUST(pthread_rwlock_unlock(&rwlock) == 0);
	}
	pthread_barrier_wait(&barrier);
	return data;
}

static void test_contended(void)
{
	pthread_t threads[NR_THREADS];

	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&barrier, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
	T_MUST(nr_rounds == NR_THREADS * NR_ROUNDS);
	pthread_spin_destroy(&spin);
	nr_acquired += 3 * NR_THREADS * NR_ROUNDS;
}

static void *fail_to_lock(void *lock)
{
	struct timespec past = {0, 0};

	T_MUST(pthread_mutex_trylock(lock) == EBUSY);
	T_MUST(pthread_mutex_timedlock(lock, &past) == ETIMEDOUT);
	T_MUST(pthread_mutex_clocklock(lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	return NULL;
}

static void test_kinds(void)
{
	struct timespec later = {time(NULL) + 100, 0};
	pthread_mutexattr_t attributes;
	pthread_mutex_t lock;
	pthread_t thread;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attributes);
	T_MUST(pthread_mutex_lock(&lock) == 0);
	T_MUST(pthread_mutex_trylock(&lock) == 0);
	T_MUST(pthread_mutex_timedlock(&lock, &later) == 0);
	T_MUST(pthread_create(&thread, NULL, fail_to_lock, &lock) == 0);
	T_MUST(pthread_join(thread, NULL) == 0);
	for (int i = 0; i < 3; i++)
		T_MUST(pthread_mutex_unlock(&lock) == 0);
	pthread_mutex_destroy(&lock);

	/* another one at the same place; what does not go wrong is not seen */
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&lock, &attributes);
	T_MUST(pthread_mutex_unlock(&lock) == EPERM);
	T_MUST(pthread_mutex_lock(&lock) == 0);
	T_MUST(pthread_mutex_lock(&lock) == EDEADLK);
	T_MUST(pthread_mutex_unlock(&lock) == 0);
	pthread_mutex_destroy(&lock);
	pthread_mutexattr_destroy(&attributes);
	nr_acquired += 2;
}

static void *die_holding(void *lock)
{
	T_MUST(pthread_mutex_lock(lock) == 0);
	return NULL;
}

static void test_robust(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t lock;
	pthread_t thread;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&lock, &attributes);
	T_MUST(pthread_create(&thread, NULL, die_holding, &lock) == 0);
	T_MUST(pthread_join(thread, NULL) == 0);
	T_MUST(pthread_mutex_lock(&lock) == EOWNERDEAD);
	T_MUST(pthread_mutex_consistent(&lock) == 0);
	T_MUST(pthread_mutex_unlock(&lock) == 0);
	pthread_mutex_destroy(&lock);
	nr_acquired += 2;
}

/* Readers have it together, so only writers are recorded. */
static void test_readers(void)
{
	T_MUST(pthread_rwlock_rdlock(&rwlock) == 0);
	T_MUST(pthread_rwlock_tryrdlock(&rwlock) == 0);
	T_MUST(pthread_rwlock_trywrlock(&rwlock) == EBUSY);
	T_MUST(pthread_rwlock_unlock(&rwlock) == 0);
	T_MUST(pthread_rwlock_unlock(&rwlock) == 0);
}

static void test_semaphore(void)
{
	sem_t semaphore;

	sem_init(&semaphore, 0, 1);
	T_MUST(sem_wait(&semaphore) == 0);
	T_MUST(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
	T_MUST(sem_post(&semaphore) == 0);
	sem_destroy(&semaphore);
}

int main(void)
{
	test_contended();
	test_kinds();
	test_robust();
	test_readers();
	test_semaphore();

	t_events("thread_acquire_lock", nr_acquired);
	t_events("thread_release_lock", nr_acquired - 1); /* one died with it */
	t_regions("pthread_barrier_wait", NR_THREADS);
	t_regions("pthread_rwlock_rdlock", NR_THREADS * NR_ROUNDS + 1);
	t_regions("pthread_mutex_clocklock", 1);
	t_regions("sem_trywait", 1);
	return 0;
}
