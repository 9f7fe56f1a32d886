/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads, locks and conditions of C11. */
#include <threads.h>
#include <time.h>

#include "t_thread.h"

#define NR_THREADS 3
#define NR_ROUNDS  50

static mtx_t lock;
static cnd_t told;
static int turn, nr_turns;

static int work(void *data)
{
	return *(int *)data;
}

static int leave(void *data)
{
	thrd_exit(*(int *)data);
}

static void test_life(void)
{
	static int value = 3; /* the detached one may come to it when we are gone */
	thrd_t thread;
	int result;

	T_MUST(thrd_create(&thread, work, &value) == thrd_success);
	T_MUST(thrd_join(thread, &result) == thrd_success && result == 3);
	T_MUST(thrd_create(&thread, leave, &value) == thrd_success);
	T_MUST(thrd_join(thread, &result) == thrd_success && result == 3);
	T_MUST(thrd_create(&thread, work, &value) == thrd_success);
	T_MUST(thrd_detach(thread) == thrd_success);
}

static int play(void *number)
{
	for (int i = 0; i < NR_ROUNDS; i++) {
		T_MUST(mtx_lock(&lock) == thrd_success);
		while (turn != *(int *)number)
			T_MUST(cnd_wait(&told, &lock) == thrd_success);
		turn = (turn + 1) % NR_THREADS;
		nr_turns++;
		T_MUST(cnd_broadcast(&told) == thrd_success);
		T_MUST(mtx_unlock(&lock) == thrd_success);
	}
	return 0;
}

static void test_turns(void)
{
	thrd_t threads[NR_THREADS];
	int numbers[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++) {
		numbers[i] = i;
		T_MUST(thrd_create(&threads[i], play, &numbers[i]) == thrd_success);
	}
	for (int i = 0; i < NR_THREADS; i++)
		T_MUST(thrd_join(threads[i], NULL) == thrd_success);
	T_MUST(nr_turns == NR_ROUNDS * NR_THREADS);
}

static void test_in_vain(void)
{
	struct timespec past = {0, 0};

	T_MUST(mtx_lock(&lock) == thrd_success);
	T_MUST(mtx_trylock(&lock) == thrd_busy);
	T_MUST(mtx_timedlock(&lock, &past) == thrd_timedout);
	T_MUST(cnd_timedwait(&told, &lock, &past) == thrd_timedout);
	T_MUST(cnd_signal(&told) == thrd_success);
	T_MUST(mtx_unlock(&lock) == thrd_success);
}

int main(void)
{
	T_MUST(mtx_init(&lock, mtx_timed) == thrd_success && cnd_init(&told) == thrd_success);
	test_life();
	test_turns();
	test_in_vain();
	cnd_destroy(&told);
	mtx_destroy(&lock);
	thrd_sleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL); /* for the detached one */

	t_events("thread_create", NR_THREADS + 3);
	t_events("thread_begin", NR_THREADS + 3);
	t_events("thread_end", NR_THREADS + 3);
	t_events("thread_wait", NR_THREADS + 2);
	t_regions("thrd_create", NR_THREADS + 3);
	t_regions("thrd_exit", 1);
	t_regions("thrd_detach", 1);
	t_regions("mtx_lock", NR_THREADS * NR_ROUNDS + 1);
	t_regions("mtx_trylock", 1);
	t_regions("mtx_timedlock", 1);
	t_regions("cnd_timedwait", 1);
	t_regions("cnd_broadcast", NR_THREADS * NR_ROUNDS);
	return 0;
}
