/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that come and go while their call stacks are sampled: each has some work, and leaves. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { NR_THREADS = 4, NR_WAVES = 6, MOST_MS = 30 };

static double milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

__attribute__((noinline)) static double divide(double number)
{
	for (int i = 0; i < 1000; i++)
		number = number / 2 + (double)i;
	return number;
}

static void *work(void *argument)
{
	double end = milliseconds() + *(const int *)argument;
	volatile double number = 1;

	while (milliseconds() < end)
		number = divide(number);
	return NULL;
}

int main(void)
{
	pthread_t threads[NR_THREADS];
	int shares[NR_THREADS];

	for (int wave = 0; wave < NR_WAVES; wave++) {
		for (int i = 0; i < NR_THREADS; i++) {
			shares[i] = MOST_MS * i / (NR_THREADS - 1);
			if (pthread_create(&threads[i], NULL, work, &shares[i]) != 0)
				return 1;
		}
		for (int i = 0; i < NR_THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	puts("done");
	return 0;
}
