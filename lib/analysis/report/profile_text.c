/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A profile as text for a terminal, 80 columns wide: the table that was asked for, then what
 * the program sent, locked, read and wrote. */
#include "config.h"

#include "profile_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/figures.h"
#include "base/printable.h"
#include "base/short_names.h"

#define NAME_TEXT  256
#define LEAST_NAME 12 /* columns of a name, however many others there are */

static const char *seconds_text(
	const struct measure_profile *profile, uint64_t ticks, char text[MEASURE_FIGURE_TEXT])
{
	return measure_figure_seconds(measure_profile_seconds(profile, ticks), text);
}

static bool is_highlighted;

void measure_report_highlight(bool is_on)
{
	is_highlighted = is_on;
}

/* A line of titles. */
static void print_title_line(FILE *out, const char *text)
{
	fprintf(out, "%s%s%s\n", is_highlighted ? "\033[1m" : "", text,
		is_highlighted ? "\033[0m" : "");
}

void measure_report_name(FILE *out, const char *name, int columns)
{
	const char *shown = MEASURE_PRINTABLE(name);
	const size_t room = columns < LEAST_NAME ? LEAST_NAME : (size_t)columns;

	if (strlen(shown) <= room)
		fputs(shown, out);
	else
		fprintf(out, "...%s", measure_text_end(shown, room - 3));
}

/* The end of a name of Python, or the beginning of that if it is too long. */
static void print_end_of_python(FILE *out, const char *end, size_t room)
{
	size_t length = strlen(end);

	if (length + 3 <= room) {
		fprintf(out, "...%s", end);
	} else if (length <= room) {
		fputs(end, out);
	} else {
		for (length = room - 3; ((unsigned char)end[length] & 0xc0) == 0x80;)
			length--;
		fprintf(out, "%.*s...", (int)length, end);
	}
}

void measure_report_functions(FILE *out, const char *names, int columns)
{
	const size_t room = columns < LEAST_NAME ? LEAST_NAME : (size_t)columns;
	char *shorter = strdup(names);
	const char *end = NULL;

	if (shorter && columns > 0)
		measure_shorten_names(shorter, (size_t)columns + 1);
	if (shorter && strlen(shorter) > room && strcmp(MEASURE_PRINTABLE(shorter), shorter) == 0)
		end = measure_name_of_python_end(shorter, room - 3);
	if (end)
		print_end_of_python(out, end, room);
	else
		measure_report_name(out, shorter ? shorter : names, columns);
	free(shorter);
}

const char *measure_report_location(const struct measure_profile *profile, uint32_t location)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;

	if (definitions->nr_location_groups == 1 && location < definitions->nr_locations)
		return measure_text(definitions, definitions->locations[location].name);
	return measure_name_of_location(definitions, location);
}

/* -------------------------------------------------------------------------- head --- */

/* Of a run whose last events were kept. */
static void print_kept(const struct measure_profile *profile, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	uint64_t nr_events = 0;

	if (!profile->trace->findings->has_lost_begins)
		return;
	for (size_t i = 0; i < definitions->nr_locations; i++)
		nr_events += definitions->locations[i].nr_events;
	if (nr_events < profile->nr_events)
		fprintf(out,
			"the whole run; the archive has the last %s events (--from, --until)\n",
			measure_figure(nr_events));
}

void measure_profile_print_head(const struct measure_profile *profile, FILE *out)
{
	const struct measure_definitions *definitions = &profile->trace->definitions;
	const uint64_t span = profile->last > profile->first ? profile->last - profile->first : 0;
	char text[MEASURE_FIGURE_TEXT];

	fprintf(out, "%s\n", MEASURE_PRINTABLE(measure_trace_name(profile->trace)));
	fprintf(out, "%zu process%s, %" PRIu32 " location%s, %s events, %s\n",
		definitions->nr_processes, definitions->nr_processes == 1 ? "" : "es",
		profile->nr_locations, profile->nr_locations == 1 ? "" : "s",
		measure_figure(profile->nr_events), seconds_text(profile, span, text));
	print_kept(profile, out);
}

static void print_fault(uint64_t nr, const char *one, const char *several, FILE *out)
{
	if (nr > 0)
		fprintf(out, "%s %s\n", measure_figure(nr), nr == 1 ? one : several);
}

void measure_profile_print_faults(const struct measure_profile *profile, FILE *out)
{
	const struct measure_profile_faults *faults = &profile->faults;

	if (profile->nr_broken)
		fprintf(out, "%" PRIu32 " event file%s could not be read to the end\n",
			profile->nr_broken, profile->nr_broken == 1 ? "" : "s");
	print_fault(faults->unopened, "Leave of a region that was not open, ignored",
		"Leaves of regions that were not open, ignored", out);
	print_fault(faults->repaired, "region without a Leave, ended by that of an outer one",
		"regions without a Leave, ended by that of an outer one", out);
	print_fault(faults->cut, "region still open at the last event, counted until there",
		"regions still open at the last event, counted until there", out);
	print_fault(faults->backward, "event before the one before it, counted at its time",
		"events before the ones before them, counted at their times", out);
}

/* ------------------------------------------------------------------------- tables --- */

static void print_share(FILE *out, uint64_t part, uint64_t all)
{
	fprintf(out, " %5.1f", all ? 100.0 * (double)part / (double)all : 0);
}

