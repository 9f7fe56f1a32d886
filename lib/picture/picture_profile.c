/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of where the time went: by function, by process, and how evenly. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "picture_internal.h"

static const struct measure_profile *picture_profile(const struct measure_picture *picture)
{
	return &picture->facts->waits->profile;
}

static const char *group_text(enum measure_region_group group)
{
	return group == MEASURE_GROUP_COMPUTATION ? "computation" : measure_group_words[group];
}

/* "1.23 s  45.1 %" */
static void bar_set_time(struct measure_bar *bar, const struct measure_profile *profile,
	uint64_t ticks, uint64_t all)
{
	char text[MEASURE_FIGURE_TEXT];

	snprintf(bar->value, sizeof(bar->value), "%s  %.1f %%",
		measure_figure_seconds(measure_profile_seconds(profile, ticks), text),
		all ? 100.0 * (double)ticks / (double)all : 0);
}

/* ------------------------------------------------------------------------- by function --- */

static void profile_add_row(struct measure_bars *bars, const struct measure_view *view,
	const struct measure_view_row *row)
{
	const struct measure_profile *profile = view->profile;
	const enum measure_region_group group = measure_group_of(profile, row->subject);
	const enum measure_ink ink = measure_ink_of_group(group);
	char name[256];
	struct measure_bar *bar =
		measure_bars_add(bars, measure_view_name(view, row, name, sizeof(name)));

	measure_bar_add(bar, measure_profile_seconds(profile, row->exclusive), ink, false);
	measure_bars_explain(bars, ink, false, group_text(group));
	bar_set_time(bar, profile, row->exclusive, view->all);
}

bool measure_picture_draw_profile(struct measure_picture *picture)
{
	const struct measure_view_options options = {
		.by = MEASURE_BY_REGION, .sort = MEASURE_SORT_EXCLUSIVE};
	struct measure_bars bars = {.title = "Time in functions, without what they call",
		.unit = MEASURE_AXIS_SECONDS,
		.rest = "functions",
		.nr_usual = 20};
	struct measure_view view;

	measure_view_make(&view, picture_profile(picture), &options);
	for (size_t i = 0; i < view.nr_rows; i++)
		if (view.rows[i].exclusive > 0)
			profile_add_row(&bars, &view, &view.rows[i]);
	measure_view_free(&view);
	return measure_bars_draw(picture, &bars);
}

/* -------------------------------------------------------------------------- by process --- */

static void balance_add_row(struct measure_bars *bars, const struct measure_view *view,
	const struct measure_view_row *row)
{
	static const enum measure_region_group order[] = {MEASURE_GROUP_COMPUTATION,
		MEASURE_GROUP_MEMORY, MEASURE_GROUP_DEVICE, MEASURE_GROUP_IO, MEASURE_GROUP_MPI, MEASURE_GROUP_OPENMP,
		MEASURE_GROUP_THREADS, MEASURE_GROUP_MEASUREMENT, MEASURE_GROUP_IDLE,
		MEASURE_GROUP_OUTSIDE};
	char name[256];
	struct measure_bar *bar =
		measure_bars_add(bars, measure_view_name(view, row, name, sizeof(name)));
	char text[MEASURE_FIGURE_TEXT];

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		const uint64_t ticks = row->groups[order[i]];
		const enum measure_ink ink = measure_ink_of_group(order[i]);

		if (ticks == 0)
			continue;
		measure_bar_add(bar, measure_profile_seconds(view->profile, ticks), ink, false);
		measure_bars_explain(bars, ink, false, group_text(order[i]));
	}
	snprintf(bar->value, sizeof(bar->value), "%s",
		measure_figure_seconds(
			measure_profile_seconds(view->profile, row->exclusive), text));
}

static int compare_subjects(const void *left, const void *right)
{
	const struct measure_view_row *a = left, *b = right;

	return (a->subject > b->subject) - (a->subject < b->subject);
}

