/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What --snapshot-signal says: a signal by which the user asks `measure` for a snapshot. */
#ifndef MEASURE_LAUNCH_OPTIONS_SNAPSHOT_SIGNAL_H
#define MEASURE_LAUNCH_OPTIONS_SNAPSHOT_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

/* "none" (0), "USR1", "SIGUSR1", "10"; not those by which programs are ended or stopped. */
bool measure_snapshot_signal_parse(const char *text, int *number);

/* What is wrong with a value, and those that can be chosen. */
void measure_snapshot_signal_fault(const char *text, char *fault, size_t size);

#endif
