/* SPDX-License-Identifier: BSD-3-Clause
 * Description: the kinds of programs that task run-times are compared by: queens on a board with
 * untied tasks down to a depth; sorting by halves; an unbalanced tree; blocks of a matrix by tasks
 * in phases; tasks made by all threads of a loop. More threads than cores. */
#include "t_ompt.h"

#include <string.h>

static long nr_tasks;

static void count(long nr)
{
#pragma omp atomic
	nr_tasks += nr;
}

/* ------------------------------------------------------------------------ queens --- */

static int is_free(const signed char *rows, int column, int row)
{
	for (int i = 0; i < column; i++)
		if (rows[i] == row || rows[i] - row == column - i || row - rows[i] == column - i)
			return 0;
	return 1;
}

/* Solutions with the first `column` queens placed. */
static void queens(int size, int column, const signed char *rows, long *nr_solutions)
{
	long found[16] = {0};

	if (column == size) {
		*nr_solutions = 1;
		return;
	}
	for (int row = 0; row < size; row++) {
		signed char more[16];

		if (!is_free(rows, column, row))
			continue;
		memcpy(more, rows, sizeof(more));
		more[column] = (signed char)row;
		if (column < 3) {
			count(1);
#pragma omp task untied firstprivate(more) shared(found)
			queens(size, column + 1, more, &found[row]);
		} else {
			queens(size, column + 1, more, &found[row]);
		}
	}
#pragma omp taskwait
	*nr_solutions = 0;
	for (int row = 0; row < size; row++)
		*nr_solutions += found[row];
}

/* -------------------------------------------------------------------------- sort --- */

static void merge(int *values, int nr, int *room)
{
	int a = 0, b = nr / 2;

	for (int i = 0; i < nr; i++)
		room[i] = b >= nr || (a < nr / 2 && values[a] <= values[b]) ? values[a++]
									    : values[b++];
	memcpy(values, room, (size_t)nr * sizeof(*values));
}

static void sort(int *values, int nr, int *room)
{
	int half = nr / 2;

	if (nr < 2)
		return;
	count(2);
#pragma omp task if (nr > 64)
	sort(values, half, room);
#pragma omp task final(nr < 256) mergeable
	sort(values + half, nr - half, room + half);
#pragma omp taskwait
	merge(values, nr, room);
}

/* -------------------------------------------------------------------------- tree --- */

static long tree(unsigned seed, int depth)
{
	unsigned children = depth > 8 ? 0 : seed % 5;
	long below[4] = {0};

	for (unsigned i = 0; i < children; i++) {
		count(1);
#pragma omp task shared(below)
		below[i] = tree(seed * 1103515245u + 12345u + i, depth + 1);
	}
#pragma omp taskwait
	return 1 + below[0] + below[1] + below[2] + below[3];
}

static long tree_alone(unsigned seed, int depth)
{
	unsigned children = depth > 8 ? 0 : seed % 5;
	long nodes = 1;

	for (unsigned i = 0; i < children; i++)
		nodes += tree_alone(seed * 1103515245u + 12345u + i, depth + 1);
	return nodes;
}

/* ------------------------------------------------------------------------ blocks --- */

enum { BLOCKS = 8 };

static void phases(long blocks[BLOCKS][BLOCKS])
{
	for (int k = 0; k < BLOCKS; k++) {
		for (int i = k; i < BLOCKS; i++) {
			count(1);
#pragma omp task untied firstprivate(i, k) shared(blocks)
			for (int j = k; j < BLOCKS; j++)
				blocks[i][j]++;
		}
#pragma omp taskwait
	}
}

static void check_blocks(long blocks[BLOCKS][BLOCKS])
{
	for (int i = 0; i < BLOCKS; i++)
		for (int j = 0; j < BLOCKS; j++)
			t_check(blocks[i][j] == (i < j ? i : j) + 1, "blocks");
}

/* ---------------------------------------------------------------------- all threads --- */

static void everybody(int nr)
{
#pragma omp for schedule(dynamic, 3)
	for (int i = 0; i < nr; i++) {
		count(1);
#pragma omp task firstprivate(i)
		count(0);
	}
}

int main(void)
{
	enum { THREADS = 8, SIZE = 3000, QUEENS = 7, LOOP = 200 };
	static int values[SIZE], room[SIZE];
	static long blocks[BLOCKS][BLOCKS];
	const signed char board[16] = {0};
	long nr_solutions = 0, nodes = 0;

	for (int i = 0; i < SIZE; i++)
		values[i] = (int)((unsigned)i * 7919u % SIZE);
#pragma omp parallel num_threads(THREADS)
	{
#pragma omp single
		{
			queens(QUEENS, 0, board, &nr_solutions);
			sort(values, SIZE, room);
			nodes = tree(4u, 0);
			phases(blocks);
		}
		everybody(LOOP);
	}
	t_check(nr_solutions == 40, "queens");
	for (int i = 1; i < SIZE; i++)
		t_check(values[i - 1] <= values[i], "sorted");
	t_check(nodes == tree_alone(4u, 0), "tree");
	check_blocks(blocks);
	t_expect("forks", 1);
	t_expect("begins", THREADS);
	t_expect("tasks", nr_tasks);
	return 0;
}
