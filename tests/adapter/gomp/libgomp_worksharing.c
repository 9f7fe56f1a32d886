/* SPDX-License-Identifier: BSD-3-Clause
 * Description: every kind of worksharing that libgomp is called for, with a barrier or without. */
#include "t_omp.h"

enum { THREADS = 3, N = 60, ROUNDS = 5 };

static int values[N + 2][N + 2];
static int nr_times;
static long double sum; /* no machine instruction adds to it atomically */

/* The first and the last make no call: their iterations are dealt out without asking. */
static void loops(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < N; i++)
		values[i][0]++;
#pragma omp for schedule(static, 2) ordered
	for (int i = 0; i < N; i++) {
#pragma omp ordered
		nr_times++;
	}
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < N; i++)
		values[i][0]++;
#pragma omp for schedule(monotonic : guided) nowait
	for (int i = 0; i < N; i++)
		values[i][N + 1]++;
#pragma omp for schedule(runtime)
	for (unsigned long long i = 0; i < N; i++)
		values[i][0]++;
#pragma omp for schedule(nonmonotonic : guided)
	for (unsigned long long i = N; i > 0; i--)
		values[i - 1][0]++;
#pragma omp for schedule(auto)
	for (int i = 0; i < N; i++)
		values[i][0]++;
}

static void doacross(void)
{
#pragma omp for ordered(2) schedule(dynamic)
	for (int i = 1; i < N; i++)
		for (int j = 1; j < 4; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			values[i][j] = values[i - 1][j] + values[i][j - 1] + 1;
#pragma omp ordered depend(source)
		}
#pragma omp for ordered(1) schedule(static, 1)
	for (unsigned long long i = 1; i < 5; i++) {
#pragma omp ordered depend(sink : i - 1)
		values[0][i] = values[0][i - 1] + 1;
#pragma omp ordered depend(source)
	}
}

static void others(int *nr_sections, int *nr_singles)
{
	int copied = 0;

#pragma omp sections
	{
#pragma omp section
		nr_sections[0]++;
#pragma omp section
		nr_sections[1]++;
	}
#pragma omp sections nowait
	{
#pragma omp section
		nr_sections[0]++;
	}
#pragma omp single
	nr_singles[0]++;
#pragma omp single copyprivate(copied)
	copied = ++nr_singles[1];
	t_check(copied == nr_singles[1], "copyprivate");
#pragma omp single nowait
	nr_singles[2]++;
#pragma omp barrier
#pragma omp atomic
	sum += 1;
}

static void combined(int *nr)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic)
	for (int i = 0; i < N; i++)
#pragma omp atomic
		nr[0]++;
#pragma omp parallel sections num_threads(THREADS)
	{
#pragma omp section
		nr[1]++;
#pragma omp section
		nr[2]++;
	}
}

int main(void)
{
	int nr_sections[2] = {0, 0}, nr_singles[3] = {0, 0, 0}, nr_combined[3] = {0, 0, 0};

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
			loops();
			doacross();
			others(nr_sections, nr_singles);
		}
		combined(nr_combined);
	}
	t_check(values[5][0] == 5 * ROUNDS && values[5][N + 1] == ROUNDS && nr_times == N * ROUNDS,
		"loops");
	t_check(nr_sections[0] == 2 * ROUNDS && nr_sections[1] == ROUNDS, "sections");
	t_check(nr_singles[0] == ROUNDS && nr_singles[2] == ROUNDS, "singles");
	t_check(sum == THREADS * ROUNDS, "atomic");
	t_check(nr_combined[0] == N * ROUNDS && nr_combined[2] == ROUNDS, "combined");
	t_expect(3 * ROUNDS, 3 * THREADS * ROUNDS, -1);
	printf("loops %d sections %d singles %d executors %d\n", 8 * THREADS * ROUNDS,
		3 * THREADS * ROUNDS, 3 * THREADS * ROUNDS, 3 * ROUNDS);
	printf("acquires %d locks %d\n", ROUNDS * (N + THREADS), 2);
	return 0;
}
