/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tools read from /proc. */
#ifndef MEASURE_BIN_PROCFS_H
#define MEASURE_BIN_PROCFS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Start time of a process in clock ticks since boot: with its pid it names a process for good.
 * 0: there is none, or it is dead already and only not waited for. */
uint64_t measure_process_start(pid_t pid);

/* Reads a small file whole; false where that is not possible. Text is NUL-terminated. */
bool measure_file_read(const char *path, char *text, size_t size);

#endif
