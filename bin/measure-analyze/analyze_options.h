/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-analyze. */
#ifndef MEASURE_BIN_MEASURE_ANALYZE_ANALYZE_OPTIONS_H
#define MEASURE_BIN_MEASURE_ANALYZE_ANALYZE_OPTIONS_H

#include "analysis/efficiency/what_if.h"
#include "exports.h"

struct analyze_options {
	const char *input;
	bool is_json;
	bool has_tasks; /* tasks instead of waits */
	size_t nr_most; /* rows of each table; 0: all */
	unsigned nr_threads;
	bool has_rendezvous;
	uint64_t rendezvous; /* bytes from which on plain sends wait */
	bool is_sync_wanted;
	struct analyze_exports exports;
	uint64_t memory; /* bytes: what arrays have at most; more lies in a file */
	bool is_whole;
	size_t nr_windows;     /* equal ones */
	bool has_phases;       /* a window for each of them */
	const char *reference; /* another archive, or NULL */
	bool is_weak;
	struct measure_what_if what_if; /* without changes: not asked for */
};

/* Sets defaults. Threads and memory depend on the launch: set them before parsing. */
void analyze_options_start(struct analyze_options *options);

/* -1: go on; otherwise the exit status. */
int analyze_options_parse(int argc, char **argv, struct analyze_options *options);

#endif
