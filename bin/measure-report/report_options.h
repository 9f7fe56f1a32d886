/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-report. */
#ifndef MEASURE_BIN_MEASURE_REPORT_REPORT_OPTIONS_H
#define MEASURE_BIN_MEASURE_REPORT_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "panel_options.h"
#include "picture_options.h"

#define REPORT_MOST_RUNS 2

struct report_options {
	const char *inputs[REPORT_MOST_RUNS];   /* for people: the compensated one is no file */
	const char *archives[REPORT_MOST_RUNS]; /* what is read */
	size_t nr_inputs;
	bool is_compensated; /* the second run is the first one without what recording cost */
	const char *output; /* of the page; NULL: named after the archive */
	const char *title;  /* the same */
	uint64_t size;      /* that the page may have, in characters */
	bool has_size;      /* was given */
	bool is_sync_wanted;
	unsigned nr_threads;
	struct picture_options picture;
	struct panel_options panels;
	bool is_text;    /* a page for terminals */
	uint64_t memory; /* bytes: what arrays have at most; more lies in a file */
};

/* Sets defaults. Threads and memory depend on the launch: set them before parsing. */
void report_options_start(struct report_options *options);

/* -1: go on; otherwise the exit status. */
int report_options_parse(int argc, char **argv, struct report_options *options);

/* Text and pictures are instead of the page, unless it has a name. */
static inline bool report_options_want_page(const struct report_options *options)
{
	return options->output ||
	       (!options->is_text && !picture_options_are_wanted(&options->picture));
}

/* The page has them, and one of the pictures. */
static inline bool report_options_want_tasks(const struct report_options *options)
{
	return report_options_want_page(options) ||
	       (picture_options_are_wanted(&options->picture) &&
		       options->picture.chart == MEASURE_PICTURE_TASKS);
}

#endif
