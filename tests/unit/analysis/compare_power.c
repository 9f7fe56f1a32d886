/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Description: a function with a tenth of the time that becomes 5 % slower is found in at least 95
 * of 100 comparisons of 5 + 5 runs whose functions vary by 1 %, and at most one of 100 comparisons
 * of equal code is an alarm. Where runs are so short and noisy that nothing is found, it is at most
 * one and a half.
 *
 * Runs are simulated, by a generator with a fixed seed: either each function has log-normal
 * noise of 1 %, half of whose variance all functions of a run share; or a run is put together of
 * measured ones (measured_runs.def), drawn at random. One of those takes 0.13 s, and a function in
 * it varies by 12 to 28 %. COMPARE_TRIALS: number of comparisons, 1000. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/compare/comparison.h"
#include "base/hash.h"
#include "../t_suite.h"

#define NR_FUNCTIONS 12
#define NR_RUNS      10 /* of both sides */
#define SLOWED       2  /* `boundary`: 10 % of the time */
#define MICROSECONDS 1000000

static const double measured[][NR_FUNCTIONS] = {
#define MEASURED_RUN(...) {__VA_ARGS__},
#include "measured_runs.def"
#undef MEASURED_RUN
};

#define NR_MEASURED (sizeof(measured) / sizeof(*measured))

static uint64_t state;

static double t_uniform(void)
{
	return ((double)(measure_random(&state) >> 11) + 0.5) / 9007199254740992.0;
}

/* Box and Muller. */
static double t_normal(void)
{
	return sqrt(-2 * log(t_uniform())) * cos(2 * acos(-1) * t_uniform());
}

/* How a run is made. */
struct t_noise {
	const char *name;
	size_t nr_pieces; /* measured runs that make one; 0: log-normal noise */
	double spread;    /* of that */
	double outliers;  /* share of calls that lose the processor: 10 to 50 % longer */
};

static double t_noisy(const struct t_noise *noise)
{
	const double factor = exp(noise->spread * M_SQRT1_2 * t_normal());

	return t_uniform() < noise->outliers ? factor * (1.1 + 0.4 * t_uniform()) : factor;
}

static void t_make_run(const struct t_noise *noise, double seconds[NR_FUNCTIONS])
{
	const double run = exp(noise->spread * M_SQRT1_2 * t_normal());

	for (size_t f = 0; f < NR_FUNCTIONS; f++)
		seconds[f] = noise->nr_pieces ? 0 : 100 * measured[0][f] * run * t_noisy(noise);
	for (size_t i = 0; i < noise->nr_pieces; i++) {
		const double *piece = measured[measure_random(&state) % NR_MEASURED];

		for (size_t f = 0; f < NR_FUNCTIONS; f++)
			seconds[f] += piece[f];
	}
}

static void t_fill(struct measure_compared_run *run, struct measure_compared_frames *frames,
	const double times[NR_FUNCTIONS])
{
	const uint32_t root = measure_compared_run_add(run, MEASURE_NONE,
		measure_compared_frames_intern(frames, "(no region)", "(no region)", "PSEUDO"), 0,
		0);

	for (size_t f = 0; f < NR_FUNCTIONS; f++) {
		const char name[] = {(char)('a' + f), '\0'};

		measure_compared_run_add(run, root,
			measure_compared_frames_intern(frames, name, name, "COMPILER"),
			(uint64_t)times[f], 1);
		run->span += (uint64_t)times[f];
	}
	run->nr_processes = run->nr_locations = 1;
}

struct t_result {
	bool is_found; /* the function that was slowed down */
	bool is_alarm; /* something else is a regression */
};

/* The run time is slower, too, where a function is. */
static struct t_result t_look(const struct measure_comparison *comparison)
{
	struct t_result result = {false, false};

	for (size_t i = 0; i < comparison->nr_rows; i++) {
		const struct measure_comparison_row *row = &comparison->rows[i];

		/* Path 0 is the root. */
		if (row->kind == MEASURE_ROW_PATH && row->path == 1 + SLOWED)
			result.is_found = row->is_regression;
		else
			result.is_alarm |= row->is_regression;
	}
	return result;
}

