/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options of measure-report that are about pictures. */
#ifndef MEASURE_BIN_MEASURE_REPORT_PICTURE_OPTIONS_H
#define MEASURE_BIN_MEASURE_REPORT_PICTURE_OPTIONS_H

#include <getopt.h>

#include "analysis/pyramid/named_calls.h"
#include "cli/option_values.h"
#include "picture/picture.h"

#define PICTURE_NR_FORMATS 3

struct picture_options {
	const char *paths[PICTURE_NR_FORMATS]; /* by enum measure_picture_format; NULL: none */
	enum measure_picture_chart chart;
	bool has_chart;
	struct measure_time_bound from, until;
	struct measure_named_calls phase;
	unsigned width, height; /* 0: what the picture needs */
	bool is_dark;
};

enum picture_option {
	PICTURE_OPTION_PNG = 512, /* beyond all others */
	PICTURE_OPTION_SVG,
	PICTURE_OPTION_PDF,
	PICTURE_OPTION_CHART,
	PICTURE_OPTION_FROM,
	PICTURE_OPTION_UNTIL,
	PICTURE_OPTION_PHASE,
	PICTURE_OPTION_WIDTH,
	PICTURE_OPTION_HEIGHT,
	PICTURE_OPTION_DARK
};

/* Rows of a table of struct option. */
#define PICTURE_LONG_OPTIONS                                                                       \
	{"png", required_argument, NULL, PICTURE_OPTION_PNG},                                      \
		{"svg", required_argument, NULL, PICTURE_OPTION_SVG},                              \
		{"pdf", required_argument, NULL, PICTURE_OPTION_PDF},                              \
		{"chart", required_argument, NULL, PICTURE_OPTION_CHART},                          \
		{"from", required_argument, NULL, PICTURE_OPTION_FROM},                            \
		{"until", required_argument, NULL, PICTURE_OPTION_UNTIL},                          \
		{"phase", required_argument, NULL, PICTURE_OPTION_PHASE},                          \
		{"width", required_argument, NULL, PICTURE_OPTION_WIDTH},                          \
		{"height", required_argument, NULL, PICTURE_OPTION_HEIGHT},                        \
	{                                                                                          \
		"dark", no_argument, NULL, PICTURE_OPTION_DARK                                     \
	}

/* With its value in optarg. -1: go on; otherwise the exit status. */
int picture_options_take(enum picture_option option, struct picture_options *options);

/* The same, of all together. */
int picture_options_check(const struct picture_options *options, size_t nr_inputs);

static inline bool picture_options_are_wanted(const struct picture_options *options)
{
	return options->paths[0] || options->paths[1] || options->paths[2];
}

#endif
