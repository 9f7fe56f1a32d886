/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jacobi iterations by OpenACC, on a device if the compiler and the machine have one, else on the
 * host. Build and record:
 *
 *	gcc -O2 -g -fopenacc -o openacc openacc.c
 *	measure -o run1 ./openacc
 *	measure-profile run1 */
#include <stdio.h>

#define N     512
#define STEPS 20

static float old[N][N], new[N][N];

int main(void)
{
	for (int i = 0; i < N; i++)
		old[i][0] = new[i][0] = 1;
#pragma acc data copy(old) copyin(new)
	for (int step = 0; step < STEPS; step++) {
#pragma acc parallel loop collapse(2)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				new[i][j] = 0.25f * (old[i - 1][j] + old[i + 1][j] + old[i][j - 1] +
							    old[i][j + 1]);
#pragma acc parallel loop collapse(2)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				old[i][j] = new[i][j];
	}
	printf("%d parallel constructs, %.4f\n", 2 * STEPS, old[N / 2][1]);
	return 0;
}
