/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The summary of an archive: what was recorded, in words for people, and which functions a filter
 * should leave out. All of it is read from the archive and from the measure.cfg beside it. */
#ifndef MEASURE_ANALYSIS_SUMMARY_SUMMARY_H
#define MEASURE_ANALYSIS_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/profile/profile.h"
#include "status.h"

struct measure_summary;

/* Reads the archive at `path`, a directory or an .otf2 file, with so many threads. On failure
 * measure_trace_error() has the reason. */
measure_status_t measure_summary_open(
	const char *path, unsigned nr_threads, struct measure_summary **summary);
void measure_summary_close(struct measure_summary *summary);

/* False: some event files could not be read to their ends. */
bool measure_summary_is_whole(const struct measure_summary *summary);

/* The text of summary.txt. */
void measure_summary_print(struct measure_summary *summary, FILE *out);

/* Rules to try: which regions they keep. */
struct measure_score_filter {
	const char *name; /* to print */
	bool (*is_kept)(void *data, const struct measure_profile *profile, uint32_t region);
	void *data;
};

/* Sizes by region, and what a filter saves: this one, or where it is NULL the suggested one. */
void measure_summary_print_score(
	struct measure_summary *summary, const struct measure_score_filter *filter, FILE *out);

/* The definitions of the archive. */
const struct measure_definitions *measure_summary_definitions(
	const struct measure_summary *summary);

/* Names and values of the archive's properties and, by such names, of what the summary has found
 * out: doc/properties.md. One a line. */
void measure_summary_print_properties(struct measure_summary *summary, FILE *out);

/* One line or two: the regions with the most time, if there are any; what to do next. */
void measure_summary_print_next(struct measure_summary *summary, FILE *out);

/* Writes summary.txt, and suggested.filter where there is something to suggest, beside the archive,
 * each in one piece. On failure errno has the reason. */
measure_status_t measure_summary_write(struct measure_summary *summary);

#endif
