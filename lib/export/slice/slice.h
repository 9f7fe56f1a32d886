/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A part of an archive as an archive of its own: the events of a time window, of some processes.
 * What is open where it begins or ends is opened or closed there by records that are made up;
 * messages and operations that cross a cut are left out, all records of them, so that readers match
 * the others as in the whole archive (doc/slices.md). */
#ifndef MEASURE_EXPORT_SLICE_SLICE_H
#define MEASURE_EXPORT_SLICE_SLICE_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"
#include "trace/archive/trace.h"

struct measure_slice_options {
	uint64_t from, until;  /* ticks as readers see them, both included */
	const bool *locations; /* by index: those to keep, with all of their processes; NULL: all */
};

struct measure_slice_result {
	uint64_t from, until; /* as they became */
	uint64_t nr_removed;  /* records inside the window that were left out */
	uint64_t nr_made;     /* records that were made up */
	bool is_whole;        /* nothing is missing: a copy */
};

/* Writes the slice into `directory`, which must be there and empty. On any other status than
 * MEASURE_OK measure_trace_error() says why, and `directory` is left to be removed. */
measure_status_t measure_slice_write(struct measure_trace *trace,
	const struct measure_slice_options *options, const char *directory,
	struct measure_slice_result *result);

/* Widens a window to the nearest times at which all processes are in one collective operation. */
void measure_slice_align(struct measure_trace *trace, struct measure_slice_options *options);

#endif
