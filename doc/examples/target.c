/* SPDX-License-Identifier: BSD-3-Clause
 *
 * y += a x on a device by OpenMP, ten times. Build for the host as a device, and record:
 *
 *	clang -O2 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu -o target target.c
 *	measure -o run1 ./target
 *	measure-profile --tree run1 */
#include <omp.h>
#include <stdio.h>

#define N     (1 << 16)
#define STEPS 10

static float x[N], y[N];

int main(void)
{
	for (int i = 0; i < N; i++)
		x[i] = 1;
#pragma omp target data map(to : x) map(tofrom : y)
	for (int step = 0; step < STEPS; step++) {
#pragma omp target
		for (int i = 0; i < N; i++)
			y[i] += 0.5f * x[i];
	}
	printf("%d kernels, %zu bytes, %s, %d devices\n", STEPS, 3 * sizeof(x),
		y[0] == STEPS * 0.5f && y[N - 1] == y[0] ? "right" : "wrong", omp_get_num_devices());
	return 0;
}
