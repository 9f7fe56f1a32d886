/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-convert. */
#ifndef MEASURE_BIN_MEASURE_CONVERT_CONVERT_OPTIONS_H
#define MEASURE_BIN_MEASURE_CONVERT_CONVERT_OPTIONS_H

#include "export/conversion/conversion.h"
#include "sync/run/sync_rules.h"

struct convert_options {
	const char *input, *output;
	const struct measure_format *format;
	struct measure_conversion_options selected;
	struct sync_rules rules;
	uint32_t format_options; /* bit by bit: those of some formats that were given */
	bool is_sync_wanted;
	unsigned nr_threads;
	uint64_t memory; /* bytes: what arrays have at most; more lies in a file */
};

/* Threads and memory as they are set before. -1: go on; otherwise the exit status. */
int convert_options_parse(int argc, char **argv, struct convert_options *options);

#endif
