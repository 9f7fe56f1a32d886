/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests, corrections and verdicts; see comparison.h. */
#include "config.h"

#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const measure_verdict_words[] = {
#define VERDICT(NAME, word, meaning) word,
#include "verdicts.def"
#undef VERDICT
};

const char *const measure_verdict_meanings[] = {
#define VERDICT(NAME, word, meaning) meaning,
#include "verdicts.def"
#undef VERDICT
};

/* -------------------------------------------------------------------------- values --- */

double measure_comparison_seconds(
	const struct measure_comparison *comparison, size_t run, uint64_t ticks)
{
	const struct measure_compared_run *of = comparison->alignment->runs[run];
	const double seconds = (double)ticks / (double)of->resolution;

	return comparison->is_by_location && of->nr_locations ? seconds / of->nr_locations
							      : seconds;
}

double measure_comparison_frame_seconds(
	const struct measure_comparison *comparison, uint32_t frame, enum measure_side side)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t first = side == MEASURE_BASE ? 0 : alignment->nr[MEASURE_BASE];
	double sum = 0;

	for (size_t i = 0; i < alignment->nr[side]; i++)
		sum += measure_comparison_seconds(comparison, first + i,
			alignment->by_frame[frame * alignment->nr_runs + first + i]);
	return sum / (double)alignment->nr[side];
}

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static uint32_t median_locations(const struct measure_alignment *alignment, size_t first, size_t nr)
{
	uint32_t *numbers = measure_zeroed(nr, sizeof(*numbers));
	uint32_t median;

	for (size_t i = 0; i < nr; i++)
		numbers[i] = alignment->runs[first + i]->nr_locations;
	if (nr > 0)
		qsort(numbers, nr, sizeof(*numbers), compare_numbers);
	median = nr ? numbers[nr / 2] : 0;
	measure_free(numbers);
	return median;
}

/* Threads that come and go from run to run are no other number of locations. */
static bool is_by_location(const struct measure_alignment *alignment)
{
	for (size_t i = 1; i < alignment->nr_runs; i++)
		if (alignment->runs[i]->nr_processes != alignment->runs[0]->nr_processes)
			return true;
	return median_locations(alignment, 0, alignment->nr[MEASURE_BASE]) !=
	       median_locations(alignment, alignment->nr[MEASURE_BASE], alignment->nr[MEASURE_NEW]);
}

/* -------------------------------------------------------------------------- verdict --- */

/* Against a change by a share of the base. */
static enum measure_verdict decide(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, double threshold)
{
	const struct measure_effect *effect = &row->effect;
	const double none = effect->is_ratio ? 1 : 0;
	const double margin = effect->is_ratio ? threshold : threshold * row->seconds[MEASURE_BASE];
	const bool is_wide = effect->high - effect->low > MEASURE_WIDE * margin;
	const bool is_found =
		row->p_adjusted <= (is_wide ? MEASURE_FALSE_RATE_WIDE : MEASURE_FALSE_RATE);

	if (!effect->has_interval && !comparison->options.is_single)
		return MEASURE_VERDICT_UNCLEAR;
	if (!effect->has_interval)
		return effect->value > none + margin   ? MEASURE_VERDICT_SLOWER
		       : effect->value < none - margin ? MEASURE_VERDICT_FASTER
						       : MEASURE_VERDICT_SAME;
	if (is_found && effect->low > none + margin)
		return MEASURE_VERDICT_SLOWER;
	if (is_found && effect->high < none - margin)
		return MEASURE_VERDICT_FASTER;
	if (effect->low >= none - margin && effect->high <= none + margin)
		return MEASURE_VERDICT_SAME;
	return MEASURE_VERDICT_UNCLEAR;
}

