/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints profiles: as text, CSV, JSON, folded stacks and HTML. doc/profile.md describes the
 * formats. */
#ifndef MEASURE_ANALYSIS_REPORT_PROFILE_REPORT_H
#define MEASURE_ANALYSIS_REPORT_PROFILE_REPORT_H

#include <stdio.h>

#include "profile_view.h"

#define MEASURE_PROFILE_SCHEMA 1 /* version of the JSON; see doc/profile.md */

/* From now on titles are bold: for terminals. */
void measure_report_highlight(bool is_on);

/* A name in so many columns of a line; of a longer one the end: that tells more. */
#define MEASURE_REPORT_COLUMNS 80
void measure_report_name(FILE *out, const char *name, int columns);

/* The same of functions, or of a call path: first without parameters. */
void measure_report_functions(FILE *out, const char *names, int columns);

/* Name of a location; where there is one process only, that of the thread. */
const char *measure_report_location(const struct measure_profile *profile, uint32_t location);

/* Archive, processes, events, time: two lines. */
void measure_profile_print_head(const struct measure_profile *profile, FILE *out);

/* A table with a line of titles. */
void measure_view_print(const struct measure_view *view, FILE *out);
void measure_view_print_csv(const struct measure_view *view, FILE *out);
void measure_view_print_html(const struct measure_view *view, FILE *out);

/* The largest rows of a table of the profile; nothing if it is empty. nr_most: 0: all. */
void measure_profile_table_print(const struct measure_profile *profile,
	enum measure_table_name name, size_t nr_most, FILE *out);
void measure_profile_table_print_csv(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out);

void measure_profile_table_print_html(
	const struct measure_profile *profile, enum measure_table_name name, FILE *out);

/* Longer names are cut at the front where a table is for programs: JSON has all of them. */
#define MEASURE_REPORT_NAME 4096

/* Text of an element or attribute of XML or HTML; a control character, which XML forbids, becomes a
 * blank. */
void measure_print_xml_text(const char *text, FILE *out);

/* A frame of folded stacks: the separators of the format become ':' and blanks, and what is no
 * UTF-8, which would make the picture of it no XML, U+FFFD. */
void measure_print_folded_name(const char *name, FILE *out);

/* A field of RFC 4180. */
void measure_print_csv_text(const char *text, FILE *out);

/* Messages, collectives, locks, files, iterations: the largest of each. */
void measure_profile_print_traffic(const struct measure_profile *profile, FILE *out);

/* What was wrong with the events. */
void measure_profile_print_faults(const struct measure_profile *profile, FILE *out);

/* One object with all there is. */
void measure_profile_print_json(const struct measure_profile *profile, FILE *out);

/* "main;solve;MPI_Send 1234": exclusive nanoseconds by call path, for flame graphs. */
void measure_profile_print_folded(const struct measure_profile *profile, FILE *out);

/* Name of a part of a key; in the buffer if it has to be put together. */
const char *measure_key_text(const struct measure_profile *profile, enum measure_key_kind kind,
	uint64_t word, char *buffer, size_t size);

#endif
