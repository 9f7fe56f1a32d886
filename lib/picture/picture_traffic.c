/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of messages, collectives and files. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "columns.h"
#include "picture_internal.h"

/* -------------------------------------------------------------------------------- bars --- */

/* How a table of the profile becomes bars. */
struct table_chart {
	const char *title, *rest;
	enum measure_table_name table;
	uint32_t ticks, count; /* columns */
	const char *count_word;
	enum measure_ink ink;
};

static int compare_bars(const void *left, const void *right)
{
	const struct measure_bar *a = left, *b = right;
	const double x = a->nr_pieces ? a->pieces[0].value : 0;
	const double y = b->nr_pieces ? b->pieces[0].value : 0;

	return x != y ? (x < y ? 1 : -1) : strcmp(a->name, b->name);
}

static void table_add_bar(struct measure_bars *bars, const struct measure_profile *profile,
	const struct table_chart *chart, size_t row)
{
	const struct measure_table_info *info = &measure_tables[chart->table];
	const struct measure_profile_table *table = &profile->tables[chart->table];
	const uint64_t *values = &table->values[row * measure_profile_table_width(chart->table)];
	const uint64_t count = values[chart->count - info->first_column];
	const double seconds =
		measure_profile_seconds(profile, values[chart->ticks - info->first_column]);
	char first[MEASURE_REPORT_NAME], second[MEASURE_REPORT_NAME];
	char name[2 * MEASURE_REPORT_NAME + 3], text[MEASURE_FIGURE_TEXT];
	struct measure_bar *bar;

	snprintf(name, sizeof(name), "%s, %s",
		measure_key_text(
			profile, info->kinds[0], table->keys[row].high, first, sizeof(first)),
		measure_key_text(
			profile, info->kinds[1], table->keys[row].low, second, sizeof(second)));
	bar = measure_bars_add(bars, name);
	measure_bar_add(bar, seconds, chart->ink, false);
	snprintf(bar->value, sizeof(bar->value), "%s, %s %s", measure_figure_seconds(seconds, text),
		measure_figure(count), chart->count_word);
}

static bool table_draw(struct measure_picture *picture, const struct table_chart *chart)
{
	const struct measure_profile *profile = &picture->facts->waits->profile;
	struct measure_bars bars = {.title = chart->title,
		.unit = MEASURE_AXIS_SECONDS,
		.rest = chart->rest,
		.nr_usual = 20};

	for (size_t i = 0; i < profile->tables[chart->table].nr; i++)
		table_add_bar(&bars, profile, chart, i);
	if (bars.nr_bars > 0)
		qsort(bars.bars, bars.nr_bars, sizeof(*bars.bars), compare_bars);
	return measure_bars_draw(picture, &bars);
}

bool measure_picture_draw_collectives(struct measure_picture *picture)
{
	static const struct table_chart chart = {.title = "Collectives: time of all processes",
		.rest = "collectives",
		.table = MEASURE_TABLE_COLLECTIVES,
		.ticks = MEASURE_COLUMN_COLLECTIVES_TICKS,
		.count = MEASURE_COLUMN_COLLECTIVES_CALLS,
		.count_word = "calls",
		.ink = MEASURE_INK_COLLECTIVE};

	return table_draw(picture, &chart);
}

bool measure_picture_draw_files(struct measure_picture *picture)
{
	static const struct table_chart chart = {.title = "Files: time in operations",
		.rest = "files",
		.table = MEASURE_TABLE_FILES,
		.ticks = MEASURE_COLUMN_FILES_TICKS,
		.count = MEASURE_COLUMN_FILES_OPERATIONS,
		.count_word = "operations",
		.ink = MEASURE_INK_IO};

	return table_draw(picture, &chart);
}

/* ------------------------------------------------------------------------------- sizes --- */

static int compare_columns(const void *left, const void *right)
{
	const struct measure_column *a = left, *b = right;

	return (a->place > b->place) - (a->place < b->place);
}

