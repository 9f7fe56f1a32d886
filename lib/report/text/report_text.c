/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a short report; see report_text.h. */
#include "config.h"

#include "report_text.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/root_causes.h"
#include "analysis/efficiency/efficiency_report.h"
#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_clocks.h"
#include "analysis/waits/waits_figures.h"

#define MOST_FUNCTIONS 8
#define MOST_WAITS     4
#define MOST_CRITICAL  3

static const char *seconds_text(
	const struct measure_profile *profile, uint64_t ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(measure_profile_seconds(profile, ticks), text);
}

static void print_title(const struct measure_report_text_style *style, const char *title, FILE *out)
{
	fprintf(out, "\n%s%s%s\n", style->is_coloured ? "\033[1m" : "", title,
		style->is_coloured ? "\033[0m" : "");
}

/* --------------------------------------------------------------------------- functions --- */

static void print_function(
	const struct measure_view *view, const struct measure_view_row *row, FILE *out)
{
	char name[256], text[MEASURE_FIGURE_TEXT];
	const int printed = fprintf(out, "%8s %6.1f %11s  ",
		seconds_text(view->profile, row->exclusive, text),
		measure_waits_percent(row->exclusive, view->all), measure_figure(row->visits));

	measure_report_functions(out, measure_view_name(view, row, name, sizeof(name)),
		MEASURE_REPORT_COLUMNS - printed);
	fputc('\n', out);
}

static void print_functions(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out)
{
	const struct measure_view_options options = {.by = MEASURE_BY_REGION,
		.sort = MEASURE_SORT_EXCLUSIVE,
		.nr_most = MOST_FUNCTIONS,
		.least = 0.001};
	struct measure_view view;

	measure_view_make(&view, facts->profile, &options);
	if (view.nr_rows > 0)
		print_title(style, "    self      %      visits  function (measure-profile)", out);
	for (size_t i = 0; i < view.nr_rows; i++)
		print_function(&view, &view.rows[i], out);
	measure_view_free(&view);
}

/* ------------------------------------------------------------------------------- waits --- */

/* "          MPI Rank 0, for MPI Rank 1 (98 %)" */
static void print_who(
	const struct measure_waits *waits, const struct measure_waits_group *group, FILE *out)
{
	fprintf(out, "%*s", MEASURE_WAITS_INDENT, "");
	measure_report_name(
		out, measure_report_location(&waits->profile, group->most->location), 26);
	if (group->cause != MEASURE_NONE) {
		fputs(" for ", out);
		measure_report_name(
			out, measure_report_location(&waits->profile, group->cause), 26);
	}
	fputc('\n', out);
}

static void print_wait(
	const struct measure_waits *waits, struct measure_waits_group *group, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];
	const int printed =
		fprintf(out, "%8s %6.1f  %s: ", measure_waits_seconds(waits, group->ticks, text),
			measure_waits_percent(group->ticks, measure_waits_all_ticks(waits)),
			measure_wait_patterns[group->rows->pattern].title);

	measure_waits_print_path(waits, group->rows->path, MEASURE_REPORT_COLUMNS - printed, out);
	fputc('\n', out);
	measure_waits_group_find_cause(waits, group);
	print_who(waits, group, out);
}

static void print_waits(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out)
{
	const struct measure_waits *waits = facts->waits;
	const uint64_t all = measure_waits_all_ticks(waits);
	size_t nr;
	struct measure_waits_group *groups = measure_waits_groups_make(waits, &nr);

	if (nr > 0)
		print_title(style,
			"    time      %  wait state: call path, who waits most (measure-analyze)",
			out);
	for (size_t i = 0; i < nr; i++)
		if (measure_waits_is_shown(i, MOST_WAITS, groups[i].ticks, all))
			print_wait(waits, &groups[i], out);
	measure_free(groups);
}

/* ----------------------------------------------------------------------- critical path --- */

