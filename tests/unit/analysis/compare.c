/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: call trees of runs are aligned, and verdicts given, as the definitions say. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/comparison_report.h"
#include "../t_suite.h"

#define MOST_RUNS  16
#define RESOLUTION 1000000 /* ticks per second */

static struct measure_compared_frames frames;
static struct measure_compared_run runs[MOST_RUNS];
static const struct measure_compared_run *pointers[MOST_RUNS];
static struct measure_alignment alignment;
static struct measure_comparison comparison;
static size_t nr_runs;

static uint32_t t_frame(const char *name)
{
	return measure_compared_frames_intern(
		&frames, name, name, *name == '(' ? "PSEUDO" : "COMPILER");
}

/* An empty run, with its root. */
static struct measure_compared_run *t_run(double seconds)
{
	struct measure_compared_run *run = &runs[nr_runs];

	measure_compared_run_start(run, "run", RESOLUTION);
	pointers[nr_runs++] = run;
	run->span = (uint64_t)(seconds * RESOLUTION);
	run->nr_processes = run->nr_locations = 1;
	measure_compared_run_add(run, MEASURE_NONE, t_frame("(no region)"), 0, 0);
	return run;
}

static uint32_t t_path(
	struct measure_compared_run *run, uint32_t parent, const char *name, double seconds)
{
	return measure_compared_run_add(
		run, parent, t_frame(name), (uint64_t)(seconds * RESOLUTION + 0.5), 1);
}

static void t_align(size_t nr_base, bool by_region)
{
	measure_alignment_make(
		&alignment, &frames, pointers, nr_base, nr_runs - nr_base, by_region);
}

static void t_compare(size_t nr_base, const struct measure_comparison_options *options)
{
	t_align(nr_base, options->by_region);
	measure_comparison_make(&comparison, &alignment, options);
}

static void t_clear(void)
{
	measure_comparison_free(&comparison);
	measure_alignment_free(&alignment);
	for (size_t i = 0; i < nr_runs; i++)
		measure_compared_run_free(&runs[i]);
	nr_runs = 0;
	measure_compared_frames_free(&frames);
}

/* The aligned path with this text, or MEASURE_NONE. */
static uint32_t t_find(const char *text)
{
	char buffer[256];

	for (uint32_t i = 0; i < alignment.nr_paths; i++)
		if (!strcmp(measure_alignment_text(&alignment, i, "/", buffer, sizeof(buffer)),
			    text))
			return i;
	return MEASURE_NONE;
}

static double t_seconds(const char *text, size_t run)
{
	const uint32_t path = t_find(text);

	return path == MEASURE_NONE
		       ? -1
		       : (double)alignment.exclusive[path * nr_runs + run] / RESOLUTION;
}

static const struct measure_comparison_row *t_row(const char *text)
{
	char buffer[256];

	for (size_t i = 0; i < comparison.nr_rows; i++)
		if (!strcmp(measure_comparison_name(
				    &comparison, &comparison.rows[i], "/", buffer, sizeof(buffer)),
			    text))
			return &comparison.rows[i];
	CU_FAIL_FATAL("no such row");
	return NULL;
}

/* ------------------------------------------------------------------------ alignment --- */

