/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads wait on conditions: until they are told, too long, and until they are cancelled. A
 * wait gives the lock up and takes it again. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "t_thread.h"

#define NR_TURNS 100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;
static unsigned long nr_locks, nr_waits; /* under the lock */

static void wait_until(int wanted)
{
	T_MUST(pthread_mutex_lock(&lock) == 0);
	nr_locks++;
	while (turn != wanted) {
		nr_waits++;
		T_MUST(pthread_cond_wait(&condition, &lock) == 0);
	}
}

static void *play(void *data)
{
	for (int i = 0; i < NR_TURNS; i++) {
		wait_until(1);
		turn = 0;
		pthread_cond_signal(&condition);
		T_MUST(pthread_mutex_unlock(&lock) == 0);
	}
	return data;
}

static void test_turns(void)
{
	pthread_t thread;

	T_MUST(pthread_create(&thread, NULL, play, NULL) == 0);
	for (int i = 0; i < NR_TURNS; i++) {
		wait_until(0);
		turn = 1;
		pthread_cond_signal(&condition);
		T_MUST(pthread_mutex_unlock(&lock) == 0);
	}
	T_MUST(pthread_join(thread, NULL) == 0);
}

static void test_too_long(void)
{
	struct timespec past = {0, 0};

	wait_until(turn);
	T_MUST(pthread_cond_timedwait(&condition, &lock, &past) == ETIMEDOUT);
	T_MUST(pthread_cond_clockwait(&condition, &lock, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
	nr_waits += 2;
	T_MUST(pthread_mutex_unlock(&lock) == 0);
}

static void unlock(void *data)
{
	(void)data;
	turn = 3;
	pthread_mutex_unlock(&lock);
}

static void *wait_in_vain(void *data)
{
	pthread_mutex_lock(&lock);
	nr_locks++;
	turn = 2;
	pthread_cond_broadcast(&condition);
	pthread_cleanup_push(unlock, NULL);
	nr_waits++;
	pthread_cond_wait(&condition, &lock);
	pthread_cleanup_pop(1);
	return data;
}

static void test_cancelled(void)
{
	pthread_t thread;
	void *result;

	T_MUST(pthread_create(&thread, NULL, wait_in_vain, NULL) == 0);
	wait_until(2);
	T_MUST(pthread_mutex_unlock(&lock) == 0);
	T_MUST(pthread_cancel(thread) == 0);
	T_MUST(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	T_MUST(turn == 3);
}

/* How often a thread waits is not the same each time, so the program must not print it; a lock is
 * released as often as it is acquired in any case. */
int main(void)
{
	test_turns();
	test_too_long();
	test_cancelled();
	T_MUST(nr_locks == 2 * NR_TURNS + 3 && nr_waits >= 3);

	t_regions("pthread_cond_signal", 2 * NR_TURNS);
	t_regions("pthread_cond_broadcast", 1);
	t_regions("pthread_cond_timedwait", 1);
	t_regions("pthread_cond_clockwait", 1);
	t_regions("pthread_mutex_lock", 2 * NR_TURNS + 3);
	t_events("thread_create", 2);
	t_events("thread_wait", 2);
	return 0;
}
