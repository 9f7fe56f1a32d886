/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Times, shares, call paths and numbers, as the reports of waits, root causes and efficiencies
 * print them. */
#ifndef MEASURE_ANALYSIS_WAITS_WAITS_FIGURES_H
#define MEASURE_ANALYSIS_WAITS_WAITS_FIGURES_H

#include <stdio.h>

#include "base/figures.h"
#include "waits.h"

/* ---------------------------------------------------------------------------- text --- */

#define MEASURE_WAITS_INDENT 18 /* columns before the lines that explain a row */

const char *measure_waits_seconds(
	const struct measure_waits *waits, uint64_t ticks, char text[MEASURE_FIGURE_TEXT]);

/* 0 where there is nothing to have a share of. */
double measure_waits_percent(uint64_t part, uint64_t all);

/* Is row number `row` of a sorted table printed? With nr_most 0 all are; else at most nr_most, and
 * after the first none that would be printed as 0.0 %. */
bool measure_waits_is_shown(size_t row, size_t nr_most, uint64_t ticks, uint64_t all);

/* How many rows were left out, if any. */
void measure_waits_print_more(size_t nr, size_t nr_printed, FILE *out);

/* In so many columns. */
void measure_waits_print_path(
	const struct measure_waits *waits, uint32_t path, int columns, FILE *out);

/* A line that explains a row: a word, the name of the location, a share. */
void measure_waits_print_location(const struct measure_waits *waits, const char *word,
	uint32_t location, const char *share, FILE *out);

/* -------------------------------------------------------------------------- groups --- */

/* Waits by pattern and call path, over all locations. */
struct measure_waits_group {
	const struct measure_wait_row *rows; /* of one pattern and path, by location */
	size_t nr;
	uint64_t ticks, count;
	const struct measure_wait_row *most, *longest;
	uint32_t cause; /* location that most of it was for, or MEASURE_NONE; once it has been found
			 */
	uint64_t cause_ticks;
};

/* Groups of patterns that count as waiting time, the largest first; to be freed by measure_free().
 */
struct measure_waits_group *measure_waits_groups_make(
	const struct measure_waits *waits, size_t *nr);

void measure_waits_group_find_cause(
	const struct measure_waits *waits, struct measure_waits_group *group);

/* ---------------------------------------------------------------------------- JSON --- */

uint64_t measure_waits_ns(const struct measure_waits *waits, uint64_t ticks);

/* Members of an object, each with a comma before it. Ticks are printed as nanoseconds, times as
 * nanoseconds since the start of the trace, the index MEASURE_NONE as null. */
void measure_waits_json_number(FILE *out, const char *name, uint64_t value);
void measure_waits_json_index(FILE *out, const char *name, uint32_t index);
void measure_waits_json_ticks(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t ticks);
void measure_waits_json_time(
	const struct measure_waits *waits, FILE *out, const char *name, uint64_t time);

/* Name of a region; of MEASURE_NONE null. */
void measure_waits_json_region(
	const struct measure_waits *waits, FILE *out, const char *name, uint32_t region);

#endif
