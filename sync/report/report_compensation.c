/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What compensation removed, by location and region, and how far to believe the result. */
#include "config.h"

#include <stdlib.h>

#include "base/printable.h"
#include "cli/json_text.h"
#include "report.h"
#include "trace/common/containers.h"

/* Lines of a table. */
#define MOST_LINES 10

/* A location that recording has slowed down by more than this share of its time. */
#define DOUBTFUL_SHARE 0.2

struct compensated_line {
	uint32_t index; /* location or region */
	uint64_t removed;
	double share; /* of its time */
};

struct compensated_lines {
	struct compensated_line *items;
	size_t nr, room;
	uint64_t removed, hidden; /* of all locations */
	double worst;             /* share */
	uint32_t nr_doubtful, nr_polling, nr_scheduled;
};

static int compare_lines(const void *left, const void *right)
{
	const struct compensated_line *a = left, *b = right;

	if (a->removed != b->removed)
		return a->removed < b->removed ? 1 : -1;
	return (a->index > b->index) - (a->index < b->index);
}

static struct compensated_lines list_locations(const struct sync_run *run)
{
	struct compensated_lines lines = {NULL, 0, 0, 0, 0, 0, 0, 0, 0};

	for (uint32_t i = 0; i < run->trace->definitions.nr_locations; i++) {
		const struct measure_compensation_location *location =
			&run->compensation.locations[i];
		const uint64_t span = location->last - location->first;
		const double share = span ? (double)location->removed / (double)span : 0;

		lines.removed += location->removed;
		lines.hidden += location->hidden;
		lines.worst = share > lines.worst ? share : lines.worst;
		lines.nr_doubtful += share > DOUBTFUL_SHARE;
		lines.nr_polling += location->is_polling;
		lines.nr_scheduled += location->is_scheduled;
		*measure_append_item(&lines) =
			(struct compensated_line){i, location->removed, share};
	}
	return lines;
}

static struct compensated_lines list_regions(const struct sync_run *run)
{
	struct compensated_lines lines = {NULL, 0, 0, 0, 0, 0, 0, 0, 0};

	for (uint32_t i = 0; i < run->trace->definitions.nr_regions; i++)
		if (run->compensation.regions[i] > 0)
			*measure_append_item(&lines) =
				(struct compensated_line){i, run->compensation.regions[i], 0};
	qsort(lines.items, lines.nr, sizeof(*lines.items), compare_lines);
	return lines;
}

static double compensated_seconds(const struct sync_run *run, uint64_t ticks)
{
	return sync_report_seconds(run, (measure_wide_t)ticks);
}

/* --------------------------------------------------------------------------- text --- */

static void print_lines(const struct sync_run *run, const struct compensated_lines *lines,
	bool are_locations, FILE *file)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	for (size_t i = 0; i < lines->nr && i < MOST_LINES; i++) {
		const struct compensated_line *line = &lines->items[i];

		fprintf(file, "    %12.6f s", compensated_seconds(run, line->removed));
		if (are_locations)
			fprintf(file, "  %5.1f %%", 100 * line->share);
		fprintf(file, "  %s\n",
			MEASURE_PRINTABLE(
				are_locations ? measure_name_of_location(definitions, line->index)
					      : measure_name_of_region(definitions, line->index)));
	}
	if (lines->nr > MOST_LINES)
		fprintf(file, "    and %zu more\n", lines->nr - MOST_LINES);
}

static void print_belief(
	const struct sync_run *run, const struct compensated_lines *lines, FILE *file)
{
	if (lines->nr_doubtful > 0)
		fprintf(file,
			"  warning: recording took more than %.0f %% of the time of %u locations:\n"
			"    record less\n",
			100 * DOUBTFUL_SHARE, lines->nr_doubtful);
	if (lines->nr_polling > 0)
		fprintf(file,
			"  approximate: %u locations poll, which a faster run would do less or "
			"more\n    often\n",
			lines->nr_polling);
	if (lines->nr_scheduled > 0)
		fprintf(file,
			"  approximate: %u locations execute tasks, which another run may hand "
			"out\n    in another way\n",
			lines->nr_scheduled);
	if (run->compensation.nr_relaxed > 0)
		fprintf(file, "  %llu receives skipped: they come before what was sent to them\n",
			sync_report_number(run->compensation.nr_relaxed));
}

