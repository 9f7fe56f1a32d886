/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Example: a program with annotations by measure.h. The same executable runs with and without
 * Measure:
 *
 *	cc -O2 annotated.c -o annotated $(pkg-config --cflags measure) -lm
 *	./annotated
 *	measure ./annotated
 *
 * It solves a small system by Jacobi's method, then runs a few tasks that depend on each other. */
#include <math.h>
#include <measure.h>
#include <stdint.h>
#include <stdio.h>

#define SIZE 64

static double field[SIZE][SIZE], next[SIZE][SIZE];

MEASURE_PHASE_DEFINE(setup, "set up");
MEASURE_PHASE_DEFINE(solution, "solve");
MEASURE_LOOP_DEFINE(sweeps, "sweep");
MEASURE_REGION_DEFINE(update, "update");
MEASURE_TASK_DEFINE(sum, "sum of a row");

static void set_up(void)
{
	MEASURE_FUNCTION;
	MEASURE_PARAMETER_UINT64("size", SIZE);
	MEASURE_PARAMETER_STRING("method", "Jacobi");
	MEASURE_PARAMETER_DOUBLE("tolerance", 1e-3);
	MEASURE_PARAMETER_INT64("shift", -1);
	for (int i = 0; i < SIZE; i++)
		field[0][i] = next[0][i] = 1;
}

static double sweep(void)
{
	double change = 0;

	MEASURE_REGION_BEGIN(update);
	for (int i = 1; i < SIZE - 1; i++)
		for (int k = 1; k < SIZE - 1; k++) {
			next[i][k] = (field[i - 1][k] + field[i + 1][k] + field[i][k - 1] +
					     field[i][k + 1]) /
				     4;
			change = fmax(change, fabs(next[i][k] - field[i][k]));
		}
	MEASURE_REGION_END(update);
	for (int i = 1; i < SIZE - 1; i++)
		for (int k = 1; k < SIZE - 1; k++)
			field[i][k] = next[i][k];
	return change;
}

static int solve(void)
{
	double change = 1;
	int nr = 0;

	for (; change > 1e-3; nr++) {
		MEASURE_ITERATION_BEGIN(sweeps, nr);
		change = sweep();
		MEASURE_METRIC_DOUBLE("change", "K", change);
		MEASURE_ITERATION_END(sweeps);
	}
	measure_marker("solver", "converged", MEASURE_SEVERITY_LOW);
	return nr;
}

/* A run-time system that executes tasks at once; each depends on the previous one. */
static double run_tasks(void)
{
	struct measure_task_info info = {
		.fields = MEASURE_TASK_HAS_ITERATION | MEASURE_TASK_HAS_FLOPS};
	uint64_t before = 0;
	double total = 0;

	for (int i = 0; i < 4; i++) {
		info.iteration = (uint64_t)i;
		info.flops = SIZE;
		uint64_t task = measure_task_create(&sum, &info);
		measure_task_access(task, MEASURE_ACCESS_R, (uintptr_t)field[i]);
		measure_task_access(task, MEASURE_ACCESS_RW, (uintptr_t)&total);
		measure_task_dependence(task, before);
		measure_task_ready(task);
		measure_task_begin(&sum, task);
		for (int k = 0; k < SIZE; k++)
			total += field[i][k];
		measure_task_end(&sum, task);
		before = task;
	}
	return total;
}

int main(void)
{
	const uint32_t sizes[] = {1, 1}, are_periodic[] = {0, 1}, coordinates[] = {0, 0};
	double total;
	int nr;

	measure_cartesian("plate", 2, sizes, are_periodic, coordinates);
	MEASURE_PHASE_BEGIN(setup);
	set_up();
	MEASURE_PHASE_END(setup);
	MEASURE_PHASE_BEGIN(solution);
	nr = solve();
	MEASURE_PHASE_END(solution);
	measure_flush();

	measure_recording_off();
	total = sweep(); /* not recorded */
	measure_recording_on();

	total = run_tasks();
	printf("%d sweeps, sum %.6f\n", nr, total);
	return 0;
}
