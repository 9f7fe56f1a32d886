/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a target construct of OpenMP with data that is there costs the thread, where the host plays
 * the device: nanoseconds. Exit status 77: there is no device. */
#include <omp.h>
#include <stdio.h>

#define NR 20000

static void run(int *x, int nr)
{
	for (int i = 0; i < nr; i++) {
#pragma omp target map(tofrom : x[0 : 1])
		x[0]++;
	}
}

int main(void)
{
	int x[1] = {0}, is_host = 1;
	double begin;

#pragma omp target map(from : is_host)
	is_host = omp_is_initial_device();
	if (is_host)
		return 77;
#pragma omp target data map(tofrom : x)
	{
		run(x, NR / 10);
		begin = omp_get_wtime();
		run(x, NR);
		printf("construct_ns %.1f\n", 1e9 * (omp_get_wtime() - begin) / NR);
	}
	return x[0] == NR + NR / 10 ? 0 : 1;
}