/* main/old/kernel and main/helper/kernel: `old` and `helper` are on one side only. */
static void test_alignment(void)
{
	struct measure_compared_run *run = t_run(10);
	uint32_t main_path = t_path(run, 0, "main", 1), at = t_path(run, main_path, "old", 2);

	t_path(run, at, "kernel", 3);
	t_path(run, main_path, "kernel", 0.5);
	run = t_run(10);
	main_path = t_path(run, 0, "main", 1.5);
	at = t_path(run, t_path(run, main_path, "helper", 0.25), "kernel", 4);
	t_path(run, at, "inner", 0.75);
	t_align(1, false);
	CU_ASSERT_EQUAL(t_find("main/old/kernel"), MEASURE_NONE);
	CU_ASSERT_EQUAL(t_find("main/helper"), MEASURE_NONE);
	CU_ASSERT_EQUAL(t_seconds("main", 0), 3);
	CU_ASSERT_EQUAL(t_seconds("main", 1), 1.75);
	CU_ASSERT_EQUAL(t_seconds("main/kernel", 0), 3.5);
	CU_ASSERT_EQUAL(t_seconds("main/kernel", 1), 4.75);
	CU_ASSERT_EQUAL(alignment.nr_paths, 3);
	CU_ASSERT_EQUAL(alignment.visits[t_find("main/kernel") * 2 + 0], 2);
	CU_ASSERT_EQUAL(alignment.visits[t_find("main/kernel") * 2 + 1], 1);
	CU_ASSERT_EQUAL(alignment.sides[t_frame("old")], 1 << MEASURE_BASE);
	CU_ASSERT_EQUAL(alignment.sides[t_frame("inner")], 1 << MEASURE_NEW);
	CU_ASSERT_EQUAL(alignment.by_frame[t_frame("old") * 2], 2 * RESOLUTION);
	t_clear();
}

/* No time is lost, and pseudo regions are kept. */
static void test_alignment_keeps_time(void)
{
	struct measure_compared_run *run = t_run(4);

	t_path(run, t_path(run, 0, "a", 1), "b", 1);
	t_path(run, 0, "(idle)", 2);
	run = t_run(5);
	t_path(run, t_path(run, 0, "c", 2), "a", 3);
	t_align(1, false);
	CU_ASSERT_EQUAL(t_seconds("(idle)", 0), 2);
	CU_ASSERT_EQUAL(t_seconds("(idle)", 1), 0);
	CU_ASSERT_EQUAL(t_seconds("a", 0), 2);
	CU_ASSERT_EQUAL(t_seconds("(no region)", 1), 2);
	for (size_t i = 0; i < 2; i++) {
		uint64_t sum = 0;

		for (size_t path = 0; path < alignment.nr_paths; path++)
			sum += alignment.exclusive[path * nr_runs + i];
		CU_ASSERT_EQUAL(sum, (4 + i) * RESOLUTION);
	}
	t_clear();
}

static void test_alignment_by_region(void)
{
	struct measure_compared_run *run = t_run(4);

	t_path(run, t_path(run, 0, "a", 1), "b", 1);
	t_path(run, 0, "b", 2);
	run = t_run(5);
	t_path(run, t_path(run, 0, "b", 2), "a", 3);
	t_align(1, true);
	CU_ASSERT_EQUAL(t_seconds("b", 0), 3);
	CU_ASSERT_EQUAL(t_seconds("a", 1), 3);
	CU_ASSERT_EQUAL(alignment.nr_paths, 3);
	t_clear();
}

/* The paradigm is part of the key; what does not fit is left out at the front. */
static void test_frames(void)
{
	char buffer[9];
	const uint32_t user = measure_compared_frames_intern(&frames, "f", "f", "USER");
	const uint32_t compiler = measure_compared_frames_intern(&frames, "f", "f", "COMPILER");
	struct measure_compared_run *run = t_run(1);

	CU_ASSERT_NOT_EQUAL(user, compiler);
	CU_ASSERT_EQUAL(measure_compared_frames_intern(&frames, "f", "g", "USER"), user);
	for (int i = 0; i < 5000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%d", i);
		CU_ASSERT_EQUAL_FATAL(t_frame(name), t_frame(name));
	}
	t_path(run, t_path(run, 0, "first", 1), "second", 1);
	run = t_run(1);
	t_path(run, t_path(run, 0, "first", 1), "second", 1);
	t_align(1, false);
	CU_ASSERT_STRING_EQUAL(
		measure_alignment_text(&alignment, 2, ";", buffer, sizeof(buffer)), "t;second");
	t_clear();
}

/* ------------------------------------------------------------------------- verdicts --- */

