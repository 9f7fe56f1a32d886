/* SPDX-License-Identifier: BSD-3-Clause
 * Description: tasks that make tasks, tied and untied, with taskwait, taskgroups, dependences,
 * if and final clauses (LLVM 14 aborts where they meet untied); loops of tasks; tasks outside of
 * any region. */
#include "t_ompt.h"

static long nr_tasks;

static void count(long nr)
{
#pragma omp atomic
	nr_tasks += nr;
}

static long fibonacci_tied(int n)
{
	long a, b;

	if (n < 2)
		return n;
	count(2);
#pragma omp task shared(a) final(n < 4)
	a = fibonacci_tied(n - 1);
#pragma omp task shared(b) if (n > 5)
	b = fibonacci_tied(n - 2);
#pragma omp taskwait
	return a + b;
}

static long fibonacci_untied(int n)
{
	long a, b;

	if (n < 2)
		return n;
	count(2);
#pragma omp task shared(a) untied
	a = fibonacci_untied(n - 1);
#pragma omp task shared(b) untied
	b = fibonacci_untied(n - 2);
#pragma omp taskwait
	return a + b;
}

static void chain(int *value)
{
	count(3);
#pragma omp task depend(out : value[0])
	value[0] = 1;
#pragma omp task depend(inout : value[0])
	value[0] *= 5;
#pragma omp task depend(in : value[0])
	t_check(value[0] == 5, "dependences");
}

int main(void)
{
	enum { N = 12, ROUNDS = 20 };
	long nr_parents = 0, tied = 0, untied = 0, grouped = 0, looped = 0;
	int values[ROUNDS][16] = {{0}};

#pragma omp parallel num_threads(3)
#pragma omp single
	{
		tied = fibonacci_tied(N);
		untied = fibonacci_untied(N);
		nr_parents = nr_tasks - 4; /* two of each were made by the implicit task */
#pragma omp taskgroup
		for (int i = 0; i < ROUNDS; i++) {
			count(1);
#pragma omp task shared(grouped)
#pragma omp atomic
			grouped++;
		}
		for (int i = 0; i < ROUNDS; i++)
			chain(values[i]);
		count(5);
#pragma omp taskloop num_tasks(5) shared(looped)
		for (int i = 0; i < 50; i++) {
#pragma omp atomic
			looped += i;
		}
	}
	count(1);
#pragma omp task shared(grouped)
	grouped++;
#pragma omp taskwait
	t_check(tied == 144 && untied == 144, "fibonacci");
	t_check(grouped == ROUNDS + 1 && looped == 49 * 25, "grouped and looped");
	t_expect("forks", 1);
	t_expect("begins", 3);
	t_expect("tasks", nr_tasks);
	t_expect("task.parent", nr_parents);
	t_expect("task.access.R", ROUNDS);
	t_expect("task.access.RW", 2 * ROUNDS); /* clang says of out that it is inout */
	return 0;
}
