/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file that gets its name when it is complete, so that nobody finds half of one. Of a
 * device or a pipe nothing can be taken back. */
#ifndef MEASURE_EXPORT_CONVERSION_OUTPUT_FILE_H
#define MEASURE_EXPORT_CONVERSION_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

struct measure_output_file {
	FILE *file;   /* to write to; NULL: none is open */
	char *path;   /* NULL: standard output */
	char *making; /* the name until then; NULL: it is a device, or a pipe */
};

/* `path`: "-" for standard output. Of what goes wrong with these two measure_trace_error() tells.
 */
measure_status_t measure_output_file_open(struct measure_output_file *output, const char *path);

/* is_good: what was written is complete; else the file is removed, and the status is
 * MEASURE_ERROR_IO without a word, where nothing went wrong with the file itself. */
measure_status_t measure_output_file_close(struct measure_output_file *output, bool is_good);

#endif
