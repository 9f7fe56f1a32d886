/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A comparison as text for a terminal: first the verdict, then the largest changes. */
#include "config.h"

#include "comparison_report.h"

#include <math.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"

#define COLUMNS      80
#define BEFORE_NAMES 53 /* columns of a row */
#define MOST_LISTED  5
#define FIGURE_TEXT  (2 * MEASURE_FIGURE_TEXT)
#define SPAN_TEXT    (3 * FIGURE_TEXT)

/* ------------------------------------------------------------------------- figures --- */

static const char *signed_seconds(double seconds, char text[FIGURE_TEXT])
{
	char figure[MEASURE_FIGURE_TEXT];

	snprintf(text, FIGURE_TEXT, "%c%s", seconds < 0 ? '-' : '+',
		measure_figure_seconds(fabs(seconds), figure));
	return text;
}

/* "1.056 to 1.103", "+12 ms to +15 ms", "". */
static const char *interval_text(const struct measure_effect *effect, char text[SPAN_TEXT])
{
	char low[FIGURE_TEXT], high[FIGURE_TEXT];

	text[0] = '\0';
	if (effect->has_interval && effect->is_ratio)
		snprintf(text, SPAN_TEXT, "%.3f to %.3f", effect->low, effect->high);
	else if (effect->has_interval)
		snprintf(text, SPAN_TEXT, "%s to %s", signed_seconds(effect->low, low),
			signed_seconds(effect->high, high));
	return text;
}

static const char *of_several(size_t nr)
{
	return nr == 1 ? "" : "s";
}

static const char *subject(const struct measure_comparison *comparison, size_t nr)
{
	if (comparison->options.by_region)
		return nr == 1 ? "region" : "regions";
	return nr == 1 ? "call path" : "call paths";
}

/* ------------------------------------------------------------------------- verdict --- */

void measure_comparison_print_verdict(const struct measure_comparison *comparison, FILE *out)
{
	const struct measure_comparison_row *row = &comparison->run_time;
	const size_t nr_slower = comparison->verdicts[MEASURE_VERDICT_SLOWER];
	char text[SPAN_TEXT];

	fprintf(out, "%s: %.3f x", measure_verdict_words[row->verdict], row->effect.value);
	if (row->effect.has_interval)
		fprintf(out, " (95 %%: %s)", interval_text(&row->effect, text));
	if (nr_slower > 0)
		fprintf(out, ", %zu of %zu %s slower\n", nr_slower, comparison->nr_paths,
			subject(comparison, comparison->nr_paths));
	else
		fprintf(out, ", no %s slower\n", subject(comparison, 1));
}

/* ----------------------------------------------------------------------------- head --- */

static void print_numbers(
	uint32_t least, uint32_t most, const char *word, const char *words, FILE *out)
{
	if (least == most)
		fprintf(out, ", %u %s", least, least == 1 ? word : words);
	else
		fprintf(out, ", %u to %u %s", least, most, words);
}

static void print_side(
	const struct measure_comparison *comparison, enum measure_side side, FILE *out)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t first = side == MEASURE_BASE ? 0 : alignment->nr[MEASURE_BASE];
	uint32_t processes[2] = {UINT32_MAX, 0}, locations[2] = {UINT32_MAX, 0};
	char text[MEASURE_FIGURE_TEXT];

	for (size_t i = 0; i < alignment->nr[side]; i++) {
		const struct measure_compared_run *run = alignment->runs[first + i];

		processes[0] = run->nr_processes < processes[0] ? run->nr_processes : processes[0];
		processes[1] = run->nr_processes > processes[1] ? run->nr_processes : processes[1];
		locations[0] = run->nr_locations < locations[0] ? run->nr_locations : locations[0];
		locations[1] = run->nr_locations > locations[1] ? run->nr_locations : locations[1];
	}
	fprintf(out, "%s %zu run%s", side == MEASURE_BASE ? "base:" : "new: ", alignment->nr[side],
		of_several(alignment->nr[side]));
	print_numbers(processes[0], processes[1], "process", "processes", out);
	print_numbers(locations[0], locations[1], "location", "locations", out);
	fprintf(out, ", %s\n", measure_figure_seconds(comparison->run_time.seconds[side], text));
}

