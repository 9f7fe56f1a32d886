/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Charts of efficiencies, wait states and the critical path. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/root_causes.h"
#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_figures.h"
#include "picture_internal.h"

/* ------------------------------------------------------------------------ efficiencies --- */

static void efficiencies_add(
	struct measure_bars *bars, unsigned indent, const char *name, double factor)
{
	struct measure_bar *bar = measure_bars_add(bars, name);

	bar->indent = indent;
	measure_bar_add(bar, factor, MEASURE_INK_COMPUTATION, false);
	measure_bar_add(bar, 1 - factor, MEASURE_INK_IDLE, false);
	snprintf(bar->value, sizeof(bar->value), "%.1f %%", 100 * factor);
}

static void efficiencies_add_mpi(struct measure_bars *bars, const struct measure_factors *factors)
{
	efficiencies_add(bars, 0, "parallel efficiency", factors->parallel);
	efficiencies_add(bars, 1, "load balance", factors->balance);
	efficiencies_add(bars, 1, "communication efficiency", factors->communication);
	efficiencies_add(bars, 2, "serialisation efficiency", factors->serialisation);
	efficiencies_add(bars, 2, "transfer efficiency", factors->transfer);
}

static void efficiencies_add_hybrid(struct measure_bars *bars, const struct measure_hybrid *hybrid)
{
	if (hybrid->nr_threads == 0)
		return;
	efficiencies_add(bars, 0, "with threads: parallel efficiency", hybrid->parallel);
	efficiencies_add(bars, 1, "MPI", hybrid->mpi);
	efficiencies_add(bars, 2, "MPI load balance", hybrid->mpi_balance);
	efficiencies_add(bars, 2, "MPI communication", hybrid->mpi_communication);
	efficiencies_add(bars, 1, "OpenMP", hybrid->openmp);
	efficiencies_add(bars, 2, "OpenMP load balance", hybrid->openmp_balance);
	efficiencies_add(bars, 2, "OpenMP communication", hybrid->openmp_communication);
}

bool measure_picture_draw_efficiencies(struct measure_picture *picture)
{
	const struct measure_efficiency *efficiency = picture->facts->efficiency;
	struct measure_bars bars = {.title = "Efficiencies: each is the product of those below it",
		.unit = MEASURE_AXIS_SHARES,
		.most = 1,
		.rest = "efficiencies"};

	if (efficiency->most_useful > 0 && efficiency->has_model) {
		if (efficiency->nr_processes > 1 || efficiency->hybrid.nr_threads == 0)
			efficiencies_add_mpi(&bars, &efficiency->factors);
		efficiencies_add_hybrid(&bars, &efficiency->hybrid);
	}
	return measure_bars_draw(picture, &bars);
}

/* ------------------------------------------------------------------------------- waits --- */

static void waits_add_group(struct measure_bars *bars, const struct measure_waits *waits,
	const struct measure_waits_group *group)
{
	const struct measure_wait_pattern_info *pattern =
		&measure_wait_patterns[group->rows->pattern];
	char path[MEASURE_REPORT_NAME], text[MEASURE_FIGURE_TEXT];
	struct measure_bar *bar;

	bar = measure_bars_add(bars, measure_key_text(&waits->profile, MEASURE_KEY_PATH,
					     group->rows->path, path, sizeof(path)));
	measure_bar_add(bar, measure_profile_seconds(&waits->profile, group->ticks),
		MEASURE_INK_WAITING, true);
	snprintf(bar->value, sizeof(bar->value), "%s  %.1f %%  %s",
		measure_waits_seconds(waits, group->ticks, text),
		measure_waits_percent(group->ticks, measure_waits_all_ticks(waits)),
		pattern->title);
}

bool measure_picture_draw_waits(struct measure_picture *picture)
{
	const struct measure_waits *waits = picture->facts->waits;
	struct measure_bars bars = {.title = "Wait states: time that calls could not go on",
		.unit = MEASURE_AXIS_SECONDS,
		.are_paths = true,
		.rest = "wait states",
		.nr_usual = 15};
	size_t nr;
	struct measure_waits_group *groups = measure_waits_groups_make(waits, &nr);

	for (size_t i = 0; i < nr; i++)
		waits_add_group(&bars, waits, &groups[i]);
	measure_free(groups);
	return measure_bars_draw(picture, &bars);
}

/* ----------------------------------------------------------------------- critical path --- */

static int compare_critical_rows(const void *left, const void *right)
{
	const struct measure_critical_row *const *a = left, *const *b = right;

	if ((*a)->ticks != (*b)->ticks)
		return (*a)->ticks < (*b)->ticks ? 1 : -1;
	return (*a > *b) - (*a < *b);
}

static void critical_add_row(struct measure_bars *bars, const struct measure_waits *waits,
	const struct measure_critical_row *row, uint64_t length)
{
	const struct measure_profile *profile = &waits->profile;
	const enum measure_region_group group =
		measure_group_of(profile, profile->paths[row->path].region);
	char path[MEASURE_REPORT_NAME], time[MEASURE_FIGURE_TEXT], lost[MEASURE_FIGURE_TEXT];
	struct measure_bar *bar = measure_bars_add(
		bars, measure_key_text(profile, MEASURE_KEY_PATH, row->path, path, sizeof(path)));

	measure_bar_add(bar, measure_profile_seconds(profile, row->ticks),
		measure_ink_of_group(group), false);
	snprintf(bar->value, sizeof(bar->value), "%s  %.1f %%, others lose %s",
		measure_waits_seconds(waits, row->ticks, time),
		measure_waits_percent(row->ticks, length),
		measure_waits_seconds(waits, row->impact, lost));
}

bool measure_picture_draw_critical_path(struct measure_picture *picture)
{
	const struct measure_waits *waits = picture->facts->waits;
	const struct measure_critical_path *critical = &waits->root_causes->critical;
	const struct measure_critical_row **rows = measure_zeroed(critical->nr_rows, sizeof(*rows));
	struct measure_bars bars = {.title = "Critical path: what determines the run time",
		.unit = MEASURE_AXIS_SECONDS,
		.are_paths = true,
		.rest = "call paths",
		.nr_usual = 15};

	for (size_t i = 0; i < critical->nr_rows; i++)
		rows[i] = &critical->rows[i];
	if (critical->nr_rows > 0)
		qsort(rows, critical->nr_rows, sizeof(*rows), compare_critical_rows);
	for (size_t i = 0; i < critical->nr_rows; i++)
		critical_add_row(&bars, waits, rows[i], critical->last - critical->first);
	measure_free(rows);
	return measure_bars_draw(picture, &bars);
}
