/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads archives in a child process: the OTF2 library is not safe against damaged files, and a
 * crash inside it must become a line of text. */
#ifndef MEASURE_CLI_READ_IN_CHILD_H
#define MEASURE_CLI_READ_IN_CHILD_H

/* Runs work(data) in a child and returns its exit status; MEASURE_EXIT_CANNOT when it crashed,
 * which has been said then, with `name`: what it read. */
int measure_cli_read_in_child(int (*work)(void *data), void *data, const char *name);

/* The same. Calls clear(data) here when the child is gone, in whatever way: a signal that ends this
 * process ends the child before. */
int measure_cli_read_in_child_and_clear(
	int (*work)(void *data), void (*clear)(void *data), void *data, const char *name);

#endif