bool measure_picture_draw_sizes(struct measure_picture *picture)
{
	const struct measure_profile_table *table =
		&picture->facts->waits->profile.tables[MEASURE_TABLE_MESSAGE_SIZES];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_MESSAGE_SIZES);
	struct measure_column_chart chart = {.title = "Messages: how many of at least each size",
		.unit = MEASURE_AXIS_NUMBER,
		.ink = MEASURE_INK_MPI};
	char text[MEASURE_FIGURE_TEXT];

	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *row = &table->values[i * width];
		const uint64_t power = table->keys[i].high;
		struct measure_column *column = measure_append(&chart, columns);

		*column = (struct measure_column){.place = (double)power,
			.value = (double)measure_cell(row, MESSAGE_SIZES, COUNT)};
		/* of sizes from half of that power of two */
		snprintf(column->label, sizeof(column->label), "%s",
			power == 0 ? "empty"
				   : measure_figure_size(UINT64_C(1) << (power - 1), text));
	}
	if (table->nr > 0)
		qsort(chart.columns, chart.nr_columns, sizeof(*chart.columns), compare_columns);
	return measure_columns_draw(picture, &chart);
}

/* -------------------------------------------------------------------------- iterations --- */

/* The path with most time in its iterations; MEASURE_NONE: there is none. */
static uint32_t longest_iterated_path(
	const struct measure_profile *profile, const struct measure_profile_table *table)
{
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_ITERATIONS);
	uint64_t *sums = measure_zeroed(profile->nr_paths, sizeof(*sums));
	uint32_t longest = MEASURE_NONE;

	for (size_t i = 0; i < table->nr; i++)
		sums[table->keys[i].high] +=
			measure_cell(&table->values[i * width], ITERATIONS, TICKS);
	for (uint32_t i = 0; i < profile->nr_paths; i++)
		if (sums[i] > 0 && (longest == MEASURE_NONE || sums[i] > sums[longest]))
			longest = i;
	measure_free(sums);
	return longest;
}

bool measure_picture_draw_iterations(struct measure_picture *picture)
{
	const struct measure_profile *profile = &picture->facts->waits->profile;
	const struct measure_profile_table *table = &profile->tables[MEASURE_TABLE_ITERATIONS];
	const uint32_t width = measure_profile_table_width(MEASURE_TABLE_ITERATIONS);
	const uint32_t path = longest_iterated_path(profile, table);
	char name[MEASURE_REPORT_NAME], title[MEASURE_REPORT_NAME + 64];
	struct measure_column_chart chart = {
		.title = title, .unit = MEASURE_AXIS_SECONDS, .ink = MEASURE_INK_COMPUTATION};

	for (size_t i = 0; i < table->nr; i++) {
		const uint64_t *row = &table->values[i * width];
		const uint64_t visits = measure_cell(row, ITERATIONS, VISITS);
		const double seconds =
			measure_profile_seconds(profile, measure_cell(row, ITERATIONS, TICKS));
		struct measure_column *column;

		if (table->keys[i].high != path || visits == 0)
			continue;
		column = measure_append(&chart, columns);
		*column = (struct measure_column){.place = (double)table->keys[i].low,
			.value = seconds / (double)visits,
			.most = measure_profile_seconds(
				profile, measure_cell(row, ITERATIONS, MOST_TICKS))};
		snprintf(column->label, sizeof(column->label), "%s",
			measure_figure(table->keys[i].low));
	}
	if (path == MEASURE_NONE)
		return false;
	snprintf(title, sizeof(title), "Iterations of %s: mean of all threads, and the longest",
		measure_key_text(profile, MEASURE_KEY_PATH, path, name, sizeof(name)));
	if (chart.nr_columns > 0)
		qsort(chart.columns, chart.nr_columns, sizeof(*chart.columns), compare_columns);
	return measure_columns_draw(picture, &chart);
}