static int compare_critical(const void *left, const void *right)
{
	const struct measure_critical_row *const *a = left, *const *b = right;

	if ((*a)->ticks != (*b)->ticks)
		return (*a)->ticks < (*b)->ticks ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

static void print_critical_row(const struct measure_waits *waits,
	const struct measure_critical_row *row, uint64_t length, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT];
	const int printed =
		fprintf(out, "%8s %6.1f  ", measure_waits_seconds(waits, row->ticks, text),
			measure_waits_percent(row->ticks, length));

	measure_waits_print_path(waits, row->path, MEASURE_REPORT_COLUMNS - printed, out);
	fputc('\n', out);
}

/* One location alone is on it all the time. */
static void print_critical(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out)
{
	const struct measure_critical_path *critical = &facts->waits->root_causes->critical;
	const struct measure_critical_row **rows;

	if (critical->nr_segments < 2)
		return;
	rows = measure_zeroed(critical->nr_rows, sizeof(*rows));
	for (size_t i = 0; i < critical->nr_rows; i++)
		rows[i] = &critical->rows[i];
	if (critical->nr_rows > 0)
		qsort(rows, critical->nr_rows, sizeof(*rows), compare_critical);
	print_title(style, "    time      %  critical path: what determines the run time", out);
	for (size_t i = 0; i < critical->nr_rows && i < MOST_CRITICAL; i++)
		print_critical_row(facts->waits, rows[i], critical->last - critical->first, out);
	measure_free(rows);
}

/* ----------------------------------------------------------------------- communication --- */

static uint64_t column_sum(
	const struct measure_profile *profile, enum measure_table_name name, unsigned column)
{
	const struct measure_profile_table *table = &profile->tables[name];
	const uint32_t width = measure_profile_table_width(name);
	const uint32_t first = measure_tables[name].first_column;
	uint64_t sum = 0;

	for (size_t i = 0; i < table->nr; i++)
		sum += table->values[i * width + column - first];
	return sum;
}

/* The row with the largest value; SIZE_MAX: there is none. */
static size_t largest_row(
	const struct measure_profile_table *table, enum measure_table_name name, unsigned column)
{
	const uint32_t width = measure_profile_table_width(name);
	const uint32_t at = column - measure_tables[name].first_column;
	size_t largest = SIZE_MAX;

	for (size_t i = 0; i < table->nr; i++)
		if (largest == SIZE_MAX ||
			table->values[i * width + at] > table->values[largest * width + at])
			largest = i;
	return largest;
}

static void print_key(const struct measure_profile *profile, enum measure_table_name name,
	size_t row, unsigned part, int columns, FILE *out)
{
	const struct measure_key *key = &profile->tables[name].keys[row];
	char buffer[MEASURE_REPORT_NAME];

	measure_report_name(out,
		measure_key_text(profile, measure_tables[name].kinds[part],
			part == 0 ? key->high : key->low, buffer, sizeof(buffer)),
		columns);
}

static void print_messages(const struct measure_profile *profile, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_MESSAGES];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_MESSAGES);
	const size_t most =
		largest_row(table, MEASURE_TABLE_MESSAGES, MEASURE_COLUMN_MESSAGES_BYTES);
	const uint64_t nr =
		column_sum(profile, MEASURE_TABLE_MESSAGES, MEASURE_COLUMN_MESSAGES_COUNT);
	char all[MEASURE_FIGURE_TEXT], text[MEASURE_FIGURE_TEXT];

	if (most == SIZE_MAX)
		return;
	fprintf(out, "messages     %s, %s; most from ", measure_figure(nr),
		measure_figure_size(
			column_sum(profile, MEASURE_TABLE_MESSAGES, MEASURE_COLUMN_MESSAGES_BYTES),
			all));
	print_key(profile, MEASURE_TABLE_MESSAGES, most, 0, 14, out);
	fputs(" to ", out);
	print_key(profile, MEASURE_TABLE_MESSAGES, most, 1, 14, out);
	fprintf(out, " (%s)\n",
		measure_figure_size(
			measure_cell(&table->values[most * width], MESSAGES, BYTES), text));
}