/* Case R2: a function with 10.0 ... s, then 10.8 ... s, in a program with another one. */
static void t_case_r2(double shift)
{
	static const double base[] = {10.0, 10.2, 9.9, 10.1, 10.3};
	static const double new[] = {10.8, 11.0, 10.7, 10.9, 11.1};
	static const double other[] = {50.0, 50.1, 49.9, 50.05, 49.95};

	for (size_t i = 0; i < 10; i++) {
		const double seconds = (i < 5 ? base[i] : new[i - 5]) * shift;
		struct measure_compared_run *run = t_run(seconds + other[i % 5]);
		const uint32_t main_path = t_path(run, 0, "main", other[i % 5]);

		t_path(run, main_path, "f", seconds);
	}
}

static enum measure_verdict t_verdict_r2(double threshold, double fail_above, bool *is_regression)
{
	const struct measure_comparison_options options = {
		.threshold = threshold, .fail_above = fail_above};
	enum measure_verdict verdict;

	t_case_r2(1);
	t_compare(5, &options);
	verdict = t_row("main/f")->verdict;
	*is_regression = t_row("main/f")->is_regression;
	CU_ASSERT_DOUBLE_EQUAL(t_row("main/f")->effect.value, 1.0792, 5e-5);
	CU_ASSERT_EQUAL(t_row("main")->verdict, MEASURE_VERDICT_SAME);
	t_clear();
	return verdict;
}

static void test_verdicts(void)
{
	bool is_regression;

	CU_ASSERT_EQUAL(t_verdict_r2(0.02, 0.02, &is_regression), MEASURE_VERDICT_SLOWER);
	CU_ASSERT_TRUE(is_regression);
	CU_ASSERT_EQUAL(t_verdict_r2(0.05, 0.05, &is_regression), MEASURE_VERDICT_SLOWER);
	CU_ASSERT_EQUAL(t_verdict_r2(0.10, 0.10, &is_regression), MEASURE_VERDICT_UNCLEAR);
	CU_ASSERT_FALSE(is_regression);
	CU_ASSERT_EQUAL(t_verdict_r2(0.20, 0.20, &is_regression), MEASURE_VERDICT_SAME);
	CU_ASSERT_EQUAL(t_verdict_r2(0.02, 0.05, &is_regression), MEASURE_VERDICT_SLOWER);
	CU_ASSERT_TRUE(is_regression);
	CU_ASSERT_EQUAL(t_verdict_r2(0.02, 0.06, &is_regression), MEASURE_VERDICT_SLOWER);
	CU_ASSERT_FALSE(is_regression);
}

/* The same, turned round: nothing that is faster fails. */
static void test_faster(void)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};
	const struct measure_compared_run *swapped;

	t_case_r2(1);
	for (size_t i = 0; i < 5; i++) {
		swapped = pointers[i];
		pointers[i] = pointers[i + 5];
		pointers[i + 5] = swapped;
	}
	t_compare(5, &options);
	CU_ASSERT_EQUAL(t_row("main/f")->verdict, MEASURE_VERDICT_FASTER);
	CU_ASSERT_EQUAL(comparison.nr_regressions, 0);
	CU_ASSERT_EQUAL(comparison.verdicts[MEASURE_VERDICT_FASTER], 1);
	CU_ASSERT_PTR_EQUAL(&comparison.rows[0], t_row("main/f"));
	t_clear();
}

/* One run on a side has no spread. */
static void test_single(void)
{
	struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};

	for (int is_single = 0; is_single < 2; is_single++) {
		t_path(t_run(10), 0, "main", 10);
		t_path(t_run(12), 0, "main", 12);
		options.is_single = is_single;
		t_compare(1, &options);
		CU_ASSERT_EQUAL(t_row("main")->verdict,
			is_single ? MEASURE_VERDICT_SLOWER : MEASURE_VERDICT_UNCLEAR);
		CU_ASSERT_EQUAL(comparison.nr_regressions, is_single ? 2 : 0);
		t_clear();
	}
}