static void conclude(struct measure_comparison *comparison, struct measure_comparison_row *row)
{
	const struct measure_comparison_options *options = &comparison->options;

	if (!row->is_tested)
		return;
	row->verdict = decide(comparison, row, options->threshold);
	row->is_regression = decide(comparison, row, options->fail_above) == MEASURE_VERDICT_SLOWER;
	if (row->kind == MEASURE_ROW_RUN_TIME)
		row->is_regression |=
			options->fails_unclear && row->verdict == MEASURE_VERDICT_UNCLEAR;
	else
		comparison->verdicts[row->verdict]++;
	comparison->nr_regressions += row->is_regression;
}

/* Of the surer of several tests (Bonferroni). */
static double p_of(const struct measure_effect *effect)
{
	return fmin(1, effect->p * effect->nr_tests);
}

/* All tests are one family: the run time, and the rows that are tested. */
static void adjust_tests(struct measure_comparison *comparison)
{
	double *p = measure_zeroed(comparison->nr_rows + 1, sizeof(*p));
	size_t nr = 0;

	p[nr++] = p_of(&comparison->run_time.effect);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		if (comparison->rows[i].is_tested)
			p[nr++] = p_of(&comparison->rows[i].effect);
	measure_adjust(p, nr);
	nr = 0;
	comparison->run_time.p_adjusted = p[nr++];
	for (size_t i = 0; i < comparison->nr_rows; i++)
		comparison->rows[i].p_adjusted = comparison->rows[i].is_tested ? p[nr++] : 1;
	measure_free(p);
}

/* ----------------------------------------------------------------------------- rows --- */

/* `values`: of all runs, in seconds. */
static void fill_row(const struct measure_comparison *comparison,
	struct measure_comparison_row *row, const double *values)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t nr_base = alignment->nr[MEASURE_BASE], nr_new = alignment->nr[MEASURE_NEW];

	row->seconds[MEASURE_BASE] = measure_mean(values, nr_base);
	row->seconds[MEASURE_NEW] = measure_mean(values + nr_base, nr_new);
	row->is_tested = row->kind != MEASURE_ROW_MEASUREMENT;
	if (comparison->options.is_paired)
		measure_effect_of_pairs(&row->effect, values, values + nr_base, nr_base);
	else
		measure_effect_of_sets(&row->effect, values, nr_base, values + nr_base, nr_new);
}

static void add_row(struct measure_comparison *comparison, enum measure_row_kind kind,
	uint32_t path, const double *values)
{
	struct measure_comparison_row *row;

	comparison->rows = measure_grow(comparison->rows, comparison->nr_rows,
		&comparison->room_rows, sizeof(*comparison->rows));
	row = &comparison->rows[comparison->nr_rows++];
	*row = (struct measure_comparison_row){
		.kind = kind, .path = path, .verdict = MEASURE_VERDICT_UNCLEAR};
	fill_row(comparison, row, values);
}

static void count_visits(
	const struct measure_comparison *comparison, struct measure_comparison_row *row)
{
	const struct measure_alignment *alignment = comparison->alignment;

	for (size_t i = 0; i < alignment->nr_runs; i++) {
		const enum measure_side side =
			i < alignment->nr[MEASURE_BASE] ? MEASURE_BASE : MEASURE_NEW;

		row->visits[side] += (double)alignment->visits[row->path * alignment->nr_runs + i] /
				     (double)alignment->nr[side];
	}
}

static void path_values(const struct measure_comparison *comparison, uint32_t path, double *values)
{
	const size_t nr = comparison->alignment->nr_runs;

	for (size_t i = 0; i < nr; i++)
		values[i] = measure_comparison_seconds(
			comparison, i, comparison->alignment->exclusive[path * nr + i]);
}

static bool is_measurement(const struct measure_alignment *alignment, uint32_t path)
{
	return alignment->frames->frames[alignment->paths[path].frame].is_measurement;
}

/* Mean over all runs of the sum over all paths. */
static double mean_sum(const struct measure_comparison *comparison, double *values)
{
	double sum = 0;

	for (uint32_t path = 0; path < comparison->alignment->nr_paths; path++) {
		path_values(comparison, path, values);
		sum += measure_mean(values, comparison->alignment->nr_runs);
	}
	return sum;
}

