/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wait states as text of 80 columns: efficiencies with a verdict, the worst waits, what is not
 * known. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/root_causes.h"
#include "analysis/efficiency/efficiency_report.h"
#include "analysis/report/profile_report.h"
#include "base/figures.h"
#include "base/printable.h"
#include "waits_clocks.h"
#include "waits_report.h"

#define INDENT 18 /* columns before what belongs to a row */

/* Per cent of all time: of less, the table says how often there was some. */
#define LEAST_SHOWN 0.05

/* Rows of one pattern and path. */
struct waits_group {
	const struct measure_wait_row *rows;
	size_t nr;
	uint64_t ticks, count;
	const struct measure_wait_row *most, *longest;
	uint32_t cause; /* location that most of it was for, or MEASURE_NONE */
	uint64_t cause_ticks;
};

static const char *seconds_text(
	const struct measure_waits *waits, uint64_t ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(measure_profile_seconds(&waits->profile, ticks), text);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

static const char *location_name(const struct measure_waits *waits, uint32_t location)
{
	return measure_report_location(&waits->profile, location);
}

/* --------------------------------------------------------------------------- waits --- */

static bool is_same(const struct measure_wait_row *a, const struct measure_wait_row *b)
{
	return a->pattern == b->pattern && a->path == b->path;
}

static void find_cause(const struct measure_waits *waits, struct waits_group *group)
{
	for (size_t i = 0; i < waits->nr_causes; i++) {
		const struct measure_wait_cause *cause = &waits->causes[i];

		if (cause->pattern != group->rows->pattern || cause->path != group->rows->path ||
			cause->ticks <= group->cause_ticks)
			continue;
		group->cause = cause->cause;
		group->cause_ticks = cause->ticks;
	}
}

static struct waits_group make_group(const struct measure_waits *waits, size_t first)
{
	struct waits_group group = {.rows = &waits->rows[first], .cause = MEASURE_NONE};

	for (size_t i = first; i < waits->nr_rows && is_same(&waits->rows[first], &waits->rows[i]);
		i++) {
		const struct measure_wait_row *row = &waits->rows[i];

		group.nr++;
		group.ticks += row->ticks;
		group.count += row->count;
		if (!group.most || row->ticks > group.most->ticks)
			group.most = row;
		if (!group.longest || row->max > group.longest->max)
			group.longest = row;
	}
	return group;
}

static int compare_groups(const void *left, const void *right)
{
	const struct waits_group *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return (a->rows > b->rows) - (a->rows < b->rows);
}

/* Those that are part of the waiting time; to be freed. */
static struct waits_group *make_groups(const struct measure_waits *waits, size_t *nr)
{
	struct waits_group *groups = measure_zeroed(waits->nr_rows, sizeof(*groups));

	*nr = 0;
	for (size_t i = 0; i < waits->nr_rows;) {
		const struct waits_group group = make_group(waits, i);

		if (measure_wait_patterns[waits->rows[i].pattern].part == MEASURE_WAIT_ADDED)
			groups[(*nr)++] = group;
		i += group.nr;
	}
	if (*nr > 1)
		qsort(groups, *nr, sizeof(*groups), compare_groups);
	return groups;
}

/* "waits   MPI Rank 1, Master thread (61 %)": of a long name the end. */
static void print_name(const char *what, const char *name, const char *behind, FILE *out)
{
	const int printed = fprintf(out, "%*s%-6s", INDENT, "", what);

	measure_report_name(out, name, MEASURE_REPORT_COLUMNS - printed - (int)strlen(behind));
	fprintf(out, "%s\n", behind);
}

static void print_who(const struct measure_waits *waits, const struct waits_group *group, FILE *out)
{
	char share[MEASURE_FIGURE_TEXT];

	snprintf(share, sizeof(share), group->nr > 1 ? " (%.0f %% of %s locations)" : "",
		percent(group->most->ticks, group->ticks), measure_figure(group->nr));
	print_name("waits", location_name(waits, group->most->location), share, out);
}

static void print_cause(
	const struct measure_waits *waits, const struct waits_group *group, FILE *out)
{
	char share[MEASURE_FIGURE_TEXT];

	if (group->cause == MEASURE_NONE)
		return;
	snprintf(share, sizeof(share), " (%.0f %%)", percent(group->cause_ticks, group->ticks));
	print_name("for", location_name(waits, group->cause), share, out);
}

static void print_longest(
	const struct measure_waits *waits, const struct waits_group *group, FILE *out)
{
	const struct measure_wait_row *row = group->longest;
	char text[MEASURE_FIGURE_TEXT];

	fprintf(out, "%*s%s call%s, the longest %s from %.6f s on\n", INDENT, "",
		measure_figure(group->count), group->count == 1 ? "" : "s",
		seconds_text(waits, row->max, text),
		measure_trace_seconds(waits->profile.trace, row->worst.enter));
}

/* A path that does not fit has a line of its own. */
static void print_path(const struct measure_waits *waits, uint32_t path, int column, FILE *out)
{
	char text[MEASURE_REPORT_NAME];
	const char *name =
		measure_key_text(&waits->profile, MEASURE_KEY_PATH, path, text, sizeof(text));

	if (column + (int)strlen(MEASURE_PRINTABLE(name)) >= MEASURE_REPORT_COLUMNS) {
		fprintf(out, "\n%*s", INDENT, "");
		column = INDENT;
	} else {
		fputc(' ', out);
	}
	measure_report_functions(out, name, MEASURE_REPORT_COLUMNS - column);
	fputc('\n', out);
}

static void print_group(
	const struct measure_waits *waits, const struct waits_group *group, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];
	const int printed = fprintf(out, "%8s %6.1f  %s:", seconds_text(waits, group->ticks, text),
		percent(group->ticks, measure_waits_all_ticks(waits)),
		measure_wait_patterns[group->rows->pattern].title);

	print_path(waits, group->rows->path, printed, out);
	print_who(waits, group, out);
	print_cause(waits, group, out);
	print_longest(waits, group, out);
}

