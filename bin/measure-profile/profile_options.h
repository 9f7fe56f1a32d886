/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-profile. */
#ifndef MEASURE_BIN_MEASURE_PROFILE_PROFILE_OPTIONS_H
#define MEASURE_BIN_MEASURE_PROFILE_PROFILE_OPTIONS_H

#include "analysis/report/profile_view.h"
#include "cli/option_values.h"
#include "sync/run/sync_rules.h"

enum profile_format { PROFILE_TEXT, PROFILE_CSV, PROFILE_JSON, PROFILE_FOLDED, PROFILE_HTML };

enum profile_task {
	PROFILE_PRINT,
	PROFILE_SAVE,
	PROFILE_SUMMARY,
	PROFILE_WRITE_SUMMARY,
	PROFILE_PROPERTIES,
	PROFILE_SCORE
};

struct profile_options {
	const char *input;
	const char *directory; /* of PROFILE_SAVE */
	enum profile_task task;
	enum profile_format format;
	struct measure_view_options view;
	struct measure_time_bound from, until;
	bool has_waits;      /* columns of what calls waited */
	bool is_compensated; /* without what recording cost */
	struct sync_rules rules;
	unsigned nr_threads;
	uint64_t memory;
};

/* Threads and memory as they are set before. -1: go on; otherwise the exit status. */
int profile_options_parse(int argc, char **argv, struct profile_options *options);

#endif