static void print_collectives(const struct measure_profile *profile, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_COLLECTIVES];
	const size_t most =
		largest_row(table, MEASURE_TABLE_COLLECTIVES, MEASURE_COLUMN_COLLECTIVES_TICKS);
	char time[MEASURE_FIGURE_TEXT];

	if (most == SIZE_MAX)
		return;
	fprintf(out, "collectives  %s calls, %s; most of it in ",
		measure_figure(column_sum(
			profile, MEASURE_TABLE_COLLECTIVES, MEASURE_COLUMN_COLLECTIVES_CALLS)),
		seconds_text(profile,
			column_sum(profile, MEASURE_TABLE_COLLECTIVES,
				MEASURE_COLUMN_COLLECTIVES_TICKS),
			time));
	print_key(profile, MEASURE_TABLE_COLLECTIVES, most, 0, 24, out);
	fputc('\n', out);
}

static void print_files(const struct measure_profile *profile, FILE *out)
{
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_FILES];
	const size_t most = largest_row(table, MEASURE_TABLE_FILES, MEASURE_COLUMN_FILES_TICKS);
	char read[MEASURE_FIGURE_TEXT], written[MEASURE_FIGURE_TEXT], time[MEASURE_FIGURE_TEXT];

	if (most == SIZE_MAX)
		return;
	fprintf(out, "files        %s, read %s, wrote %s; longest ",
		seconds_text(profile,
			column_sum(profile, MEASURE_TABLE_FILES, MEASURE_COLUMN_FILES_TICKS), time),
		measure_figure_size(
			column_sum(profile, MEASURE_TABLE_FILES, MEASURE_COLUMN_FILES_BYTES_READ),
			read),
		measure_figure_size(column_sum(profile, MEASURE_TABLE_FILES,
					    MEASURE_COLUMN_FILES_BYTES_WRITTEN),
			written));
	print_key(profile, MEASURE_TABLE_FILES, most, 0, 24, out);
	fputc('\n', out);
}

static void print_memory(const struct measure_profile *profile, FILE *out)
{
	const uint64_t allocations =
		column_sum(profile, MEASURE_TABLE_VALUES, MEASURE_COLUMN_VALUES_ALLOCATIONS);
	char text[MEASURE_FIGURE_TEXT], released[MEASURE_FIGURE_TEXT];

	if (allocations == 0)
		return;
	fprintf(out, "memory       %s allocations of %s; released %s\n",
		measure_figure(allocations),
		measure_figure_size(column_sum(profile, MEASURE_TABLE_VALUES,
					    MEASURE_COLUMN_VALUES_BYTES_ALLOCATED),
			text),
		measure_figure_size(column_sum(profile, MEASURE_TABLE_VALUES,
					    MEASURE_COLUMN_VALUES_BYTES_RELEASED),
			released));
}

static void print_clocks(const struct measure_waits *waits, FILE *out)
{
	const struct measure_waits_clocks *clocks = &waits->clocks;
	char text[MEASURE_FIGURE_TEXT];

	if (clocks->violations == 0)
		return;
	fprintf(out, "clocks       %s events before others they depend on, by up to %s; %s\n",
		measure_figure(clocks->violations),
		measure_waits_seconds(waits, clocks->worst, text),
		clocks->is_corrected ? "corrected" : "not corrected");
}

/* A table would be mostly empty: a line for each kind. */
static void print_traffic(const struct measure_report_text_facts *facts, FILE *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		measure_out_of_memory();
	print_messages(facts->profile, memory);
	print_collectives(facts->profile, memory);
	print_files(facts->profile, memory);
	print_memory(facts->profile, memory);
	if (facts->waits)
		print_clocks(facts->waits, memory);
	fclose(memory);
	if (size > 0)
		fprintf(out, "\n%s", text);
	free(text);
}

void measure_report_text_print(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out)
{
	measure_report_highlight(style->is_coloured);
	measure_profile_print_head(facts->profile, out);
	if (facts->waits)
		measure_report_strips_print(facts, style, out);
	print_functions(facts, style, out);
	if (facts->waits) {
		measure_efficiency_print_short(facts->waits, facts->efficiency, out);
		print_waits(facts, style, out);
		print_critical(facts, style, out);
	}
	print_traffic(facts, out);
}