static void test_unclear_fails(void)
{
	const struct measure_comparison_options options = {
		.threshold = 0.02, .fail_above = 0.02, .fails_unclear = true};

	t_path(t_run(10), 0, "main", 10);
	t_path(t_run(12), 0, "main", 12);
	t_compare(1, &options);
	CU_ASSERT_TRUE(comparison.run_time.is_regression);
	CU_ASSERT_FALSE(t_row("main")->is_regression);
	CU_ASSERT_EQUAL(comparison.nr_regressions, 1);
	t_clear();
}

/* Runs made in turn while the machine became twice as slow: only pairs show the change. */
static void test_paired(void)
{
	static const double speed[] = {1, 1.2, 1.5, 1.7, 2, 1, 1.2, 1.5, 1.7, 2};
	static const double noise[] = {0, 0.001, -0.001, 0.002, 0, 0.001, 0, 0.001, -0.001, 0};
	struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};

	for (int is_paired = 0; is_paired < 2; is_paired++) {
		for (size_t i = 0; i < 10; i++) {
			const double seconds = speed[i] * (1 + noise[i]) * (i < 5 ? 10 : 10.5);

			t_path(t_run(seconds), 0, "main", seconds);
		}
		options.is_paired = is_paired;
		t_compare(5, &options);
		CU_ASSERT_EQUAL(t_row("main")->verdict,
			is_paired ? MEASURE_VERDICT_SLOWER : MEASURE_VERDICT_UNCLEAR);
		t_clear();
	}
}

/* A path that is new, of a region that is not: a difference in seconds. Small paths and measurement
 * are rows of their own. */
static void test_rows(void)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};

	for (size_t i = 0; i < 6; i++) {
		struct measure_compared_run *run = t_run(11 + 0.001 * (double)i);
		const uint32_t main_path = t_path(run, 0, "main", 10 + 0.001 * (double)i);
		const uint32_t f = t_path(run, main_path, "f", i < 3 ? 1 : 0.001);

		t_path(run, i < 3 ? main_path : f, "g", 1);
		t_path(run, main_path, "small1", 0.01);
		t_path(run, main_path, "small2", 0.01);
		t_path(run, 0, "(buffer flush)", (double)i);
		frames.frames[t_frame("(buffer flush)")].is_measurement = true;
	}
	t_compare(3, &options);
	CU_ASSERT_EQUAL(t_row("main/f/g")->verdict, MEASURE_VERDICT_SLOWER);
	CU_ASSERT_FALSE(t_row("main/f/g")->effect.is_ratio);
	CU_ASSERT_EQUAL(t_row("main/g")->verdict, MEASURE_VERDICT_FASTER);
	CU_ASSERT_EQUAL(t_row("main/f")->verdict, MEASURE_VERDICT_FASTER);
	CU_ASSERT_TRUE(t_row("main/f")->effect.is_ratio);
	CU_ASSERT_FALSE(t_row("(2 small call paths)")->is_tested);
	CU_ASSERT_DOUBLE_EQUAL(t_row("(2 small call paths)")->seconds[MEASURE_BASE], 0.02, 1e-9);
	CU_ASSERT_FALSE(t_row("(measurement)")->is_tested);
	CU_ASSERT_EQUAL(comparison.nr_paths, 6);
	CU_ASSERT_EQUAL(comparison.nr_small, 2);
	for (size_t i = 1; i < comparison.nr_rows; i++) {
		const double *a = comparison.rows[i - 1].seconds, *b = comparison.rows[i].seconds;

		CU_ASSERT_TRUE(
			(a[1] - a[0]) * (a[1] - a[0]) >= (b[1] - b[0]) * (b[1] - b[0]) - 1e-12);
	}
	t_clear();
}

/* ------------------------------------------------------------------------- scaling --- */

