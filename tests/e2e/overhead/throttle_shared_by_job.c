/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For throttle_shared_by_job.sh: calls tiny() millions of times, and starts itself as `shared CALLS quiet`, which calls
 * other functions now and then for three seconds, and only then tiny(), so often. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define TIMES 60 /* it calls others */

__attribute__((noinline)) static long tiny(long n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) static long other(long n)
{
	__asm__ volatile("");
	return n + 1;
}

__attribute__((noinline)) static long call_tiny(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum = tiny(sum);
	return sum;
}

static int quiet(long nr_calls)
{
	long sum = tiny(0);

	for (int i = 0; i < TIMES; i++) {
		for (int k = 0; k < 200; k++)
			sum = other(sum);
		usleep(50000);
	}
	return call_tiny(nr_calls) != nr_calls || sum != 1 + 200 * TIMES;
}

int main(int argc, char **argv)
{
	int status = 0;
	long nr_calls = argc > 1 ? atol(argv[1]) : 0;

	if (argc > 2)
		return quiet(nr_calls);
	pid_t child = fork();
	if (child == 0) {
		execl(argv[0], argv[0], "1000", "quiet", (char *)NULL);
		_exit(1);
	}
	printf("%ld\n", call_tiny(nr_calls));
	waitpid(child, &status, 0);
	return status != 0;
}