static void add_to(double *sum, const double *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		sum[i] += values[i];
}

/* Paths that are tested, and sums of those that are not. */
static void make_rows(struct measure_comparison *comparison)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t nr = alignment->nr_runs;
	double *values = measure_zeroed(3 * nr, sizeof(*values));
	double *small = values + nr, *measurement = values + 2 * nr;
	const double least = MEASURE_LEAST_SHARE * mean_sum(comparison, values);

	for (uint32_t path = 0; path < alignment->nr_paths; path++) {
		path_values(comparison, path, values);
		const double mean = measure_mean(values, nr);

		if (!(mean > 0))
			continue;
		if (is_measurement(alignment, path)) {
			add_to(measurement, values, nr);
			continue;
		}
		comparison->nr_paths++;
		if (mean < least) {
			add_to(small, values, nr);
			comparison->nr_small++;
			continue;
		}
		add_row(comparison, MEASURE_ROW_PATH, path, values);
		count_visits(comparison, &comparison->rows[comparison->nr_rows - 1]);
	}
	if (comparison->nr_small > 0) {
		add_row(comparison, MEASURE_ROW_SMALL, 0, small);
		comparison->rows[comparison->nr_rows - 1].is_tested =
			measure_mean(small, nr) >= least;
	}
	if (measure_mean(measurement, nr) > 0)
		add_row(comparison, MEASURE_ROW_MEASUREMENT, 0, measurement);
	measure_free(values);
}

static void make_run_time(struct measure_comparison *comparison)
{
	const struct measure_alignment *alignment = comparison->alignment;
	double *values = measure_zeroed(alignment->nr_runs, sizeof(*values));

	for (size_t i = 0; i < alignment->nr_runs; i++)
		values[i] =
			(double)alignment->runs[i]->span / (double)alignment->runs[i]->resolution;
	comparison->run_time = (struct measure_comparison_row){.kind = MEASURE_ROW_RUN_TIME};
	fill_row(comparison, &comparison->run_time, values);
	measure_free(values);
}

static double change(const struct measure_comparison_row *row)
{
	return fabs(row->seconds[MEASURE_NEW] - row->seconds[MEASURE_BASE]);
}

static int compare_changes(const void *left, const void *right)
{
	const struct measure_comparison_row *a = left, *b = right;

	if (change(a) > change(b))
		return -1;
	if (change(a) < change(b))
		return 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->path > b->path) - (a->path < b->path);
}

void measure_comparison_make(struct measure_comparison *comparison,
	const struct measure_alignment *alignment, const struct measure_comparison_options *options)
{
	*comparison = (struct measure_comparison){.options = *options, .alignment = alignment};
	comparison->is_by_location = is_by_location(alignment);
	make_run_time(comparison);
	make_rows(comparison);
	adjust_tests(comparison);
	conclude(comparison, &comparison->run_time);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		conclude(comparison, &comparison->rows[i]);
	if (comparison->nr_rows > 0)
		qsort(comparison->rows, comparison->nr_rows, sizeof(*comparison->rows),
			compare_changes);
}

void measure_comparison_free(struct measure_comparison *comparison)
{
	measure_free(comparison->rows);
	*comparison = (struct measure_comparison){.nr_rows = 0};
}

const char *measure_comparison_name(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, const char *separator, char *buffer, size_t size)
{
	switch (row->kind) {
	case MEASURE_ROW_RUN_TIME:
		return "run time";
	case MEASURE_ROW_SMALL:
		snprintf(buffer, size, "(%zu small %s)", comparison->nr_small,
			comparison->options.by_region ? "regions" : "call paths");
		return buffer;
	case MEASURE_ROW_MEASUREMENT:
		return "(measurement)";
	default:
		return measure_alignment_text(
			comparison->alignment, row->path, separator, buffer, size);
	}
}