bool measure_picture_draw_balance(struct measure_picture *picture)
{
	const struct measure_view_options options = {
		.by = MEASURE_BY_PROCESS, .sort = MEASURE_SORT_EXCLUSIVE};
	struct measure_bars bars = {.title = "Load balance: time of all threads of each process",
		.unit = MEASURE_AXIS_SECONDS,
		.rest = "processes",
		.nr_usual = 64};
	struct measure_view view;

	measure_view_make(&view, picture_profile(picture), &options);
	if (view.nr_rows > 0)
		qsort(view.rows, view.nr_rows, sizeof(*view.rows), compare_subjects);
	for (size_t i = 0; i < view.nr_rows; i++)
		balance_add_row(&bars, &view, &view.rows[i]);
	measure_view_free(&view);
	return measure_bars_draw(picture, &bars);
}

/* ---------------------------------------------------------------------------- evenness --- */

/* Exclusive time of a region: of the location with least of it, and of that with most. */
struct region_range {
	uint64_t least, most;
	uint32_t location; /* whose sum is open */
	uint64_t sum;
	uint32_t nr_locations;
};

static void range_close(struct region_range *range)
{
	if (range->location == MEASURE_NONE)
		return;
	range->least =
		range->nr_locations == 0 || range->sum < range->least ? range->sum : range->least;
	range->most = range->sum > range->most ? range->sum : range->most;
	range->nr_locations++;
	range->location = MEASURE_NONE;
	range->sum = 0;
}

/* By region of the definitions; to be freed. Rows of a location stand together. */
static struct region_range *find_ranges(const struct measure_profile *profile)
{
	const size_t nr = profile->trace->definitions.nr_regions;
	struct region_range *ranges = measure_zeroed(nr + 1, sizeof(*ranges));

	for (size_t i = 0; i < nr; i++)
		ranges[i].location = MEASURE_NONE;
	for (size_t i = 0; i < profile->nr_rows; i++) {
		const struct measure_profile_row *row = &profile->rows[i];
		const uint32_t region = profile->paths[row->path].region;
		struct region_range *range = &ranges[region < nr ? region : nr];

		if (region >= nr)
			continue;
		if (range->location != row->location)
			range_close(range);
		range->location = row->location;
		range->sum += row->exclusive;
	}
	for (size_t i = 0; i < nr; i++)
		range_close(&ranges[i]);
	return ranges;
}

static void regions_add_row(struct measure_bars *bars, const struct measure_view *view,
	const struct measure_view_row *row, const struct region_range *range)
{
	const struct measure_profile *profile = view->profile;
	const enum measure_ink ink = measure_ink_of_group(measure_group_of(profile, row->subject));
	const double least = measure_profile_seconds(profile, range->least);
	const double most = measure_profile_seconds(profile, range->most);
	char name[256], low[MEASURE_FIGURE_TEXT], high[MEASURE_FIGURE_TEXT];
	struct measure_bar *bar =
		measure_bars_add(bars, measure_view_name(view, row, name, sizeof(name)));

	measure_bar_add(bar, least, ink, false);
	measure_bar_add(bar, most - least, ink, true);
	snprintf(bar->value, sizeof(bar->value), "%s to %s, mean %.0f %% of longest",
		measure_figure_seconds(least, low), measure_figure_seconds(most, high),
		100 * (1 - measure_view_imbalance(row)));
}

bool measure_picture_draw_regions(struct measure_picture *picture)
{
	const struct measure_view_options options = {
		.by = MEASURE_BY_REGION, .sort = MEASURE_SORT_EXCLUSIVE};
	const struct measure_profile *profile = picture_profile(picture);
	struct region_range *ranges = find_ranges(profile);
	struct measure_bars bars = {.title = "Load balance of functions: shortest to longest time "
					     "of a thread",
		.unit = MEASURE_AXIS_SECONDS,
		.rest = "functions",
		.nr_usual = 20};
	struct measure_view view;

	measure_view_make(&view, profile, &options);
	for (size_t i = 0; i < view.nr_rows; i++) {
		const struct measure_view_row *row = &view.rows[i];

		if (row->exclusive > 0 && row->subject < profile->trace->definitions.nr_regions)
			regions_add_row(&bars, &view, row, &ranges[row->subject]);
	}
	measure_view_free(&view);
	measure_free(ranges);
	measure_bars_explain(&bars, MEASURE_INK_COMPUTATION, false, "thread with least time");
	measure_bars_explain(&bars, MEASURE_INK_COMPUTATION, true, "thread with most");
	return measure_bars_draw(picture, &bars);
}
