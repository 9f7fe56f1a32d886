/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For max_size.sh: calls a tiny function so often, and then rests for 50 ms, so many times. Usage:
 * paced CALLS TIMES. Prints how often in all. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static long tiny(long n)
{
	__asm__ volatile("");
	return n + 1;
}

int main(int argc, char **argv)
{
	long nr_calls = argc > 1 ? atol(argv[1]) : 0, nr_times = argc > 2 ? atol(argv[2]) : 1;
	long sum = 0;

	for (long i = 0; i < nr_times; i++) {
		for (long k = 0; k < nr_calls; k++)
			sum = tiny(sum);
		usleep(50000);
	}
	printf("%ld\n", sum);
	return 0;
}
