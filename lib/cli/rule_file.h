/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads files of filter rules, for tools with an option that names one. */
#ifndef MEASURE_CLI_RULE_FILE_H
#define MEASURE_CLI_RULE_FILE_H

#include "status.h"

/* Reads all of a file, which may be a pipe; "" where `path` is "". What is wrong is said, with
 * `consequence` behind it. free() the text in any case. */
measure_status_t measure_rule_file_load(const char *path, const char *consequence, char **text);

#endif