static size_t fewest_runs(const struct measure_alignment *alignment)
{
	return alignment->nr[MEASURE_BASE] < alignment->nr[MEASURE_NEW]
		       ? alignment->nr[MEASURE_BASE]
		       : alignment->nr[MEASURE_NEW];
}

/* What the reader has to know of how the runs were made. */
static void print_remarks(const struct measure_comparison *comparison, FILE *out)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t nr = fewest_runs(alignment);

	if (comparison->is_by_location)
		fprintf(out,
			"runs differ in processes or locations: times are means of a location\n");
	if (nr == 1 && comparison->options.is_single)
		fprintf(out, "one run on a side: compared by the threshold alone\n");
	else if (nr == 1)
		fprintf(out,
			"one run on a side has no spread to judge by: give several of each, or "
			"--single\n");
	else if (nr < MEASURE_ENOUGH_RUNS)
		fprintf(out, "fewer than %d runs on a side: only large changes are clear\n",
			MEASURE_ENOUGH_RUNS);
	for (size_t i = 0; i < alignment->nr_runs; i++)
		if (alignment->runs[i]->nr_cut)
			fprintf(out, "%s: events are missing at the end of %u location%s\n",
				MEASURE_PRINTABLE(alignment->runs[i]->name),
				alignment->runs[i]->nr_cut, of_several(alignment->runs[i]->nr_cut));
}

/* ---------------------------------------------------------------------------- table --- */

/* A name in so many columns, of a longer one the end: that tells more. */
static void print_path(FILE *out, const char *name, size_t columns)
{
	const char *shown = MEASURE_PRINTABLE(name);

	if (strlen(shown) <= columns)
		fprintf(out, "%s\n", shown);
	else
		fprintf(out, "...%s\n", measure_text_end(shown, columns - 3));
}

static void print_ratio(const struct measure_comparison_row *row, FILE *out)
{
	const double base = row->seconds[MEASURE_BASE], new = row->seconds[MEASURE_NEW];

	if (row->effect.is_ratio && row->effect.value < 1000)
		fprintf(out, " %6.3f", row->effect.value);
	else if (!(base > 0))
		fprintf(out, "    new");
	else if (!(new > 0))
		fprintf(out, "   gone");
	else
		fprintf(out, " %6s", "-");
}

static void print_row(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, FILE *out)
{
	char change[FIGURE_TEXT], base[MEASURE_FIGURE_TEXT], interval[SPAN_TEXT];
	char name[512];

	fprintf(out, "%9s %8s",
		signed_seconds(row->seconds[MEASURE_NEW] - row->seconds[MEASURE_BASE], change),
		measure_figure_seconds(row->seconds[MEASURE_BASE], base));
	print_ratio(row, out);
	fprintf(out, "  %-17.17s %-7s ", interval_text(&row->effect, interval),
		row->is_tested ? measure_verdict_words[row->verdict] : "-");
	print_path(out, measure_comparison_name(comparison, row, "/", name, sizeof(name)),
		COLUMNS - BEFORE_NAMES);
}

static void print_table(const struct measure_comparison *comparison, size_t nr_most, FILE *out)
{
	const size_t nr = nr_most && nr_most < comparison->nr_rows ? nr_most : comparison->nr_rows;

	fprintf(out, "\n   change     base  ratio  95 %%              verdict %s\n",
		subject(comparison, 1));
	print_row(comparison, &comparison->run_time, out);
	for (size_t i = 0; i < nr; i++)
		print_row(comparison, &comparison->rows[i], out);
	if (nr < comparison->nr_rows)
		fprintf(out, "(%zu more: --top 0 shows all)\n", comparison->nr_rows - nr);
}

