/* SPDX-License-Identifier: BSD-3-Clause
 * Description: every kind of worksharing, each with its implicit barrier or without. */
#include "t_ompt.h"

enum { THREADS = 3, N = 60, ROUNDS = 10 };

static int values[N];

static void loops(void)
{
#pragma omp for schedule(static)
	for (int i = 0; i < N; i++)
		values[i]++;
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < N; i++)
		values[i]++;
#pragma omp for schedule(guided) nowait
	for (int i = 0; i < N; i++)
		values[i]++;
#pragma omp barrier
}

static void others(int *nr_sections, int *nr_singles)
{
#pragma omp sections
	{
#pragma omp section
		nr_sections[0]++;
#pragma omp section
		nr_sections[1]++;
	}
#pragma omp single
	nr_singles[0]++;
#pragma omp single nowait
	nr_singles[1]++;
#pragma omp master
	nr_singles[2]++;
}

int main(void)
{
	int nr_sections[2] = {0, 0}, nr_singles[3] = {0, 0, 0};
	long sum = 0;

	for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(THREADS)
		{
			loops();
			others(nr_sections, nr_singles);
#pragma omp for reduction(+ : sum)
			for (int i = 0; i < N; i++)
				sum += values[i];
		}
	}
	t_check(values[0] == 3 * ROUNDS && values[N - 1] == 3 * ROUNDS, "loops");
	t_check(nr_sections[0] == ROUNDS && nr_sections[1] == ROUNDS, "sections");
	t_check(nr_singles[0] == ROUNDS && nr_singles[1] == ROUNDS, "singles");
	t_check(nr_singles[2] == ROUNDS && sum == 3L * N * ROUNDS * (ROUNDS + 1) / 2, "sum");
	t_expect("forks", ROUNDS);
	t_expect("begins", THREADS * ROUNDS);
	t_expect("barriers", THREADS * ROUNDS);
	t_expect("loops", 4 * THREADS * ROUNDS);
	t_expect("sections", THREADS * ROUNDS);
	t_expect("singles", 2 * THREADS * ROUNDS);
	t_expect("executors", 2 * ROUNDS);
	t_expect("masters", ROUNDS);
	return 0;
}
