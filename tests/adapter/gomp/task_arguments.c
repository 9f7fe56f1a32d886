/* SPDX-License-Identifier: BSD-3-Clause
 * Description: what tasks are given: nothing, much, aligned things, arrays of a length known at
 * run time (copied by a function of the compiler); at once and later; loops of tasks with
 * reductions, with bounds of both types, inside of final tasks; tasks after a cancellation. */
#include <stdint.h>
#include <string.h>

#include "t_omp.h"

enum { ROUNDS = 20, MUCH = 5000 };

static int nr_made, nr_run, nr_looped;

static void made(int nr)
{
#pragma omp atomic
	nr_made += nr;
}

static void run(int is_right)
{
	t_check(is_right, "argument");
#pragma omp atomic
	nr_run++;
}

static void sizes(int round)
{
	struct {
		int values[MUCH];
	} much;
	_Alignas(64) struct {
		char bytes[64];
	} aligned = {"aligned"};

	much.values[MUCH - 1] = round;
	made(4);
#pragma omp task
	run(1);
#pragma omp task firstprivate(much) if (round % 2)
	run(much.values[MUCH - 1] == round);
#pragma omp task firstprivate(aligned)
	run((uintptr_t)&aligned % 64 == 0 && strcmp(aligned.bytes, "aligned") == 0);
#pragma omp task firstprivate(aligned) if (0)
	run((uintptr_t)&aligned % 64 == 0 && strcmp(aligned.bytes, "aligned") == 0);
}

/* What the task gets is an array of a length that it learns of as it runs. */
#pragma GCC diagnostic ignored "-Wvla"
static void lengths(int nr)
{
	int values[nr];

	values[0] = -1;
	values[nr - 1] = nr;
	made(3);
#pragma omp task firstprivate(values)
	run(values[nr - 1] == nr);
#pragma omp task firstprivate(values) if (0)
	run(values[nr - 1] == nr);
#pragma omp task final(1) firstprivate(values)
	{
#pragma omp task firstprivate(values) untied mergeable priority(3)
		run(values[nr - 1] == nr);
		made(1);
		run(1);
	}
}

static long loops(void)
{
	long sum = 0, last = 0;

	made(3 + 4 + 1);
#pragma omp taskloop num_tasks(3) reduction(+ : sum)
	for (long i = 0; i < 30; i++)
		sum += i;
#pragma omp taskloop num_tasks(4) shared(last) mergeable
	for (unsigned long long i = 1; i <= 40; i++) {
#pragma omp atomic
		nr_looped++;
		if (i == 40)
			last = (long)i;
	}
#pragma omp taskloop num_tasks(1) if (0)
	for (int i = 0; i < 10; i++)
		nr_looped++;
	t_check(last == 40, "bounds");
	return sum;
}

static void thrown_away(void)
{
	made(11);
#pragma omp taskgroup
	{
		for (int i = 0; i < 10; i++) {
#pragma omp task if (i != 4)
			{
				if (i == 4) {
#pragma omp cancel taskgroup
				}
			}
		}
#pragma omp task
		{
#pragma omp cancellation point taskgroup
		}
	}
}

int main(void)
{
	int nr = 0;

	for (int round = 1; round <= ROUNDS; round++) {
#pragma omp parallel num_threads(3)
#pragma omp single
		{
			sizes(round);
			lengths(round);
			t_check(loops() == 435, "reduction");
			thrown_away();
		}
		nr += 4 + 4;
	}
	t_check(nr_run == nr && nr_looped == 50 * ROUNDS, "all have run");
	t_expect(ROUNDS, 3 * ROUNDS, -1);
	/* flags: each other one of sizes(), and one more; 3 of lengths(); 4 + 1 of loops(); a cancelled one */
	printf("tasks %d task.prio %d task.flags %d\n", nr_made, ROUNDS, ROUNDS / 2 + 10 * ROUNDS);
	return 0;
}
