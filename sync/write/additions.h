/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies an archive with what an analysis has found: the values of a metric class, in front of the
 * events that they belong to, and markers. */
#ifndef MEASURE_SYNC_WRITE_ADDITIONS_H
#define MEASURE_SYNC_WRITE_ADDITIONS_H

#include "status.h"
#include "sync/clc/correction.h"
#include "trace/archive/trace.h"
#include "trace/common/containers.h"

/* Of unsigned numbers, that grow from the start of the trace on. */
struct measure_added_member {
	const char *name, *description, *unit;
};

/* What a member has become by an event. A record with all members comes in front of the event, at
 * its time. */
struct measure_added_value {
	uint64_t position; /* of the event */
	uint32_t member;
	uint64_t value;
};

/* Of a location, by position. */
struct measure_added_values {
	MEASURE_GROWING_ITEMS(struct measure_added_value);
};

struct measure_added_marker {
	uint64_t time, duration; /* as readers see the events */
	uint32_t location;
	char *text;
};

struct measure_additions {
	const struct measure_added_member *members;
	uint8_t nr_members;
	/* Asked once for each location; the items are freed by who asks. */
	void (*find_values)(void *data, uint32_t location, struct measure_added_values *values);
	void *data;
	const char *group, *category; /* of all markers; they replace those that have the same */
	const struct measure_added_marker *markers;
	size_t nr_markers;
};

/* Writes the copy into `directory`, which must be there and empty. `corrections`: of its times, by
 * location; NULL: these stay as they are. All events have been read through `trace`. On any other
 * status than MEASURE_OK measure_trace_error() says why, and `directory` is left to be removed. */
measure_status_t measure_sync_emit_additions(struct measure_trace *trace,
	const struct measure_sync_correction *corrections,
	const struct measure_additions *additions, const char *directory);

#endif
