/* SPDX-License-Identifier: BSD-3-Clause
 *
 * measure-top: where the processes of a run in progress spend their time, now. */
#ifndef MEASURE_LIVE_LIVE_TOP_H
#define MEASURE_LIVE_LIVE_TOP_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"

struct live_top_options {
	double interval;  /* seconds that a look goes back, and between two looks */
	size_t nr_rows;   /* regions, at most */
	bool is_once;     /* one look, printed */
	bool is_terminal; /* the screen is cleared for each look, and q ends it */
};

/* Looks at the run in `directory` until it is over. */
enum measure_exit_code measure_live_top(
	const char *directory, const struct live_top_options *options);

#endif
