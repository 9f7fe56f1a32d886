/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text that measure-analyze prints, of 80 columns: efficiencies, the worst wait states, root
 * causes, and what is not known. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/causes/root_causes.h"
#include "analysis/efficiency/efficiency_report.h"
#include "analysis/report/profile_report.h"
#include "base/printable.h"
#include "waits_clocks.h"
#include "waits_figures.h"
#include "waits_report.h"

/* --------------------------------------------------------------------------- waits --- */

static void print_who(
	const struct measure_waits *waits, const struct measure_waits_group *group, FILE *out)
{
	char share[MEASURE_FIGURE_TEXT] = "";

	if (group->nr > 1)
		snprintf(share, sizeof(share), " (%.0f %%, %s locations)",
			measure_waits_percent(group->most->ticks, group->ticks),
			measure_figure(group->nr));
	measure_waits_print_location(waits, "waiting:", group->most->location, share, out);
}

static void print_cause(
	const struct measure_waits *waits, const struct measure_waits_group *group, FILE *out)
{
	char share[MEASURE_FIGURE_TEXT];

	if (group->cause == MEASURE_NONE)
		return;
	snprintf(share, sizeof(share), " (%.0f %%)",
		measure_waits_percent(group->cause_ticks, group->ticks));
	measure_waits_print_location(waits, "for:    ", group->cause, share, out);
}

static void print_longest(
	const struct measure_waits *waits, const struct measure_waits_group *group, FILE *out)
{
	const struct measure_wait_row *row = group->longest;
	char text[MEASURE_FIGURE_TEXT];

	fprintf(out, "%*s%s call%s, the longest wait %s, at %.6f s\n", MEASURE_WAITS_INDENT, "",
		measure_figure(group->count), group->count == 1 ? "" : "s",
		measure_waits_seconds(waits, row->max, text),
		measure_trace_seconds(waits->profile.trace, row->worst.enter));
}

/* A path that does not fit has a line of its own. */
static void print_path(const struct measure_waits *waits, uint32_t path, int column, FILE *out)
{
	char text[MEASURE_REPORT_NAME];
	const char *name =
		measure_key_text(&waits->profile, MEASURE_KEY_PATH, path, text, sizeof(text));

	if (column + (int)strlen(MEASURE_PRINTABLE(name)) >= MEASURE_REPORT_COLUMNS) {
		fprintf(out, "\n%*s", MEASURE_WAITS_INDENT, "");
		column = MEASURE_WAITS_INDENT;
	} else {
		fputc(' ', out);
	}
	measure_report_functions(out, name, MEASURE_REPORT_COLUMNS - column);
	fputc('\n', out);
}

static void print_group(
	const struct measure_waits *waits, const struct measure_waits_group *group, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];
	const int printed =
		fprintf(out, "%8s %6.1f  %s:", measure_waits_seconds(waits, group->ticks, text),
			measure_waits_percent(group->ticks, measure_waits_all_ticks(waits)),
			measure_wait_patterns[group->rows->pattern].title);

	print_path(waits, group->rows->path, printed, out);
	print_who(waits, group, out);
	print_cause(waits, group, out);
	print_longest(waits, group, out);
}

static size_t count_shown(const struct measure_waits *waits,
	const struct measure_waits_group *groups, size_t nr, size_t nr_most)
{
	const uint64_t all = measure_waits_all_ticks(waits);
	size_t shown = 0;

	while (shown < nr && measure_waits_is_shown(shown, nr_most, groups[shown].ticks, all))
		shown++;
	return shown;
}

static void print_waits(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const uint64_t total = measure_waits_total(waits);
	char text[MEASURE_FIGURE_TEXT];
	size_t nr;
	struct measure_waits_group *groups = measure_waits_groups_make(waits, &nr);
	const size_t shown = count_shown(waits, groups, nr, nr_most);

	if (nr == 0)
		fputs("\nno waiting found\n", out);
	else
		fprintf(out,
			"\nwaiting: %s, %.1f %% of the time of all locations\n\n"
			"    time      %%  wait state: call path\n",
			measure_waits_seconds(waits, total, text),
			measure_waits_percent(total, measure_waits_all_ticks(waits)));
	for (size_t i = 0; i < shown; i++) {
		measure_waits_group_find_cause(waits, &groups[i]);
		print_group(waits, &groups[i], out);
	}
	measure_waits_print_more(nr, shown, out);
	measure_free(groups);
}

/* ------------------------------------------------------------------------- unknown --- */

/* Prints the title before the first line. */
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
			fprintf(out, "%s x %s ends before it begins, by up to %s: not counted\n",
				measure_figure(faults->violations), measure_relations[i].word,
				measure_waits_seconds(waits, faults->worst_violation, text));
		}
		if (faults->disproved) {
			begin_unknown(has_title, out);
			fprintf(out, "%s x %s did not synchronise: not counted\n",
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

	print_number(waits->nr_dropped,
		"event was dropped (--keep): results cover the last events only",
		"events were dropped (--keep): results cover the last events only", &has_title,
		out);
	print_number(waits->nr_processes_cut, "process was cut short", "processes were cut short",
		&has_title, out);
	print_number(waits->nr_cut, "call has no end: how long it waited is unknown",
		"calls have no end: how long they waited is unknown", &has_title, out);
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
