/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Uses a device by OpenMP, on several threads, and says on stdout what a trace of it must contain:
 * "count REGION N", "bytes N" in transfers. Exit status 77: it would run on the host. */
#include <omp.h>
#include <stdio.h>

#define N 1000

static void work(void)
{
	float x[N];

	for (int i = 0; i < N; i++)
		x[i] = (float)i;
	for (int k = 0; k < 3; k++) {
#pragma omp target map(tofrom : x)
		for (int i = 0; i < N; i++)
			x[i] += 1;
	}
#pragma omp target data map(tofrom : x)
	{
#pragma omp target
		for (int i = 0; i < N; i++)
			x[i] *= 2;
#pragma omp target update from(x)
	}
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
}

int main(void)
{
	int is_host = 1;

#pragma omp target map(from : is_host)
	is_host = omp_is_initial_device();
	if (is_host)
		return 77;
#pragma omp parallel num_threads(3)
	work();
	printf("count kernel %d\n", 3 * 4 + 1);
	printf("count enter %d\ncount exit %d\ncount update %d\n", 3 * 2, 3 * 2, 3);
	printf("bytes %zu\n", (3 * 6 * N + 3 * 5 * N) * sizeof(float) + sizeof(int));
	return 0;
}