/* A path that is slower because it is called more often. */
static void print_visits(const struct measure_comparison *comparison, FILE *out)
{
	size_t nr = 0;
	char name[512];

	for (size_t i = 0; i < comparison->nr_rows && nr < MOST_LISTED; i++) {
		const struct measure_comparison_row *row = &comparison->rows[i];
		const double base = row->visits[MEASURE_BASE], new = row->visits[MEASURE_NEW];

		if (row->kind != MEASURE_ROW_PATH ||
			!(fabs(new - base) > comparison->options.threshold * base))
			continue;
		fprintf(out, "%s%12.0f %12.0f  ",
			nr++ == 0 ? "\nDifferent numbers of visits in a run\n        base          "
				    "new\n"
				  : "",
			base, new);
		print_path(out, measure_comparison_name(comparison, row, "/", name, sizeof(name)),
			COLUMNS - 27);
	}
}

static void print_only(
	const struct measure_comparison *comparison, enum measure_side side, FILE *out)
{
	const struct measure_alignment *alignment = comparison->alignment;
	char text[MEASURE_FIGURE_TEXT];
	size_t nr = 0;

	for (uint32_t i = 0; i < alignment->frames->nr; i++) {
		if (alignment->sides[i] != 1 << side || measure_alignment_keeps(alignment, i))
			continue;
		if (nr++ == 0)
			fprintf(out, "\nOnly in %s (their time counts for their callers)\n",
				side == MEASURE_BASE ? "base runs" : "new runs");
		if (nr > MOST_LISTED)
			continue;
		fprintf(out, "%9s  ",
			measure_figure_seconds(
				measure_comparison_frame_seconds(comparison, i, side), text));
		print_path(out, alignment->frames->frames[i].name, COLUMNS - 11);
	}
	if (nr > MOST_LISTED)
		fprintf(out, "(%zu more)\n", nr - MOST_LISTED);
}

/* -------------------------------------------------------------------------- scaling --- */

static void print_scaling(const struct measure_comparison *comparison, FILE *out)
{
	struct measure_scaling scaling;
	char text[MEASURE_FIGURE_TEXT];

	measure_scaling_make(&scaling, comparison);
	if (scaling.nr_rows > 0)
		fprintf(out, "\nScaling (of a region the mean time of a location)\n"
			     "processes locations runs     time speedup efficiency  region\n");
	for (size_t r = 0; r < scaling.nr_rows; r++)
		for (size_t i = 0; i < scaling.nr_steps; i++) {
			const struct measure_scaling_row *row = &scaling.rows[r];
			const struct measure_scaling_step *step = &scaling.steps[i];

			fprintf(out, "%9u %9u %4zu %8s %7.*f %8.0f %%  ", step->nr_processes,
				step->nr_locations, step->nr_runs,
				measure_figure_seconds(row->seconds[i], text),
				measure_scaling_speedup(row, i) < 1000 ? 2 : 0,
				measure_scaling_speedup(row, i),
				100 * measure_scaling_efficiency(&scaling, row, i));
			print_path(out,
				row->frame == MEASURE_NONE
					? "run time"
					: comparison->alignment->frames->frames[row->frame].name,
				COLUMNS - 54);
		}
	measure_scaling_free(&scaling);
}

void measure_comparison_print_text(
	const struct measure_comparison *comparison, size_t nr_most, FILE *out)
{
	measure_comparison_print_verdict(comparison, out);
	print_side(comparison, MEASURE_BASE, out);
	print_side(comparison, MEASURE_NEW, out);
	print_remarks(comparison, out);
	print_table(comparison, nr_most, out);
	print_visits(comparison, out);
	print_only(comparison, MEASURE_BASE, out);
	print_only(comparison, MEASURE_NEW, out);
	print_scaling(comparison, out);
	fprintf(out, "\n%zu regression%s (slower by more than %.3g %%)\n",
		comparison->nr_regressions, of_several(comparison->nr_regressions),
		100 * comparison->options.fail_above);
}
