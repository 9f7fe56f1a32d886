/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: the area bound against worked examples, an exact method for two classes, and what
 * the programs lp_solve and glpsol find */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../t_suite.h"
#include "analysis/task_statistics/area_bound.h"

static void area_fill(struct measure_area *area, size_t nr_types, size_t nr_classes,
	const double *counts, const double *durations, const double *workers)
{
	measure_area_start(area, nr_types, nr_classes);
	memcpy(area->counts, counts, nr_types * sizeof(*counts));
	memcpy(area->durations, durations, nr_types * nr_classes * sizeof(*durations));
	memcpy(area->workers, workers, nr_classes * sizeof(*workers));
}

static double bound_of(size_t nr_types, size_t nr_classes, const double *counts,
	const double *durations, const double *workers)
{
	struct measure_area area;
	double bound = NAN;

	area_fill(&area, nr_types, nr_classes, counts, durations, workers);
	if (!measure_area_bound(&area, &bound, NULL))
		bound = -1;
	measure_area_free(&area);
	return bound;
}

static void test_one_class(void)
{
	/* (10 * 3 + 4 * 5) / 4 */
	CU_ASSERT_DOUBLE_EQUAL(
		bound_of(2, 1, (double[]){10, 4}, (double[]){3, 5}, (double[]){4}), 12.5, 1e-12);
	/* each type has a class of its own: the later one counts */
	CU_ASSERT_DOUBLE_EQUAL(
		bound_of(2, 2, (double[]){10, 4}, (double[]){3, -1, -1, 20}, (double[]){2, 1}), 80,
		1e-12);
	/* nobody can execute the second type, which matters only where there are such tasks */
	CU_ASSERT_EQUAL(bound_of(2, 1, (double[]){10, 4}, (double[]){3, -1}, (double[]){1}), -1);
	CU_ASSERT_DOUBLE_EQUAL(
		bound_of(2, 1, (double[]){10, 0}, (double[]){3, -1}, (double[]){1}), 30, 1e-12);
	/* a class without workers is none */
	CU_ASSERT_DOUBLE_EQUAL(
		bound_of(1, 2, (double[]){10}, (double[]){3, 1}, (double[]){1, 0}), 30, 1e-12);
	CU_ASSERT_DOUBLE_EQUAL(bound_of(1, 1, (double[]){0}, (double[]){3}, (double[]){1}), 0, 0);
}

static bool has_solver(void)
{
	return bound_of(1, 2, (double[]){1}, (double[]){1, 1}, (double[]){1, 1}) >= 0;
}

/* 12 tasks of 6 ticks on a CPU and 2 on a GPU, 6 tasks that the GPU is no better at (3 and 3); 2
 * CPUs and 1 GPU. CPUs take all of the latter, 18 ticks of 2 T; what they do of the former, x,
 * makes 6 x + 18 = 2 T and 2 (12 - x) = T: x = 3, T = 18. */