/* Ten seconds of two processes, six of four: speedup 10/6, efficiency 5/6. */
static void test_scaling(void)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};
	struct measure_scaling scaling;

	for (size_t i = 0; i < 4; i++) {
		struct measure_compared_run *run = t_run(i < 2 ? 10 : 6);

		run->nr_processes = run->nr_locations = i < 2 ? 2 : 4;
		t_path(run, 0, "main", i < 2 ? 20 : 24);
	}
	t_compare(2, &options);
	CU_ASSERT_TRUE(comparison.is_by_location);
	CU_ASSERT_DOUBLE_EQUAL(t_row("main")->seconds[MEASURE_BASE], 10, 1e-9);
	CU_ASSERT_DOUBLE_EQUAL(t_row("main")->seconds[MEASURE_NEW], 6, 1e-9);
	measure_scaling_make(&scaling, &comparison);
	CU_ASSERT_EQUAL_FATAL(scaling.nr_steps, 2);
	CU_ASSERT_EQUAL(scaling.steps[1].nr_runs, 2);
	CU_ASSERT_EQUAL_FATAL(scaling.nr_rows, 2);
	for (size_t i = 0; i < 2; i++) {
		CU_ASSERT_DOUBLE_EQUAL(
			measure_scaling_speedup(&scaling.rows[i], 1), 10.0 / 6, 1e-9);
		CU_ASSERT_DOUBLE_EQUAL(
			measure_scaling_efficiency(&scaling, &scaling.rows[i], 1), 5.0 / 6, 1e-9);
	}
	measure_scaling_free(&scaling);
	t_clear();
}

/* A helper thread that is not in all runs changes nothing. */
static void test_odd_threads(void)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};

	for (size_t i = 0; i < 6; i++) {
		struct measure_compared_run *run = t_run(10);

		run->nr_locations = i % 3 == 0 ? 3 : 2;
		t_path(run, 0, "main", 20);
	}
	t_compare(3, &options);
	CU_ASSERT_FALSE(comparison.is_by_location);
	t_clear();
}

/* -------------------------------------------------------------------------- reports --- */

/* No line of the text is wider than a terminal, however long names are. */
static void test_width(void)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};
	char *text = NULL, line[64] = "a_function_with_a_very_long_name_that_goes_on_and_on_0";
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	for (size_t i = 0; i < 6; i++) {
		struct measure_compared_run *run = t_run(1000 * (double)(i + 1));
		uint32_t path = 0;

		run->nr_processes = i < 3 ? 1 : 99999;
		run->nr_locations = i < 3 ? 1 : 1999999;
		for (int depth = 0; depth < 8; depth++) {
			line[strlen(line) - 1] = (char)('0' + depth + (int)i / 3);
			path = t_path(run, path, line, 1000.0 * (depth + 1));
		}
	}
	t_compare(3, &options);
	measure_comparison_print_text(&comparison, 0, out);
	fclose(out);
	for (const char *at = text; at && *at;) {
		const char *end = strchr(at, '\n');

		CU_ASSERT_FATAL(end != NULL);
		CU_ASSERT_TRUE(end - at <= 80);
		if (end - at > 80)
			fprintf(stderr, "%.*s\n", (int)(end - at), at);
		at = end + 1;
	}
	free(text);
	t_clear();
}

static CU_TestInfo tests[] = {{"alignment", test_alignment},
	{"alignment keeps time", test_alignment_keeps_time},
	{"alignment by region", test_alignment_by_region}, {"frames", test_frames},
	{"verdicts", test_verdicts}, {"faster", test_faster}, {"single runs", test_single},
	{"unclear fails", test_unclear_fails}, {"paired", test_paired}, {"rows", test_rows},
	{"scaling", test_scaling}, {"odd threads", test_odd_threads}, {"width", test_width},
	CU_TEST_INFO_NULL};

int main(void)
{
	return t_suite("comparison of runs", NULL, NULL, tests);
}