static struct t_result t_trial(const struct t_noise *noise, double slowdown,
	const struct measure_comparison_options *options)
{
	struct measure_compared_frames frames = {.nr = 0};
	struct measure_compared_run runs[NR_RUNS];
	const struct measure_compared_run *pointers[NR_RUNS];
	struct measure_comparison comparison;
	struct measure_alignment alignment;
	struct t_result result;

	for (size_t i = 0; i < NR_RUNS; i++) {
		double times[NR_FUNCTIONS];

		t_make_run(noise, times);
		if (i >= NR_RUNS / 2)
			times[SLOWED] *= slowdown;
		measure_compared_run_start(&runs[i], "run", MICROSECONDS);
		t_fill(&runs[i], &frames, times);
		pointers[i] = &runs[i];
	}
	measure_alignment_make(&alignment, &frames, pointers, NR_RUNS / 2, NR_RUNS / 2, false);
	measure_comparison_make(&comparison, &alignment, options);
	result = t_look(&comparison);
	result.is_alarm |= slowdown == 1 && comparison.run_time.is_regression;
	measure_comparison_free(&comparison);
	measure_alignment_free(&alignment);
	for (size_t i = 0; i < NR_RUNS; i++)
		measure_compared_run_free(&runs[i]);
	measure_compared_frames_free(&frames);
	return result;
}

static int nr_trials = 1000;

/* Comparisons out of 100 in which the slowdown is found, and *alarms in which there are others. */
static double t_count(const struct t_noise *noise, double slowdown, double *alarms)
{
	const struct measure_comparison_options options = {.threshold = 0.02, .fail_above = 0.02};
	int nr_found = 0, nr_alarms = 0;

	state = 1;
	for (int i = 0; i < nr_trials; i++) {
		const struct t_result result = t_trial(noise, slowdown, &options);

		nr_found += result.is_found;
		nr_alarms += result.is_alarm || (slowdown == 1 && result.is_found);
	}
	*alarms = 100.0 * nr_alarms / nr_trials;
	return 100.0 * nr_found / nr_trials;
}

static const struct t_noise noises[] = {{"log-normal, 1 %", 0, 0.01, 0},
	{"measured runs of 26 s", 200, 0, 0}, {"0.7 %, 1 of 20 an outlier", 0, 0.007, 0.05},
	{"log-normal, 3 %", 0, 0.03, 0}, {"log-normal, 5 %", 0, 0.05, 0},
	{"measured runs of 13 s", 100, 0, 0}, {"measured runs of 1.3 s", 10, 0, 0},
	{"measured runs of 0.13 s", 1, 0, 0}};

static void test_power(void)
{
	double alarms;

	for (size_t i = 0; i < sizeof(noises) / sizeof(*noises); i++) {
		const double found = t_count(&noises[i], 1.05, &alarms);

		printf("\n    %-26s 5 %% slower: found in %.1f of 100, other alarms in %.1f",
			noises[i].name, found, alarms);
		if (i < 2)
			CU_ASSERT_TRUE(found >= 95);
		CU_ASSERT_TRUE(alarms <= (i < 3 ? 1 : 2.5));
	}
}

static void test_false_alarms(void)
{
	double alarms;

	for (size_t i = 0; i < sizeof(noises) / sizeof(*noises); i++) {
		t_count(&noises[i], 1, &alarms);
		printf("\n    %-26s equal code: alarms in %.1f of 100", noises[i].name, alarms);
		CU_ASSERT_TRUE(alarms <= (i < 3 ? 1 : 1.5));
	}
}

static CU_TestInfo tests[] = {{"a slowdown is found", test_power},
	{"equal code is no alarm", test_false_alarms}, CU_TEST_INFO_NULL};

int main(void)
{
	const char *trials = getenv("COMPARE_TRIALS");

	if (trials && atoi(trials) > 0)
		nr_trials = atoi(trials);
	return t_suite("power of comparisons", NULL, NULL, tests);
}