static void test_two_classes(void)
{
	struct measure_area area;
	double bound, shares[4];

	if (!has_solver())
		return;
	area_fill(&area, 2, 2, (double[]){12, 6}, (double[]){6, 2, 3, 3}, (double[]){2, 1});
	CU_ASSERT_TRUE_FATAL(measure_area_bound(&area, &bound, shares));
	CU_ASSERT_DOUBLE_EQUAL(bound, 18, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(shares[0], 3, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(shares[1], 9, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(shares[2], 6, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(shares[3], 0, 1e-9);
	measure_area_free(&area);
}

/* Random durations over so many decades, every fifth impossible; some types without tasks. */
static void area_random(
	struct measure_area *area, size_t nr_types, size_t nr_classes, double decades)
{
	measure_area_start(area, nr_types, nr_classes);
	for (size_t i = 0; i < nr_classes; i++)
		area->workers[i] = 1 + rand() % 64;
	for (size_t i = 0; i < nr_types; i++) {
		const double base = pow(10, -2 + decades * rand() / RAND_MAX);

		area->counts[i] =
			rand() % 7 || i == 0 ? 1 + floor(pow(10, decades * rand() / RAND_MAX)) : 0;
		for (size_t j = 0; j < nr_classes; j++)
			if (rand() % 5 || j == i % nr_classes)
				area->durations[i * nr_classes + j] =
					base * pow(10, 1.5 * rand() / RAND_MAX);
	}
}

/* Of two classes: the types that are relatively best on the second one go there, until it is the
 * later one; one of them is divided. */
static double bound_by_ratios(const struct measure_area *area)
{
	const size_t nr = area->nr_types;
	double best = INFINITY;

	/* all that can go to class 0 is there, then one after the other goes over */
	double on[2] = {0, 0};
	bool *is_over = calloc(nr, sizeof(*is_over));

	for (size_t i = 0; i < nr; i++) {
		is_over[i] = area->durations[2 * i] < 0;
		on[is_over[i]] += area->counts[i] * area->durations[2 * i + is_over[i]];
	}
	for (;;) {
		const double time[2] = {on[0] / area->workers[0], on[1] / area->workers[1]};
		size_t next = nr;

		best = fmin(best, fmax(time[0], time[1]));
		for (size_t i = 0; i < nr; i++)
			if (!is_over[i] && area->counts[i] > 0 && area->durations[2 * i + 1] >= 0 &&
				(next == nr ||
					area->durations[2 * i] * area->durations[2 * next + 1] >
						area->durations[2 * next] *
							area->durations[2 * i + 1]))
				next = i;
		if (next == nr)
			break;
		const double a = area->durations[2 * next], b = area->durations[2 * next + 1];
		/* x of them go: (on0 - a x) / w0 = (on1 + b x) / w1 */
		double x = (time[0] - time[1]) / (a / area->workers[0] + b / area->workers[1]);

		x = fmin(fmax(x, 0), area->counts[next]);
		best = fmin(best, fmax((on[0] - a * x) / area->workers[0],
					  (on[1] + b * x) / area->workers[1]));
		on[0] -= a * area->counts[next];
		on[1] += b * area->counts[next];
		is_over[next] = true;
	}
	free(is_over);
	return best;
}

static void test_two_classes_at_random(void)
{
	if (!has_solver())
		return;
	srand(3);
	for (int i = 0; i < 500; i++) {
		struct measure_area area;
		double bound, expected;

		area_random(&area, 1 + (size_t)(rand() % 12), 2, 8);
		expected = bound_by_ratios(&area);
		CU_ASSERT_TRUE_FATAL(measure_area_bound(&area, &bound, NULL));
		CU_ASSERT_DOUBLE_EQUAL(bound, expected, 1e-6 * expected);
		measure_area_free(&area);
	}
}

/* -------------------------------------------------------------------- other programs --- */

/* In the LP format of CPLEX, which glpsol reads, or in that of lp_solve. */
static void write_program(const struct measure_area *area, bool is_cplex, FILE *file)
{
	const char *end = is_cplex ? "" : ";";

	fprintf(file, is_cplex ? "Minimize\n t\nSubject To\n" : "min: t;\n");
	for (size_t i = 0; i < area->nr_types; i++) {
		fprintf(file, " type%zu:", i);
		for (size_t j = 0; j < area->nr_classes; j++)
			if (area->durations[i * area->nr_classes + j] >= 0)
				fprintf(file, " + n%zu_%zu", i, j);
		fprintf(file, " = %.0f%s\n", area->counts[i], end);
	}
	for (size_t j = 0; j < area->nr_classes; j++) {
		fprintf(file, " class%zu: - %.0f t", j, area->workers[j]);
		for (size_t i = 0; i < area->nr_types; i++)
			if (area->durations[i * area->nr_classes + j] >= 0)
				fprintf(file, " + %.17g n%zu_%zu",
					area->durations[i * area->nr_classes + j], i, j);
		fprintf(file, " <= 0%s\n", end);
	}
	fputs(is_cplex ? "End\n" : "", file);
}

/* The first number behind `word` in what a command prints; NAN: it does not. */
static double number_behind(const char *command, const char *word)
{
	FILE *pipe = popen(command, "r");
	double number = NAN;
	char line[512];

	while (pipe && fgets(line, sizeof(line), pipe)) {
		const char *at = strstr(line, word);

		if (at && isnan(number))
			number = strtod(at + strlen(word), NULL);
	}
	if (pipe)
		pclose(pipe);
	return number;
}

/* What a program finds, whose command line has the name of the file as $f. */
static double bound_by_program(
	const struct measure_area *area, bool is_cplex, const char *program, const char *word)
{
	char name[] = "/tmp/area_bound.XXXXXX", command[256];
	FILE *file = fdopen(mkstemp(name), "w");
	double bound;

	write_program(area, is_cplex, file);
	fclose(file);
	snprintf(command, sizeof(command), "f=%s; %s", name, program);
	bound = number_behind(command, word);
	unlink(name);
	return bound;
}

static void compare_with_program(
	bool is_cplex, double decades, const char *program, const char *word)
{
	srand(4);
	for (int i = 0; i < 60; i++) {
		struct measure_area area;
		double bound, expected;

		area_random(&area, 1 + (size_t)(rand() % 20), 1 + (size_t)(rand() % 5), decades);
		expected = bound_by_program(&area, is_cplex, program, word);
		CU_ASSERT_TRUE_FATAL(measure_area_bound(&area, &bound, NULL));
		CU_ASSERT_DOUBLE_EQUAL(bound, expected, 1e-3 * expected);
		measure_area_free(&area);
	}
}

static bool has_program(const char *command)
{
	if (has_solver() && system(command) == 0)
		return true;
	printf("(no such program) ");
	return false;
}

static void test_lp_solve(void)
{
	/* it gives up where numbers are too different */
	if (has_program("command -v lp_solve >/dev/null"))
		compare_with_program(false, 3, "lp_solve -S4 $f", "Value of objective function: ");
}

static void test_glpsol(void)
{
	/* it removes what is given as its output before it writes, also /dev/stdout */
	if (has_program("command -v glpsol >/dev/null"))
		compare_with_program(true, 8,
			"glpsol --lp $f -o $f.out >/dev/null; cat $f.out; rm -f $f.out",
			"Objective:  obj = ");
}

int main(void)
{
	CU_TestInfo tests[] = {{"one class", test_one_class}, {"two classes", test_two_classes},
		{"random, two classes", test_two_classes_at_random}, {"lp_solve", test_lp_solve},
		{"glpsol", test_glpsol}, CU_TEST_INFO_NULL};

	return t_suite("area bound", NULL, NULL, tests);
}
