/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whole reads and writes: interrupted and short ones are carried on. Names are relative to a
 * directory's descriptor. Not for the recording process. */
#ifndef MEASURE_BASE_FILE_H
#define MEASURE_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "status.h"

/* The last part of a path. */
static inline const char *measure_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Reads up to `size` bytes at `offset`; *got is less only where the file ends. Errors of these
 * two leave errno. */
measure_status_t measure_file_read_at(int fd, void *data, size_t size, uint64_t offset,
	size_t *got);
measure_status_t measure_file_write_at(int fd, const void *data, size_t size, uint64_t offset);

/* Opens or makes a file of a directory that others may have had their hands in: nothing but a
 * regular file under that very name, no link to somewhere else, no pipe that nobody writes to.
 * `flags` as of open(); it is close-on-exec. -1: errno says why. */
int measure_file_open(int directory_fd, const char *name, int flags);

/* A directory in a directory, by the same rule. */
int measure_file_open_directory(int directory_fd, const char *name);

/* The file in memory, aligned for any type, with a zero byte behind it; free() it. Of one that says
 * it is longer the first `most` bytes. MEASURE_ERROR_NOT_FOUND: there is no such file. */
measure_status_t measure_file_load(
	int directory_fd, const char *name, size_t most, uint8_t **data, size_t *size);

/* Makes or replaces a small file. */
measure_status_t measure_file_store(int directory_fd, const char *name, const void *data,
	size_t size);

/* Copies a file; a reflink where the file system can. The new one must not exist. */
measure_status_t measure_file_copy(int from_directory, const char *from, int to_directory,
	const char *to);

/* Calls `visit` for each entry of a directory but "." and "..", until it returns anything other
 * than MEASURE_OK, and returns that. MEASURE_ERROR_IO: the directory cannot be read. */
typedef measure_status_t (*measure_file_visit_fn)(void *data, int directory_fd, const char *name);
measure_status_t measure_file_visit(int directory_fd, measure_file_visit_fn visit, void *data);

/* Removes a directory and all that is in it, or a file. Not there: MEASURE_OK. */
measure_status_t measure_file_remove_tree(int directory_fd, const char *name);

#endif
