/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all tools have in common: their exit statuses, --version, and errors of one line,
 *
 *	TOOL: FILE: what is wrong: what to do
 */
#ifndef MEASURE_CLI_CLI_H
#define MEASURE_CLI_CLI_H

enum measure_exit_code {
	MEASURE_EXIT_DONE = 0,
	MEASURE_EXIT_FOUND = 1,  /* something is wrong in the data */
	MEASURE_EXIT_CANNOT = 2, /* usage, unreadable input */
	MEASURE_EXIT_NOT_EXECUTABLE = 126,
	MEASURE_EXIT_NO_PROGRAM = 127
};

/* To be called first; the name goes before every message. */
void measure_cli_start(const char *tool);
const char *measure_cli_tool(void);

/* One line on stderr, "TOOL: " before it, in one write so that the lines of many processes do
 * not mix. Keeps errno. */
void measure_cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Sends lines elsewhere than to stderr (the keeper has none); NULL: back to stderr. */
void measure_cli_redirect(void (*say)(const char *line));

/* measure_cli_say() and where help is to be had; returns MEASURE_EXIT_CANNOT. */
int measure_cli_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "TOOL (Measure) 1.0.0" on stdout; returns MEASURE_EXIT_DONE. */
int measure_cli_version(void);

#endif
