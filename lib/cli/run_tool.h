/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Starts another tool of Measure: as a process of its own nothing that it does may harm the run or
 * the program. It inherits no preloaded object and no blocked signal. */
#ifndef MEASURE_CLI_RUN_TOOL_H
#define MEASURE_CLI_RUN_TOOL_H

#include <limits.h>
#include <sys/types.h>

struct measure_tool_run {
	pid_t pid;
	int output; /* reads both its outputs; ends when it has ended; to be closed */
};

/* Where the program by this name is: beside this one, or where both were installed. */
void measure_tool_find(const char *name, char path[PATH_MAX]);

/* `name`: that of the program beside this one, or where both were installed; `arguments`, with the
 * name and a NULL behind the last one. Returns an errno. path: where it was looked for. */
int measure_tool_start(const char *name, const char *const *arguments, char path[PATH_MAX],
	struct measure_tool_run *tool);

#endif
