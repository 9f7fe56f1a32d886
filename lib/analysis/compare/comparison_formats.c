/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A comparison for programs: JSON, JUnit XML, differential folded stacks. */
#include "config.h"

#include "comparison_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "base/printable.h"
#include "cli/json_text.h"

#define NAME_TEXT 4096

static const char *const side_words[MEASURE_NR_SIDES] = {"base", "new"};

/* ---------------------------------------------------------------------------- JSON --- */

static void json_key(FILE *out, const char *name)
{
	fprintf(out, ", \"%s\": ", name);
}

/* JSON has no infinity. */
static void json_real(FILE *out, const char *name, double value)
{
	json_key(out, name);
	if (isfinite(value))
		fprintf(out, "%.9g", value);
	else
		fprintf(out, "null");
}

static void json_bool(FILE *out, const char *name, bool value)
{
	json_key(out, name);
	fprintf(out, "%s", value ? "true" : "false");
}

static void json_effect(const struct measure_comparison_row *row, FILE *out)
{
	const struct measure_effect *effect = &row->effect;

	fprintf(out, ", \"effect\": \"%s\"", effect->is_ratio ? "ratio" : "difference");
	json_real(out, "value", effect->value);
	if (!effect->has_interval)
		return;
	json_real(out, "low", effect->low);
	json_real(out, "high", effect->high);
	json_real(out, "t", effect->t);
	json_real(out, "degrees_of_freedom", effect->nu);
	json_real(out, "p", effect->p);
	fprintf(out, ", \"is_trimmed\": %s", effect->is_trimmed ? "true" : "false");
	json_real(out, "p_adjusted", row->p_adjusted);
}

static void json_row(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, FILE *out)
{
	char name[NAME_TEXT];

	fprintf(out, "{\"name\": ");
	measure_json_text(out, measure_comparison_name(comparison, row, "/", name, sizeof(name)));
	if (row->kind == MEASURE_ROW_PATH) {
		const struct measure_alignment *alignment = comparison->alignment;

		json_key(out, "paradigm");
		measure_json_text(
			out, alignment->frames->frames[alignment->paths[row->path].frame].paradigm);
		json_real(out, "base_visits", row->visits[MEASURE_BASE]);
		json_real(out, "new_visits", row->visits[MEASURE_NEW]);
	}
	json_real(out, "base_seconds", row->seconds[MEASURE_BASE]);
	json_real(out, "new_seconds", row->seconds[MEASURE_NEW]);
	json_effect(row, out);
	json_bool(out, "is_tested", row->is_tested);
	json_key(out, "verdict");
	measure_json_text(out, measure_verdict_words[row->verdict]);
	json_bool(out, "is_regression", row->is_regression);
	fputc('}', out);
}

static void json_runs(
	const struct measure_comparison *comparison, enum measure_side side, FILE *out)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t first = side == MEASURE_BASE ? 0 : alignment->nr[MEASURE_BASE];

	fprintf(out, ",\n\"%s\": [", side_words[side]);
	for (size_t i = 0; i < alignment->nr[side]; i++) {
		const struct measure_compared_run *run = alignment->runs[first + i];

		fprintf(out, "%s\n {\"archive\": ", i > 0 ? "," : "");
		measure_json_text(out, run->name);
		json_real(out, "seconds", (double)run->span / (double)run->resolution);
		fprintf(out,
			", \"processes\": %" PRIu32 ", \"locations\": %" PRIu32
			", \"cut_locations\": %" PRIu32 "}",
			run->nr_processes, run->nr_locations, run->nr_cut);
	}
	fputc(']', out);
}

static void json_only(
	const struct measure_comparison *comparison, enum measure_side side, FILE *out)
{
	const struct measure_alignment *alignment = comparison->alignment;
	size_t nr = 0;

	fprintf(out, ",\n\"only_in_%s\": [", side_words[side]);
	for (uint32_t i = 0; i < alignment->frames->nr; i++) {
		if (alignment->sides[i] != 1 << side || measure_alignment_keeps(alignment, i))
			continue;
		fprintf(out, "%s\n {\"name\": ", nr++ > 0 ? "," : "");
		measure_json_text(out, alignment->frames->frames[i].name);
		json_key(out, "paradigm");
		measure_json_text(out, alignment->frames->frames[i].paradigm);
		json_real(out, "seconds", measure_comparison_frame_seconds(comparison, i, side));
		fputc('}', out);
	}
	fputc(']', out);
}