static void print_sums(
	const struct sync_run *run, const struct compensated_lines *locations, FILE *file)
{
	fprintf(file,
		"  compensated (%s): %.6f s instead of %.6f s\n  %.6f s of recording removed from "
		"%zu location%s,\n  at most %.1f %% of the time of one\n  costs of events: %s\n",
		measure_compensation_word(run->compensation.list.method),
		compensated_seconds(run, run->emission.last - run->emission.first),
		compensated_seconds(run, run->compensation.span),
		compensated_seconds(run, locations->removed), locations->nr,
		locations->nr == 1 ? "" : "s", 100 * locations->worst,
		MEASURE_PRINTABLE(run->costs->processor));
	if (locations->hidden > 0)
		fprintf(file, "  %.6f s more were hidden by waiting\n",
			compensated_seconds(run, locations->hidden));
}

void sync_report_compensation_head(const struct sync_run *run, FILE *file)
{
	struct compensated_lines locations = list_locations(run);

	print_sums(run, &locations, file);
	print_belief(run, &locations, file);
	measure_free(locations.items);
}

void sync_report_compensation_text(const struct sync_run *run, FILE *file)
{
	struct compensated_lines locations, regions;

	if (!run->compensation.graph)
		return;
	locations = list_locations(run);
	regions = list_regions(run);
	qsort(locations.items, locations.nr, sizeof(*locations.items), compare_lines);
	putc('\n', file);
	print_sums(run, &locations, file);
	print_lines(run, &locations, true, file);
	fputs("  in the regions\n", file);
	print_lines(run, &regions, false, file);
	print_belief(run, &locations, file);
	measure_free(locations.items);
	measure_free(regions.items);
}

/* --------------------------------------------------------------------------- JSON --- */

/* Of the last event, as it was recorded: seconds since 1970; 0: the archive does not know it. */
static double find_end(const struct sync_run *run)
{
	const struct measure_clock *clock = &run->trace->definitions.clock;
	uint64_t last = clock->offset;

	if (clock->realtime == UINT64_MAX)
		return 0;
	for (uint32_t i = 0; i < run->trace->definitions.nr_locations; i++)
		if (run->compensation.locations[i].last > last)
			last = run->compensation.locations[i].last;
	return (double)clock->realtime * 1e-9 + compensated_seconds(run, last - clock->offset);
}

static void print_items(const struct sync_run *run, const char *name,
	const struct compensated_lines *lines, bool are_locations, FILE *file)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	fprintf(file, ",\n    \"%s\": [", name);
	for (size_t i = 0; i < lines->nr; i++) {
		const struct compensated_line *line = &lines->items[i];
		const struct measure_compensation_location *location =
			&run->compensation.locations[line->index];

		fprintf(file, "%s\n      {\"name\": ", i ? "," : "");
		measure_json_text(file, are_locations
						? measure_name_of_location(definitions, line->index)
						: measure_name_of_region(definitions, line->index));
		fprintf(file, ", \"removed\": %.12g", compensated_seconds(run, line->removed));
		if (are_locations)
			fprintf(file, ", \"span\": %.12g, \"ratio\": %.12g",
				compensated_seconds(run, location->last - location->first),
				line->share);
		putc('}', file);
	}
	putc(']', file);
}

void sync_report_compensation_json(const struct sync_run *run, FILE *file)
{
	struct compensated_lines locations, regions;

	if (!run->compensation.graph)
		return;
	locations = list_locations(run);
	regions = list_regions(run);
	fprintf(file, ",\n  \"compensation\": {\"method\": \"%s\", \"costs\": ",
		measure_compensation_word(run->compensation.list.method));
	measure_json_text(file, run->costs->processor);
	fprintf(file,
		",\n    \"removed\": %.12g, \"hidden\": %.12g, \"skipped\": %llu, \"before\": "
		"%.12g, \"after\": %.12g, \"ended\": %.6f",
		compensated_seconds(run, locations.removed),
		compensated_seconds(run, locations.hidden),
		sync_report_number(run->compensation.nr_relaxed),
		compensated_seconds(run, run->compensation.span),
		compensated_seconds(run, run->emission.last - run->emission.first), find_end(run));
	print_items(run, "locations", &locations, true, file);
	print_items(run, "regions", &regions, false, file);
	fprintf(file, ",\n    \"approximate\": [%s%s%s]}",
		locations.nr_polling > 0 ? "\"polls\"" : "",
		locations.nr_polling > 0 && locations.nr_scheduled > 0 ? ", " : "",
		locations.nr_scheduled > 0 ? "\"tasks\"" : "");
	measure_free(locations.items);
	measure_free(regions.items);
}
