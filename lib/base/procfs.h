/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small files, most of them of /proc. Allocates nothing; may be used inside a recorded process. */
#ifndef MEASURE_BASE_PROCFS_H
#define MEASURE_BASE_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Reads a file's first size - 1 bytes. Returns how many; -1 and "" where it cannot be read. The
 * text is NUL-terminated. */
ssize_t measure_text_read(const char *path, char *text, size_t size);

/* Start time of a process in clock ticks since boot: with its pid it names a process for good.
 * 0: there is none, or it is dead already and only not waited for. */
uint64_t measure_process_start(pid_t pid);

/* Is the process with this start time stopped, by a signal (SIGSTOP, SIGTSTP) or a debugger? */
bool measure_process_is_stopped(pid_t pid, uint64_t start);

/* Which machine this is, since when, and what it is called: "BOOT-ID HOST". */
#define MEASURE_NODE_TEXT 160
void measure_node_read(char text[MEASURE_NODE_TEXT]);

/* 0: it is not known. */
pid_t measure_process_parent(pid_t pid);

/* Nanoseconds of processor time that a process has used, also one that is dead and not yet waited
 * for. 0: it is not known. */
uint64_t measure_process_time(pid_t pid);

/* The wait status of one that is dead and not yet waited for; false: it is not, or not ours to
 * know. */
bool measure_process_status(pid_t pid, int *status);

/* Gone, or dead and not yet waited for. False also where /proc does not tell. */
bool measure_process_is_dead(pid_t pid);

#endif