static void json_scaling(const struct measure_comparison *comparison, FILE *out)
{
	struct measure_scaling scaling;

	measure_scaling_make(&scaling, comparison);
	fprintf(out, ",\n\"scaling\": [");
	for (size_t r = 0; r < scaling.nr_rows; r++)
		for (size_t i = 0; i < scaling.nr_steps; i++) {
			const struct measure_scaling_row *row = &scaling.rows[r];

			fprintf(out, "%s\n {\"region\": ", r + i > 0 ? "," : "");
			if (row->frame == MEASURE_NONE)
				fprintf(out, "null");
			else
				measure_json_text(out,
					comparison->alignment->frames->frames[row->frame].name);
			fprintf(out,
				", \"processes\": %" PRIu32 ", \"locations\": %" PRIu32
				", \"runs\": %zu",
				scaling.steps[i].nr_processes, scaling.steps[i].nr_locations,
				scaling.steps[i].nr_runs);
			json_real(out, "seconds", row->seconds[i]);
			json_real(out, "speedup", measure_scaling_speedup(row, i));
			json_real(out, "efficiency", measure_scaling_efficiency(&scaling, row, i));
			fputc('}', out);
		}
	fputc(']', out);
	measure_scaling_free(&scaling);
}

void measure_comparison_print_json(const struct measure_comparison *comparison, FILE *out)
{
	fprintf(out, "{\"schema\": %d", MEASURE_COMPARISON_SCHEMA);
	json_real(out, "threshold", comparison->options.threshold);
	json_real(out, "fail_above", comparison->options.fail_above);
	json_real(out, "confidence", MEASURE_CONFIDENCE);
	json_real(out, "false_discovery_rate", MEASURE_FALSE_RATE);
	json_bool(out, "is_paired", comparison->options.is_paired);
	json_bool(out, "is_by_region", comparison->options.by_region);
	json_bool(out, "is_mean_of_locations", comparison->is_by_location);
	fprintf(out, ", \"regressions\": %zu, \"call_paths\": %zu, \"small_call_paths\": %zu",
		comparison->nr_regressions, comparison->nr_paths, comparison->nr_small);
	for (int side = 0; side < MEASURE_NR_SIDES; side++)
		json_runs(comparison, (enum measure_side)side, out);
	fprintf(out, ",\n\"run_time\": ");
	json_row(comparison, &comparison->run_time, out);
	fprintf(out, ",\n\"paths\": [");
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		fprintf(out, "%s\n ", i > 0 ? "," : "");
		json_row(comparison, &comparison->rows[i], out);
	}
	fputc(']', out);
	for (int side = 0; side < MEASURE_NR_SIDES; side++)
		json_only(comparison, (enum measure_side)side, out);
	json_scaling(comparison, out);
	fprintf(out, "\n}\n");
}

/* --------------------------------------------------------------------------- JUnit --- */

/* XML forbids control characters, even escaped ones: they are printed as in messages. */
static void xml_text(const char *text, FILE *out)
{
	char buffer[2 * NAME_TEXT];

	measure_print_xml_text(measure_printable(text, buffer, sizeof(buffer)), out);
}

static void junit_message(const struct measure_comparison_row *row, FILE *out)
{
	const struct measure_effect *effect = &row->effect;
	const char *unit = effect->is_ratio ? "x" : "s";

	fprintf(out, "%s: %.4g %s", measure_verdict_words[row->verdict], effect->value, unit);
	if (effect->has_interval)
		fprintf(out, ", 95 %%: %.4g to %.4g", effect->low, effect->high);
	fprintf(out, "; %.6g s, then %.6g s", row->seconds[MEASURE_BASE],
		row->seconds[MEASURE_NEW]);
}

