/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file that gets its name when it is complete, so that nobody finds half of one. Of a device, a
 * pipe or what a link names nothing can be taken back. */
#ifndef MEASURE_EXPORT_CONVERSION_OUTPUT_FILE_H
#define MEASURE_EXPORT_CONVERSION_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "status.h"

struct measure_output_file {
	FILE *file;   /* to write to; NULL: none is open */
	char *path;   /* NULL: standard output */
	char *making; /* the name until then; NULL: it is special */
};

/* `path`: "-" for standard output. Of what goes wrong with these two measure_trace_error() tells.
 */
measure_status_t measure_output_file_open(struct measure_output_file *output, const char *path);

/* Files that are made from now on carry the number of this process in their names, and those of its
 * children too: it removes what a child that has crashed left of `path`, or of parts of it. */
void measure_output_files_begin(void);
void measure_output_files_sweep(const char *path);

/* A device, a pipe or a link is written to; it is nothing to put a file in the place of:
 * /dev/stdout is a link, to a regular file at times. */
bool measure_output_is_special(const char *path);

/* The name of a file until it is complete; to be freed. */
char *measure_output_file_name(const char *path);

/* is_good: what was written is complete; else the file is removed, and the status is
 * MEASURE_ERROR_IO without a word, where nothing went wrong with the file itself. */
measure_status_t measure_output_file_close(struct measure_output_file *output, bool is_good);

#endif
