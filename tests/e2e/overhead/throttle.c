/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For throttle.sh: a tiny function called often. Usage: throttled CALLS [threads|recurse|grow|fork|kill]
 * Prints how often. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long nr_calls;

__attribute__((noinline)) static long tiny(long n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) static long work(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum = tiny(sum);
	return sum;
}

__attribute__((noinline)) static long down(long depth)
{
	return depth > 0 ? down(depth - 1) + 1 : 1;
}

__attribute__((noinline)) static long recurse(long n)
{
	long sum = 0;

	while (sum < n)
		sum += down(9);
	return sum;
}

/* Its stack grows while it runs. */
__attribute__((noinline)) static long growing(long n)
{
	volatile char one[n % 64 + 1];

	one[n % 64] = 1;
	return tiny(tiny(n)) - one[n % 64];
}

__attribute__((noinline)) static long grow(long n)
{
	long sum = 0;

	while (sum < n)
		sum = growing(sum);
	return sum;
}

__attribute__((noinline)) static long later(void)
{
	return work(1000);
}

static void *thread(void *sum)
{
	*(long *)sum = work(nr_calls);
	return NULL;
}

static long on_threads(void)
{
	pthread_t threads[2];
	long sums[2] = {0, 0};

	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, thread, &sums[i]) != 0)
			return -1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return sums[0] + sums[1];
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	long sum;

	nr_calls = argc > 1 ? atol(argv[1]) : 0;
	if (strcmp(mode, "threads") == 0)
		sum = on_threads();
	else if (strcmp(mode, "recurse") == 0)
		sum = recurse(nr_calls);
	else if (strcmp(mode, "grow") == 0)
		sum = grow(nr_calls);
	else
		sum = work(nr_calls);
	printf("%ld\n", sum);
	fflush(stdout);
	if (strcmp(mode, "fork") == 0) {
		if (fork() == 0)
			return later() != 1000;
		wait(NULL);
	}
	if (strcmp(mode, "kill") == 0)
		raise(SIGKILL);
	return 0;
}
