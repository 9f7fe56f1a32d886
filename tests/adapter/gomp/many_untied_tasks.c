/* SPDX-License-Identifier: BSD-3-Clause
 * Description: 64 threads that take each other's recursive untied tasks, in a team that each of
 * the rounds makes anew with another size, also nested. */
#include <string.h>

#include "t_omp.h"

enum { N = 6, THREADS = 64, SIZE = 4096, LEAST = 256 };

static int nr_tasks, nr_solutions;
static int values[SIZE], room[SIZE];

static void made(int nr)
{
#pragma omp atomic
	nr_tasks += nr;
}

static void queens(int row, const char *above)
{
	if (row == N) {
#pragma omp atomic
		nr_solutions++;
		return;
	}
	made(N);
	for (char column = 0; column < N; column++) {
#pragma omp task untied if (row < 4) final(row == 4)
		{
			char places[N];
			int is_free = 1;

			if (row)
				memcpy(places, above, (size_t)row);
			for (int i = 0; i < row; i++)
				is_free &= places[i] != column && places[i] - column != row - i &&
					   column - places[i] != row - i;
			places[row] = column;
			if (is_free)
				queens(row + 1, places);
		}
	}
#pragma omp taskwait
}

static void merge(int *from, int *to, int size)
{
	int left = 0, right = size / 2;

	for (int i = 0; i < size; i++)
		to[i] = right == size || (left < size / 2 && from[left] < from[right])
				? from[left++]
				: from[right++];
	memcpy(from, to, (size_t)size * sizeof(*to));
}

static void sort(int *part, int *spare, int size)
{
	if (size == 1)
		return;
	made(2);
#pragma omp task untied final(size <= LEAST)
	sort(part, spare, size / 2);
#pragma omp task untied final(size <= LEAST)
	sort(part + size / 2, spare + size / 2, size - size / 2);
#pragma omp taskwait
	merge(part, spare, size);
}

int main(void)
{
	int nr_begins = 0;

	for (int i = 0; i < SIZE; i++)
		values[i] = i * 7919 % SIZE;
	for (int size = THREADS; size > 1; size /= 4) {
#pragma omp parallel num_threads(size)
#pragma omp single
		queens(0, NULL);
		nr_begins += size;
	}
	t_check(nr_solutions == 3 * 4, "queens");
#pragma omp parallel num_threads(THREADS)
#pragma omp single nowait
	sort(values, room, SIZE);
	for (int i = 0; i < SIZE; i++)
		t_check(values[i] == i, "sort");
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
#pragma omp parallel num_threads(3)
#pragma omp single
	queens(0, NULL);
	t_expect(3 + 1 + 5, nr_begins + THREADS + 4 + 12, -1);
	printf("tasks %d\n", nr_tasks);
	return 0;
}
