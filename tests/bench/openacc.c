/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a parallel construct of OpenACC with data that is there costs the thread, on the host:
 * processor time, in nanoseconds. */
#include <stdio.h>
#include <time.h>

#define NR 100000

static double thread_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static void run(int *x, int nr)
{
	for (int i = 0; i < nr; i++) {
#pragma acc parallel present(x[0 : 1])
		x[0]++;
	}
}

int main(void)
{
	int x[1] = {0};
	double begin;

#pragma acc data copy(x)
	{
		run(x, NR / 10);
		begin = thread_time();
		run(x, NR);
		printf("construct_ns %.1f\n", (thread_time() - begin) / NR);
	}
	return 0;
}