static void print_call_row(
	const struct measure_view *view, const struct measure_view_row *row, FILE *out)
{
	const struct measure_profile *profile = view->profile;
	char text[MEASURE_FIGURE_TEXT], name[NAME_TEXT];
	int width = 51;

	fprintf(out, "%9s", seconds_text(profile, row->exclusive, text));
	print_share(out, row->exclusive, view->all);
	if (view->by != MEASURE_BY_PARADIGM)
		fprintf(out, " %9s", seconds_text(profile, row->inclusive, text));
	fprintf(out, " %11s", measure_figure(row->visits));
	if (view->by == MEASURE_BY_PARADIGM) {
		fprintf(out, "  %s\n", measure_view_name(view, row, name, sizeof(name)));
		return;
	}
	fprintf(out, " %8s",
		row->complete ? seconds_text(profile, measure_view_quantile(row, 0.5), text) : "-");
	if (row->locations > 1 && row->most_exclusive)
		fprintf(out, " %3.0f ", 100 * measure_view_imbalance(row));
	else
		fprintf(out, "   - ");
	for (uint32_t i = 0; view->is_tree && i < row->depth && i < 12; i++, width += 1)
		fputc(' ', out);
	measure_report_functions(out, measure_view_name(view, row, name, sizeof(name)),
		MEASURE_REPORT_COLUMNS - width);
	fputc('\n', out);
}

/* Of waits: who makes others wait need not be slow himself. */
static void print_wait_row(
	const struct measure_view *view, const struct measure_view_row *row, FILE *out)
{
	const struct measure_path_waits *waits = &row->waits;
	const uint64_t ticks[] = {row->inclusive, waits->waiting,
		waits->delay_short + waits->delay_long, waits->critical};
	char text[MEASURE_FIGURE_TEXT], name[NAME_TEXT];
	int width = 9 + 6 + 4 * 10 + 1;

	fprintf(out, "%9s", seconds_text(view->profile, row->exclusive, text));
	print_share(out, row->exclusive, view->all);
	for (size_t i = 0; i < sizeof(ticks) / sizeof(*ticks); i++)
		fprintf(out, " %9s", ticks[i] ? seconds_text(view->profile, ticks[i], text) : "-");
	fputc(' ', out);
	for (uint32_t i = 0; view->is_tree && i < row->depth && i < 12; i++, width += 1)
		fputc(' ', out);
	measure_report_functions(out, measure_view_name(view, row, name, sizeof(name)),
		MEASURE_REPORT_COLUMNS - width);
	fputc('\n', out);
}

/* Of the shares of a group, in per cent: at least "100.0". */
static int group_width(int group)
{
	const int width = (int)strlen(measure_group_words[group]);

	return width > 5 ? width : 5;
}

static void print_share_row(
	const struct measure_view *view, const struct measure_view_row *row, FILE *out)
{
	char text[MEASURE_FIGURE_TEXT], name[NAME_TEXT];
	int width = 9 + 2;

	fprintf(out, "%9s",
		seconds_text(view->profile,
			view->by == MEASURE_BY_PHASE ? row->inclusive : row->exclusive, text));
	for (int group = 0; group < MEASURE_NR_GROUPS; group++)
		if (view->groups[group])
			width += fprintf(out, " %*.1f", group_width(group),
				row->exclusive ? 100.0 * (double)row->groups[group] /
							 (double)row->exclusive
					       : 0);
	if (view->by == MEASURE_BY_PHASE)
		width += fprintf(out, " %9s", measure_figure(row->visits));
	fputs("  ", out);
	measure_report_name(out, measure_view_name(view, row, name, sizeof(name)),
		MEASURE_REPORT_COLUMNS - width);
	fputc('\n', out);
}

static bool has_waits(const struct measure_view *view)
{
	return view->profile->waits &&
	       (view->by == MEASURE_BY_REGION || view->by == MEASURE_BY_PATH);
}

static bool has_shares(const struct measure_view *view)
{
	return view->by == MEASURE_BY_PROCESS || view->by == MEASURE_BY_LOCATION ||
	       view->by == MEASURE_BY_PHASE;
}

static void print_titles(const struct measure_view *view, FILE *out)
{
	static const char *const heads[MEASURE_NR_VIEWS] = {
		"     self     %     total      visits   median  imb region",
		"     self     %     total      visits   median  imb call path",
		"     self     %      visits  paradigm"};
	static const char *const wait_heads[] = {
		"     self     %     total   waiting    delays  critical region",
		"     self     %     total   waiting    delays  critical call path"};

	if (has_waits(view)) {
		print_title_line(out, wait_heads[view->by]);
		return;
	}
	if (!has_shares(view)) {
		print_title_line(out, heads[view->by]);
		return;
	}
	fprintf(out, "groups in %% of the time of the %s\n%9s", measure_view_words[view->by],
		"time");
	for (int group = 0; group < MEASURE_NR_GROUPS; group++)
		if (view->groups[group])
			fprintf(out, " %*s", group_width(group), measure_group_words[group]);
	fprintf(out, "%s  %s\n", view->by == MEASURE_BY_PHASE ? "    visits" : "",
		measure_view_words[view->by]);
}

void measure_view_print(const struct measure_view *view, FILE *out)
{
	if (view->nr_rows == 0) {
		fputs(view->by == MEASURE_BY_PHASE
				? "no phases: mark them with MEASURE_PHASE_BEGIN or "
				  "MEASURE_ITERATION_BEGIN of measure.h\n"
				: "nothing to show\n",
			out);
		return;
	}
	print_titles(view, out);
	for (size_t i = 0; i < view->nr_rows; i++)
		if (has_shares(view))
			print_share_row(view, &view->rows[i], out);
		else if (has_waits(view))
			print_wait_row(view, &view->rows[i], out);
		else
			print_call_row(view, &view->rows[i], out);
	if (view->nr_more > 0)
		fprintf(out, "(%zu more: --top 0 shows all)\n", view->nr_more);
}