static void junit_case(const struct measure_comparison *comparison,
	const struct measure_comparison_row *row, FILE *out)
{
	char name[NAME_TEXT];

	if (!row->is_tested)
		return;
	fprintf(out, "  <testcase classname=\"measure-compare\" name=\"");
	xml_text(measure_comparison_name(comparison, row, "/", name, sizeof(name)), out);
	fprintf(out, "\" time=\"%.9f\">", row->seconds[MEASURE_NEW]);
	if (row->is_regression) {
		fprintf(out, "<failure message=\"");
		junit_message(row, out);
		fprintf(out, "\"/>");
	} else if (row->verdict == MEASURE_VERDICT_UNCLEAR) {
		fprintf(out, "<skipped message=\"");
		junit_message(row, out);
		fprintf(out, "\"/>");
	} else {
		fprintf(out, "<system-out>");
		junit_message(row, out);
		fprintf(out, "</system-out>");
	}
	fprintf(out, "</testcase>\n");
}

static size_t count_cases(const struct measure_comparison *comparison, size_t *nr_skipped)
{
	const struct measure_comparison_row *first = &comparison->run_time;
	size_t nr = 1;

	*nr_skipped = first->verdict == MEASURE_VERDICT_UNCLEAR && !first->is_regression;
	for (size_t i = 0; i < comparison->nr_rows; i++) {
		nr += comparison->rows[i].is_tested;
		*nr_skipped += comparison->rows[i].is_tested &&
			       !comparison->rows[i].is_regression &&
			       comparison->rows[i].verdict == MEASURE_VERDICT_UNCLEAR;
	}
	return nr;
}

void measure_comparison_print_junit(const struct measure_comparison *comparison, FILE *out)
{
	size_t nr_skipped;
	const size_t nr = count_cases(comparison, &nr_skipped);

	fprintf(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		" <testsuite name=\"measure-compare\" tests=\"%zu\" failures=\"%zu\" "
		"errors=\"0\" skipped=\"%zu\">\n",
		nr, comparison->nr_regressions, nr_skipped);
	junit_case(comparison, &comparison->run_time, out);
	for (size_t i = 0; i < comparison->nr_rows; i++)
		junit_case(comparison, &comparison->rows[i], out);
	fprintf(out, " </testsuite>\n</testsuites>\n");
}

/* ------------------------------------------------------------------- folded stacks --- */

/* `stack`: room for all paths. */
static void folded_stack(
	const struct measure_alignment *alignment, uint32_t path, uint32_t *stack, FILE *out)
{
	size_t nr = 0;

	for (uint32_t at = path; at != MEASURE_NONE && (at != 0 || path == 0);
		at = alignment->paths[at].parent)
		stack[nr++] = alignment->paths[at].frame;
	for (size_t i = nr; i-- > 0;) {
		measure_print_folded_name(alignment->frames->frames[stack[i]].name, out);
		if (i > 0)
			fputc(';', out);
	}
}

static uint64_t mean_nanoseconds(
	const struct measure_comparison *comparison, uint32_t path, enum measure_side side)
{
	const struct measure_alignment *alignment = comparison->alignment;
	const size_t first = side == MEASURE_BASE ? 0 : alignment->nr[MEASURE_BASE];
	double sum = 0;

	for (size_t i = first; i < first + alignment->nr[side]; i++)
		sum += measure_comparison_seconds(
			comparison, i, alignment->exclusive[path * alignment->nr_runs + i]);
	return (uint64_t)(sum / (double)alignment->nr[side] * 1e9 + 0.5);
}

void measure_comparison_print_folded(const struct measure_comparison *comparison, FILE *out)
{
	const size_t nr_paths = comparison->alignment->nr_paths;
	uint32_t *stack = measure_zeroed(nr_paths, sizeof(*stack));

	for (uint32_t path = 0; path < nr_paths; path++) {
		const uint64_t base = mean_nanoseconds(comparison, path, MEASURE_BASE);
		const uint64_t new = mean_nanoseconds(comparison, path, MEASURE_NEW);

		if (base == 0 && new == 0)
			continue;
		folded_stack(comparison->alignment, path, stack, out);
		fprintf(out, " %" PRIu64 " %" PRIu64 "\n", base, new);
	}
	measure_free(stack);
}
