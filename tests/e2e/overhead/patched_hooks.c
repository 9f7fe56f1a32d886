/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For patched_hooks.sh: small functions called often, from two threads, some inlined; `left` and
 * `right` in two arms of a branch, whose hook calls a compiler may make one; `last` from a thread
 * that has been cancelled and comes to no cancellation point of its own. Prints sums. */
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

#define TIMES 2000

static jmp_buf place;

static inline void left(volatile int *value)
{
	*value += 1;
}

static inline void right(volatile int *value)
{
	*value += 2;
}

__attribute__((noinline)) static int arms(volatile int *value, int is_left)
{
	if (is_left)
		left(value);
	else
		right(value);
	return 3;
}

__attribute__((noinline)) static void leaf(void)
{
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void jumper(int n)
{
	if (n % 10 == 0)
		longjmp(place, 1);
}

__attribute__((noinline)) static int work(int times)
{
	volatile int sum = 0;

	for (int i = 0; i < times; i++) {
		leaf();
		sum += arms(&sum, i % 2);
	}
	return sum;
}

static void *thread(void *sum)
{
	*(int *)sum = work(TIMES);
	return NULL;
}

__attribute__((noinline)) static void last(int *calls)
{
	++*calls;
}

static void *cancelled(void *calls)
{
	pthread_cancel(pthread_self());
	for (int i = 0; i < TIMES; i++)
		last(calls);
	return NULL;
}

int main(void)
{
	volatile int jumps = 0;
	pthread_t other;
	int sum, calls = 0;

	if (pthread_create(&other, NULL, cancelled, &calls) != 0)
		return 1;
	pthread_join(other, NULL);
	if (pthread_create(&other, NULL, thread, &sum) != 0)
		return 1;
	work(TIMES);
	for (volatile int i = 0; i < 1000; i++) {
		if (setjmp(place) == 0)
			jumper(i);
		else
			jumps++;
	}
	pthread_join(other, NULL);
	printf("%d %d %d\n", sum, jumps, calls);
	return 0;
}
