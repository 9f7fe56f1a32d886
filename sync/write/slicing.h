/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies an archive with other events: for each location the records that somebody hands out, such
 * as those of a time window, and those that are made up where it begins and ends. */
#ifndef MEASURE_SYNC_WRITE_SLICING_H
#define MEASURE_SYNC_WRITE_SLICING_H

#include <stdbool.h>
#include <stdint.h>

#include "status.h"
#include "trace/archive/trace.h"
#include "trace/stream/record.h"

/* The attribute of what is made up, and the property of the archive. */
#define MEASURE_ATTRIBUTE_SYNTHETIC "MEASURE::SYNTHETIC"
#define MEASURE_PROPERTY_SLICE      "MEASURE::SLICE"

struct measure_slicing {
	/* The records of one location, in order, as they were recorded: ticks of its own clock, ids
	 * of the definitions. NULL: there are no more. */
	void (*begin)(void *data, uint32_t location);
	const struct measure_record *(*next)(void *data, bool *is_made);
	void (*end)(void *data);
	void *data;
	uint64_t from, until; /* both included; as readers see the events */
	const bool *are_cut;  /* by location group: it lacks events of the archive */
};

/* Writes the copy into `directory`, which must be there and empty; without anything to slice by
 * (NULL), as it is. On any other status than MEASURE_OK measure_trace_error() says why, and
 * `directory` is left to be removed. */
measure_status_t measure_sync_emit_slice(
	struct measure_trace *trace, const struct measure_slicing *slicing, const char *directory);

/* The same without the calls that a filter leaves out. */
struct measure_filter;
measure_status_t measure_sync_emit_filtered(
	struct measure_trace *trace, const struct measure_filter *filter, const char *directory);

#endif
