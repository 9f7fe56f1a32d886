/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the reports of waits, root causes and efficiencies share; see waits_figures.h. */
#include "config.h"

#include "waits_figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/profile_report.h"
#include "cli/json_text.h"

#define LEAST_SHOWN 0.05 /* per cent: less would be printed as 0.0 */

const char *measure_waits_seconds(
	const struct measure_waits *waits, uint64_t ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(measure_profile_seconds(&waits->profile, ticks), text);
}

double measure_waits_percent(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

bool measure_waits_is_shown(size_t row, size_t nr_most, uint64_t ticks, uint64_t all)
{
	if (nr_most == 0 || row == 0)
		return true;
	return row < nr_most && measure_waits_percent(ticks, all) >= LEAST_SHOWN;
}

void measure_waits_print_more(size_t nr, size_t nr_printed, FILE *out)
{
	if (nr > nr_printed)
		fprintf(out, "(%s more: --top 0 shows all)\n", measure_figure(nr - nr_printed));
}

void measure_waits_print_path(
	const struct measure_waits *waits, uint32_t path, int columns, FILE *out)
{
	char name[MEASURE_REPORT_NAME];

	measure_report_functions(out,
		measure_key_text(&waits->profile, MEASURE_KEY_PATH, path, name, sizeof(name)),
		columns);
}

void measure_waits_print_location(const struct measure_waits *waits, const char *word,
	uint32_t location, const char *share, FILE *out)
{
	const int printed = fprintf(out, "%*s%s ", MEASURE_WAITS_INDENT, "", word);

	measure_report_name(out, measure_report_location(&waits->profile, location),
		MEASURE_REPORT_COLUMNS - printed - (int)strlen(share));
	fprintf(out, "%s\n", share);
}

/* -------------------------------------------------------------------------- groups --- */

static bool rows_are_of_one_group(
	const struct measure_wait_row *a, const struct measure_wait_row *b)
{
	return a->pattern == b->pattern && a->path == b->path;
}

void measure_waits_group_find_cause(
	const struct measure_waits *waits, struct measure_waits_group *group)
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

static struct measure_waits_group group_make(const struct measure_waits *waits, size_t first)
{
	struct measure_waits_group group = {.rows = &waits->rows[first], .cause = MEASURE_NONE};

	for (size_t i = first;
		i < waits->nr_rows && rows_are_of_one_group(&waits->rows[first], &waits->rows[i]);
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
	const struct measure_waits_group *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return (a->rows > b->rows) - (a->rows < b->rows);
}

struct measure_waits_group *measure_waits_groups_make(const struct measure_waits *waits, size_t *nr)
{
	struct measure_waits_group *groups = measure_zeroed(waits->nr_rows, sizeof(*groups));

	*nr = 0;
	for (size_t i = 0; i < waits->nr_rows;) {
		const struct measure_waits_group group = group_make(waits, i);

		if (measure_wait_patterns[waits->rows[i].pattern].part == MEASURE_WAIT_ADDED)
			groups[(*nr)++] = group;
		i += group.nr;
	}
	if (*nr > 1)
		qsort(groups, *nr, sizeof(*groups), compare_groups);
	return groups;
}

/* ---------------------------------------------------------------------------- JSON --- */

uint64_t measure_waits_ns(const struct measure_waits *waits, uint64_t ticks)
{
	return measure_profile_ns(&waits->profile, ticks);
}

void measure_waits_json_number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ", \"%s\": %" PRIu64, name, value);
}

void measure_waits_json_index(FILE *out, const char *name, uint32_t index)
{
	if (index == MEASURE_NONE)
		fprintf(out, ", \"%s\": null", name);
	else
		measure_waits_json_number(out, name, index);
}

void measure_waits_json_ticks(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t ticks)
{
	measure_waits_json_number(out, name, measure_waits_ns(waits, ticks));
}

void measure_waits_json_time(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t time)
{
	const uint64_t start = waits->profile.trace->definitions.clock.offset;

	measure_waits_json_ticks(waits, out, name, time > start ? time - start : 0);
}

void measure_waits_json_region(
	const struct measure_waits *waits, FILE *out, const char *name, uint32_t region)
{
	fprintf(out, ", \"%s\": ", name);
	if (region == MEASURE_NONE)
		fputs("null", out);
	else
		measure_json_text(out, measure_profile_region_name(&waits->profile, region));
}
