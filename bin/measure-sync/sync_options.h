/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command line of measure-sync. */
#ifndef MEASURE_BIN_MEASURE_SYNC_SYNC_OPTIONS_H
#define MEASURE_BIN_MEASURE_SYNC_SYNC_OPTIONS_H

#include "sync/run/sync_run.h"

/* -1: go on; otherwise the exit status. nr_threads and memory: unless told otherwise. */
int sync_options_parse(
	int argc, char **argv, unsigned nr_threads, uint64_t memory, struct sync_options *options);

#endif
