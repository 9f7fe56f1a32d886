/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A time line in text: for each process a line of characters, each of what it did most in a part of
 * the run. Many processes share lines. */
#include "config.h"

#include <string.h>

#include "analysis/pyramid/pyramid.h"
#include "analysis/report/profile_report.h"
#include "analysis/waits/waits_figures.h"
#include "base/printable.h"
#include "report_text.h"

#define MOST_LINES  16
#define LEAST_BUSY  10 /* of so many parts one is */
#define NAME_WIDTH  15
#define NAME_TEXT   64
#define STRIP_WIDTH (MEASURE_REPORT_COLUMNS - NAME_WIDTH - 1)

enum strip_mark {
#define STRIP_MARK(NAME, ...) STRIP_##NAME,
#define STRIP_CLASS(...)
#include "strip_marks.def"
#undef STRIP_MARK
#undef STRIP_CLASS
	NR_STRIP_MARKS
};

static const struct {
	const char *text, *utf8, *ascii, *colour;
} strip_marks[NR_STRIP_MARKS] = {
#define STRIP_MARK(NAME, text, utf8, ascii, colour) {text, utf8, ascii, colour},
#define STRIP_CLASS(...)
#include "strip_marks.def"
#undef STRIP_MARK
#undef STRIP_CLASS
};

static const uint8_t marks_of_classes[MEASURE_NR_STATE_CLASSES] = {
#define STRIP_MARK(...)
#define STRIP_CLASS(CLASS, NAME) [MEASURE_STATE_##CLASS] = STRIP_##NAME,
#include "strip_marks.def"
#undef STRIP_MARK
#undef STRIP_CLASS
};

/* Ticks of the page by column and mark. */
struct strip {
	uint64_t ticks[STRIP_WIDTH][NR_STRIP_MARKS];
};

struct strips {
	const struct measure_report_text_style *style;
	struct measure_pyramid pyramid;
	bool is_used[NR_STRIP_MARKS];
};

/* ------------------------------------------------------------------------------- sums --- */

static void strip_add_bin(uint64_t *marks, const uint64_t *classes)
{
	uint64_t waiting = classes[MEASURE_PYRAMID_WAITING];

	for (int i = 0; i < MEASURE_NR_STATE_CLASSES; i++) {
		const uint8_t mark = marks_of_classes[i];
		uint64_t ticks = classes[i];

		/* waiting is part of calls that can wait */
		if (mark == STRIP_MPI || mark == STRIP_OPENMP || mark == STRIP_THREADS) {
			const uint64_t part = waiting < ticks ? waiting : ticks;

			marks[STRIP_WAITING] += part;
			waiting -= part;
			ticks -= part;
		}
		marks[mark] += ticks;
	}
}

/* A bin counts where its begin is: there are many to a column. */
static void strip_add(
	struct strip *strip, const struct strips *strips, const struct measure_pyramid_group *group)
{
	const uint64_t length = strips->pyramid.length;

	for (uint64_t i = 0; i < group->nr_bins && length > 0; i++) {
		const unsigned __int128 begin = (unsigned __int128)i << group->level;
		const uint64_t column = (uint64_t)(begin * STRIP_WIDTH / length);

		strip_add_bin(strip->ticks[column < STRIP_WIDTH ? column : STRIP_WIDTH - 1],
			&group->ticks[i * MEASURE_PYRAMID_NR_COLUMNS]);
	}
}

static unsigned most_of_marks(const uint64_t *ticks, unsigned first, unsigned end)
{
	unsigned most = first;

	for (unsigned i = first + 1; i < end; i++)
		if (ticks[i] > ticks[most])
			most = i;
	return most;
}

/* NR_STRIP_MARKS: it did not exist. Threads that idle do not hide what the others do. */
static unsigned strip_most(const uint64_t *ticks)
{
	const unsigned busy = most_of_marks(ticks, 0, STRIP_IDLE);
	const unsigned idle = most_of_marks(ticks, STRIP_IDLE, NR_STRIP_MARKS);

	if (ticks[busy] + ticks[idle] == 0)
		return NR_STRIP_MARKS;
	return ticks[busy] >= ticks[idle] / LEAST_BUSY ? busy : idle;
}

/* ---------------------------------------------------------------------------- printing --- */

static void print_mark(const struct measure_report_text_style *style, unsigned mark, FILE *out)
{
	fputs(style->is_utf8 ? strip_marks[mark].utf8 : strip_marks[mark].ascii, out);
}

