/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads come and go and pass a mutex to each other while signals interrupt them everywhere,
 * also before a thread has begun and after its end, with a handler whose call is recorded. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>

#include "t_thread.h"

#define NR_THREADS  3
#define NR_ROUNDS   3000
#define NR_CHILDREN (NR_ROUNDS / 10)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void handler(int number)
{
	(void)number;
	sem_post(&semaphore);
}

static void *nothing(void *data)
{
	return data;
}

static void *work(void *data)
{
	pthread_t child;

	for (int i = 0; i < NR_ROUNDS; i++) {
		T_MUST(pthread_mutex_lock(&mutex) == 0);
		T_MUST(pthread_mutex_unlock(&mutex) == 0);
		if (i % (NR_ROUNDS / NR_CHILDREN) != 0)
			continue;
		T_MUST(pthread_create(&child, NULL, nothing, NULL) == 0);
		T_MUST(pthread_join(child, NULL) == 0);
	}
	return data;
}

int main(void)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	const struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	pthread_t threads[NR_THREADS];

	T_MUST(sem_init(&semaphore, 0, 0) == 0);
	T_MUST(sigaction(SIGALRM, &action, NULL) == 0);
	T_MUST(setitimer(ITIMER_REAL, &often, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_create(&threads[i], NULL, work, NULL) == 0);
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(pthread_join(threads[i], NULL) == 0);
	T_MUST(setitimer(ITIMER_REAL, &never, NULL) == 0);
	return 0;
}