/* Those that are to be shown: no more than asked for, and none that rounds to nothing. */
static size_t count_shown(const struct measure_waits *waits, const struct waits_group *groups,
	size_t nr, size_t nr_most)
{
	const uint64_t all = measure_waits_all_ticks(waits);
	size_t shown = 0;

	if (nr_most == 0)
		return nr;
	while (shown < nr && shown < nr_most &&
		(shown == 0 || percent(groups[shown].ticks, all) >= LEAST_SHOWN))
		shown++;
	return shown;
}

static void print_waits(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const uint64_t total = measure_waits_total(waits);
	char text[MEASURE_FIGURE_TEXT];
	size_t nr;
	struct waits_group *groups = make_groups(waits, &nr);
	const size_t shown = count_shown(waits, groups, nr, nr_most);

	if (nr == 0)
		fputs("\nno waiting found\n", out);
	else
		fprintf(out,
			"\nwaiting: %s, %.1f %% of the time of all locations\n\n"
			"    time      %%  pattern: where\n",
			seconds_text(waits, total, text),
			percent(total, measure_waits_all_ticks(waits)));
	for (size_t i = 0; i < shown; i++) {
		find_cause(waits, &groups[i]);
		print_group(waits, &groups[i], out);
	}
	if (nr > shown)
		fprintf(out, "(%s more: --top 0 shows all)\n", measure_figure(nr - shown));
	measure_free(groups);
}

/* ------------------------------------------------------------------------- unknown --- */

/* Before the first of them a title. */
static void begin_unknown(bool *has_title, FILE *out)
{
	if (!*has_title)
		fputs("\nnot known\n", out);
	*has_title = true;
	fputs("  ", out);
}

static void print_faults(const struct measure_waits *waits, bool *has_title, FILE *out)
{
	bool is_any = false;
	char text[MEASURE_FIGURE_TEXT];

	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		const struct measure_wait_faults *faults = &waits->faults[i];

		if (faults->violations) {
			is_any = true;
			begin_unknown(has_title, out);
			fprintf(out, "%s x %s ends before it begins, by up to %s: no waiting\n",
				measure_figure(faults->violations), measure_relations[i].word,
				seconds_text(waits, faults->worst_violation, text));
		}
		if (faults->disproved) {
			begin_unknown(has_title, out);
			fprintf(out, "%s x %s that did not synchronise: no waiting\n",
				measure_figure(faults->disproved), measure_relations[i].word);
		}
	}
	if (is_any)
		fprintf(out, "  -> %s\n", measure_waits_clocks_remedy(waits));
}

static void print_number(
	uint64_t nr, const char *one, const char *several, bool *has_title, FILE *out)
{
	if (nr == 0)
		return;
	begin_unknown(has_title, out);
	fprintf(out, "%s %s\n", measure_figure(nr), nr == 1 ? one : several);
}

static void print_unknown(const struct measure_waits *waits, FILE *out)
{
	const struct measure_findings *findings = waits->profile.trace->findings;
	bool has_title = false;

	print_number(waits->nr_dropped, "event that was not kept: this is about the last ones only",
		"events that were not kept: this is about the last ones only", &has_title, out);
	print_number(waits->nr_processes_cut, "process did not end orderly",
		"processes did not end orderly", &has_title, out);
	print_number(waits->nr_cut, "call without an end: not known how long it has waited",
		"calls without an end: not known how long they have waited", &has_title, out);
	for (int i = 0; i < MEASURE_NR_CHECKS; i++) {
		if (findings->counts[i] == 0 || !measure_waits_is_gap((enum measure_check)i))
			continue;
		begin_unknown(&has_title, out);
		fprintf(out, "%s x %s\n", measure_figure(findings->counts[i]),
			measure_checks[i].text);
	}
	print_faults(waits, &has_title, out);
}

void measure_waits_print_text(const struct measure_waits *waits,
	const struct measure_efficiency *efficiency, size_t nr_most, FILE *out)
{
	measure_profile_print_head(&waits->profile, out);
	measure_profile_print_faults(&waits->profile, out);
	measure_waits_clocks_print_text(waits, out);
	measure_efficiency_print_text(waits, efficiency, out);
	print_waits(waits, nr_most, out);
	measure_root_causes_print_text(waits, nr_most, out);
	print_unknown(waits, out);
}
