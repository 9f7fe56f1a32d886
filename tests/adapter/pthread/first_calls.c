/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads make their first call of each function all at the same moment: all enter and leave the
 * same region. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "t_thread.h"

#define NR_THREADS 4

/* Each thread has its own: nobody waits. */
struct own {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	pthread_spinlock_t spin;
	pthread_cond_t condition;
	sem_t semaphore;
};

#define STEP(name, object)                                                                         \
	static int step_##name(struct own *own)                                                    \
	{                                                                                          \
		return name(&own->object);                                                         \
	}
#define STEPS                                                                                      \
	STEP(pthread_mutex_lock, mutex)                                                            \
	STEP(pthread_mutex_unlock, mutex)                                                          \
	STEP(pthread_mutex_trylock, mutex)                                                         \
	STEP(pthread_rwlock_rdlock, rwlock)                                                        \
	STEP(pthread_rwlock_tryrdlock, rwlock)                                                     \
	STEP(pthread_spin_lock, spin)                                                              \
	STEP(pthread_spin_unlock, spin)                                                            \
	STEP(pthread_spin_trylock, spin)                                                           \
	STEP(pthread_cond_signal, condition)                                                       \
	STEP(pthread_cond_broadcast, condition)                                                    \
	STEP(sem_post, semaphore)                                                                  \
	STEP(sem_trywait, semaphore)
STEPS
#undef STEP

static const struct {
	const char *name;
	int (*call)(struct own *own);
} steps[] = {
#define STEP(name, object) {#name, step_##name},
	STEPS
#undef STEP
};
enum { NR_STEPS = sizeof(steps) / sizeof(steps[0]) };

static atomic_int nr_come;

static void meet(int step)
{
	atomic_fetch_add(&nr_come, 1);
	while (atomic_load(&nr_come) < (step + 1) * NR_THREADS)
		sched_yield();
}

static void *all_steps(void *data)
{
	struct own own = {.mutex = PTHREAD_MUTEX_INITIALIZER,
		.rwlock = PTHREAD_RWLOCK_INITIALIZER,
		.condition = PTHREAD_COND_INITIALIZER};

	pthread_spin_init(&own.spin, PTHREAD_PROCESS_PRIVATE);
	sem_init(&own.semaphore, 0, 0);
	for (int step = 0; step < NR_STEPS; step++) {
		meet(step);
		T_MUST(steps[step].call(&own) == 0);
	}
	return data;
}

int main(void)
{
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_create(&threads[i], NULL, all_steps, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
	for (int step = 0; step < NR_STEPS; step++)
		t_regions(steps[step].name, NR_THREADS);
	return 0;
}
