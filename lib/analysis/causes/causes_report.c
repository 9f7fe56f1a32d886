/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Root causes as text of 80 columns: the call paths that made others wait, and the critical path.
 */
#include "config.h"

#include "causes_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/waits/waits_figures.h"

/* Fewer rows for the tables after the first one; 0: all. */
static size_t fewer(size_t nr_most, size_t divisor)
{
	return (nr_most + divisor - 1) / divisor;
}

/* Ends a line of which nr_printed columns are used. */
static void end_with_path(
	const struct measure_waits *waits, uint32_t path, int nr_printed, FILE *out)
{
	measure_waits_print_path(waits, path, MEASURE_REPORT_COLUMNS - nr_printed, out);
	fputc('\n', out);
}

/* ------------------------------------------------------------------- critical path --- */

static int compare_critical_ticks(const void *left, const void *right)
{
	const struct measure_critical_row *a = left, *b = right;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? 1 : -1;
	return (a->path > b->path) - (a->path < b->path);
}

static int compare_lengths(const void *left, const void *right)
{
	const struct measure_path_segment *a = left, *b = right;
	const uint64_t a_ticks = a->until - a->from, b_ticks = b->until - b->from;

	if (a_ticks != b_ticks)
		return a_ticks < b_ticks ? 1 : -1;
	return (a->from > b->from) - (a->from < b->from);
}

/* A sorted copy. */
static void *sorted_copy(
	const void *items, size_t nr, size_t size, int (*compare)(const void *, const void *))
{
	void *copy = malloc(nr > 0 ? nr * size : 1);

	if (!copy)
		measure_out_of_memory();
	if (nr > 0) {
		memcpy(copy, items, nr * size);
		qsort(copy, nr, size, compare);
	}
	return copy;
}

struct measure_path_segment *measure_longest_segments(
	const struct measure_root_causes *causes, size_t nr_most, size_t *nr)
{
	const struct measure_critical_path *critical = &causes->critical;

	*nr = nr_most > 0 && nr_most < critical->nr_segments ? nr_most : critical->nr_segments;
	return sorted_copy(critical->segments, critical->nr_segments, sizeof(*critical->segments),
		compare_lengths);
}

uint32_t measure_segment_path(const struct measure_root_causes *causes,
	const struct measure_path_segment *segment, uint64_t *ticks)
{
	struct measure_path_times range;
	uint32_t path = 0;

	measure_path_times_start(&range, &causes->timelines);
	measure_timeline_all(
		&causes->timelines, segment->location, segment->from, segment->until, &range);
	for (size_t i = 0; i < range.nr_paths; i++)
		if (range.ticks[range.paths[i]] > range.ticks[path] ||
			(range.ticks[range.paths[i]] == range.ticks[path] && range.paths[i] < path))
			path = range.paths[i];
	*ticks = range.ticks[path];
	measure_path_times_free(&range);
	return path;
}

static void print_critical_rows(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const struct measure_critical_path *critical = &waits->root_causes->critical;
	const uint64_t length = critical->last - critical->first;
	struct measure_critical_row *rows = sorted_copy(
		critical->rows, critical->nr_rows, sizeof(*critical->rows), compare_critical_ticks);
	char time[MEASURE_FIGURE_TEXT], lost[MEASURE_FIGURE_TEXT];
	size_t i = 0;

	fputs("\n    time      %   impact  call path (impact: time that others lose meanwhile)\n",
		out);
	for (; i < critical->nr_rows && measure_waits_is_shown(i, nr_most, rows[i].ticks, length);
		i++)
		end_with_path(waits, rows[i].path,
			fprintf(out, "%8s %6.1f  %7s  ",
				measure_waits_seconds(waits, rows[i].ticks, time),
				measure_waits_percent(rows[i].ticks, length),
				measure_waits_seconds(waits, rows[i].impact, lost)),
			out);
	measure_waits_print_more(critical->nr_rows, i, out);
	free(rows);
}

static void print_segments(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const struct measure_root_causes *causes = waits->root_causes;
	const struct measure_critical_path *critical = &causes->critical;
	const uint64_t length = critical->last - critical->first;
	size_t nr;
	struct measure_path_segment *longest =
		measure_longest_segments(causes, fewer(nr_most, 2), &nr);
	char text[MEASURE_FIGURE_TEXT];

	fputs("\n  length      %  longest segments: call path that takes most of each\n", out);
	for (size_t i = 0; i < nr; i++) {
		const uint64_t ticks = longest[i].until - longest[i].from;
		uint64_t most;
		const uint32_t path = measure_segment_path(causes, &longest[i], &most);
		const int printed =
			fprintf(out, "%8s %6.1f  ", measure_waits_seconds(waits, ticks, text),
				measure_waits_percent(ticks, length));

		end_with_path(waits, path, printed, out);
		fprintf(out, "%*sat %.6f s on ", MEASURE_WAITS_INDENT, "",
			measure_trace_seconds(waits->profile.trace, longest[i].from));
		measure_report_name(
			out, measure_report_location(&waits->profile, longest[i].location), 38);
		fputc('\n', out);
	}
	measure_waits_print_more(critical->nr_segments, nr, out);
	free(longest);
}

