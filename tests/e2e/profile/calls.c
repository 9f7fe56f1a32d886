/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For totals.sh: calls of all kinds, on three threads, recursive ones too. Usage: calls
 * [killed|throttled|busy] */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long sink;

__attribute__((noinline)) static void leaf(long n)
{
	sink += n;
}

__attribute__((noinline)) static void down(int depth, int signal)
{
	void *memory = malloc(64 * (size_t)depth + 1);

	leaf(depth);
	if (depth > 0)
		down(depth - 1, signal);
	else if (signal)
		raise(signal);
	if (depth % 3 == 0)
		down(depth - 2, 0);
	free(memory);
}

static void *work(void *argument)
{
	for (int i = 0; i < 300; i++)
		down(i % 7, 0);
	return argument;
}

__attribute__((noinline)) static void busy(double seconds)
{
	const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		for (int i = 0; i < 100000; i++)
			sink += i;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	work(NULL);
	for (long i = 0; strcmp(mode, "throttled") == 0 && i < 3000000; i++)
		leaf(i);
	if (strcmp(mode, "busy") == 0)
		busy(0.7);
	if (strcmp(mode, "killed") == 0)
		down(9, SIGKILL);
	return 0;
}
