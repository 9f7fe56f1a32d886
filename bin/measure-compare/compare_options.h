/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-compare. */
#ifndef MEASURE_BIN_MEASURE_COMPARE_COMPARE_OPTIONS_H
#define MEASURE_BIN_MEASURE_COMPARE_COMPARE_OPTIONS_H

#include "analysis/compare/comparison.h"

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_JUNIT, COMPARE_FOLDED };

struct compare_list {
	char **paths;
	size_t nr, room;
};

struct compare_options {
	struct compare_list runs[MEASURE_NR_SIDES];
	enum compare_format format;
	struct measure_comparison_options comparison;
	struct measure_rename *renames;
	size_t nr_renames, room_renames;
	size_t nr_most; /* rows of the table; 0: all */
	unsigned nr_threads;
};

/* -1: go on; otherwise the exit status. */
int compare_options_parse(int argc, char **argv, struct compare_options *options);
void compare_options_free(struct compare_options *options);

#endif