static void print_critical_path(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const struct measure_critical_path *critical = &waits->root_causes->critical;
	char text[MEASURE_FIGURE_TEXT];

	if (critical->nr_segments == 0)
		return;
	fprintf(out, "\ncritical path: %s, as long as the run; shorten it to shorten the run\n",
		measure_waits_seconds(waits, critical->last - critical->first, text));
	print_critical_rows(waits, nr_most, out);
	if (critical->nr_segments > 1)
		print_segments(waits, nr_most, out);
}

/* ------------------------------------------------------------------------- causes --- */

/* The delay costs of a call path, over all patterns and locations. */
struct delaying_path {
	uint32_t path;
	uint64_t direct, indirect;
	uint32_t location; /* with the highest cost */
	uint64_t most;
};

static int compare_places(const void *left, const void *right)
{
	const struct measure_delay_row *a = left, *b = right;

	if (a->path != b->path)
		return a->path > b->path ? 1 : -1;
	return (a->location > b->location) - (a->location < b->location);
}

static int compare_delaying_paths(const void *left, const void *right)
{
	const struct delaying_path *a = left, *b = right;
	const uint64_t a_ticks = a->direct + a->indirect, b_ticks = b->direct + b->indirect;

	if (a_ticks != b_ticks)
		return a_ticks < b_ticks ? 1 : -1;
	return (a->path > b->path) - (a->path < b->path);
}

/* To be freed with free(). */
static struct delaying_path *sum_by_path(const struct measure_delays *delays, size_t *nr)
{
	struct measure_delay_row *rows =
		sorted_copy(delays->rows, delays->nr_rows, sizeof(*delays->rows), compare_places);
	struct delaying_path *paths = calloc(delays->nr_rows + 1, sizeof(*paths)), *path = paths;
	uint64_t here = 0;

	if (!paths)
		measure_out_of_memory();
	*nr = 0;
	for (size_t i = 0; i < delays->nr_rows; i++) {
		if (i == 0 || rows[i].path != rows[i - 1].path) {
			path = &paths[(*nr)++];
			path->path = rows[i].path;
			here = 0;
		} else if (rows[i].location != rows[i - 1].location) {
			here = 0;
		}
		path->direct += rows[i].short_term;
		path->indirect += rows[i].long_term;
		here += rows[i].short_term + rows[i].long_term;
		if (here > path->most) {
			path->most = here;
			path->location = rows[i].location;
		}
	}
	free(rows);
	return paths;
}

static void print_delaying_path(const struct measure_waits *waits, const struct delaying_path *path,
	uint64_t all, FILE *out)
{
	const uint64_t ticks = path->direct + path->indirect;
	char text[MEASURE_FIGURE_TEXT], share[MEASURE_FIGURE_TEXT];
	const int printed = fprintf(out, "%8s %6.1f  ", measure_waits_seconds(waits, ticks, text),
		measure_waits_percent(ticks, all));

	end_with_path(waits, path->path, printed, out);
	snprintf(share, sizeof(share), " (%.0f %%)", measure_waits_percent(path->most, ticks));
	measure_waits_print_location(waits, "most on", path->location, share, out);
	if (path->indirect > 0)
		fprintf(out, "%*s%s indirectly: those it delayed then delayed others\n",
			MEASURE_WAITS_INDENT, "",
			measure_waits_seconds(waits, path->indirect, text));
}

static void print_delays(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	const struct measure_delays *delays = &waits->root_causes->delays;
	const uint64_t all = measure_delays_total(delays) + delays->unattributed;
	char text[MEASURE_FIGURE_TEXT];
	size_t nr, i = 0;
	struct delaying_path *paths = sum_by_path(delays, &nr);

	if (nr > 1)
		qsort(paths, nr, sizeof(*paths), compare_delaying_paths);
	if (nr > 0)
		fputs("\nroot causes: call paths that made others wait, and the waiting that they "
		      "cost\n\n"
		      "    cost      %  call path\n",
			out);
	for (; i < nr &&
		measure_waits_is_shown(i, nr_most, paths[i].direct + paths[i].indirect, all);
		i++)
		print_delaying_path(waits, &paths[i], all, out);
	measure_waits_print_more(nr, i, out);
	if (nr > 0 && delays->unattributed > 0)
		fprintf(out, "%8s %6.1f  no cause found\n",
			measure_waits_seconds(waits, delays->unattributed, text),
			measure_waits_percent(delays->unattributed, all));
	free(paths);
}

void measure_root_causes_print_text(const struct measure_waits *waits, size_t nr_most, FILE *out)
{
	if (!waits->root_causes)
		return;
	print_delays(waits, fewer(nr_most, 2), out);
	print_critical_path(waits, fewer(nr_most, 2), out);
}
