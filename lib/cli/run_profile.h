/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts measure-profile on an archive that was made just now, and waits for it: a process of its
 * own, since nothing that it does may harm the archive or who has made it. */
#ifndef MEASURE_CLI_RUN_PROFILE_H
#define MEASURE_CLI_RUN_PROFILE_H

#include <stdbool.h>

#define MEASURE_PROFILE_TEXT 2048

/* Lets it write summary.txt and suggested.filter in `directory`. *text: a few lines, where the
 * time went and what to do next, or, where it could not write them, a line why; the last one
 * without a newline. SIGCHLD must not be ignored. */
bool measure_run_profile(const char *directory, char text[MEASURE_PROFILE_TEXT]);

/* The same, and says by measure_cli_say() what has failed. `name`: of the directory, for people. */
bool measure_run_profile_or_say(
	const char *directory, const char *name, char text[MEASURE_PROFILE_TEXT]);

#endif