static void print_strip(
	struct strips *strips, const struct strip *strip, const char *name, FILE *out)
{
	const struct measure_report_text_style *style = strips->style;
	unsigned last = NR_STRIP_MARKS;

	fprintf(out, "%-*.*s ", NAME_WIDTH, NAME_WIDTH, name);
	for (size_t i = 0; i < STRIP_WIDTH; i++) {
		const unsigned mark = strip_most(strip->ticks[i]);

		if (style->is_coloured && mark != last && mark < NR_STRIP_MARKS)
			fprintf(out, "\033[%sm", strip_marks[mark].colour);
		last = mark;
		if (mark == NR_STRIP_MARKS) {
			fputc(' ', out);
			continue;
		}
		strips->is_used[mark] = true;
		print_mark(style, mark, out);
	}
	fputs(style->is_coloured ? "\033[0m\n" : "\n", out);
}

static void print_legend(const struct strips *strips, FILE *out)
{
	const struct measure_report_text_style *style = strips->style;

	fprintf(out, "%*s", NAME_WIDTH, "");
	for (unsigned i = 0; i < NR_STRIP_MARKS; i++) {
		if (!strips->is_used[i])
			continue;
		fputs(style->is_coloured ? " \033[" : " ", out);
		if (style->is_coloured)
			fprintf(out, "%sm", strip_marks[i].colour);
		print_mark(style, i, out);
		fprintf(out, "%s %s", style->is_coloured ? "\033[0m" : "", strip_marks[i].text);
	}
	fputc('\n', out);
}

static void print_axis(const struct measure_report_text_facts *facts, FILE *out)
{
	const struct measure_profile *profile = facts->profile;
	char end[MEASURE_FIGURE_TEXT];

	fprintf(out, "%*s 0 s%*s\n", NAME_WIDTH, "", STRIP_WIDTH - 3,
		measure_figure_seconds(measure_trace_seconds(profile->trace, profile->last), end));
}

/* In the buffer: that of the first process, and how many follow; of a long one the end. */
static const char *strip_name(const struct measure_report_text_facts *facts, size_t first,
	size_t last, char buffer[NAME_TEXT])
{
	const struct measure_definitions *definitions = &facts->trace->definitions;
	const char *name = MEASURE_PRINTABLE(
		measure_text(definitions, definitions->location_groups[first].name));
	const size_t room = first < last ? NAME_WIDTH - 6 : NAME_WIDTH;
	const bool is_whole = strlen(name) <= room;
	const int length = snprintf(buffer, NAME_TEXT, "%s%.*s", is_whole ? "" : "...", NAME_WIDTH,
		measure_text_end(name, is_whole ? room : room - 3));

	if (first < last)
		snprintf(buffer + length, NAME_TEXT - (size_t)length, " +%zu", last - first);
	return buffer;
}

static void print_processes(
	struct strips *strips, const struct measure_report_text_facts *facts, FILE *out)
{
	const size_t nr = strips->pyramid.nr_processes;
	const size_t each = nr > 0 ? (nr + MOST_LINES - 1) / MOST_LINES : 1;
	char name[NAME_TEXT];

	for (size_t first = 0; first < nr; first += each) {
		struct strip strip = {0};
		const size_t end = first + each < nr ? first + each : nr;

		for (size_t i = first; i < end; i++)
			strip_add(&strip, strips, &strips->pyramid.processes[i]);
		print_strip(strips, &strip, strip_name(facts, first, end - 1, name), out);
	}
}

void measure_report_strips_print(const struct measure_report_text_facts *facts,
	const struct measure_report_text_style *style, FILE *out)
{
	const struct measure_pyramid_options options = {.nr_threads = facts->nr_threads,
		.shift = measure_pyramid_shift(facts->profile),
		.most_bins = 1,
		.waits = facts->waits};
	struct strips strips = {.style = style};

	/* what cannot be read is missing: whoever has read the waits has said so */
	measure_pyramid_read(facts->trace, facts->profile, &options, &strips.pyramid);
	if (strips.pyramid.length > 0) {
		fputs("\nmost of the time, from begin to end\n", out);
		print_processes(&strips, facts, out);
		print_axis(facts, out);
		print_legend(&strips, out);
	}
	measure_pyramid_free(&strips.pyramid);
}
