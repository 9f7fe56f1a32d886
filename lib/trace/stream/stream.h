/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event stream of one location: each record as one small struct, references as indices
 * of the definitions, time both as recorded and corrected by the clock offsets. */
#ifndef MEASURE_TRACE_STREAM_STREAM_H
#define MEASURE_TRACE_STREAM_STREAM_H

#include <stdint.h>

#include "trace/common/findings.h"
#include "status.h"

struct measure_trace;

enum measure_event_kind {
#define EVENT(number, Name, NAME, ...) MEASURE_EVENT_##NAME,
#include "format/otf2_records.def"
#undef EVENT
	MEASURE_EVENT_UNKNOWN, /* a record newer than this OTF2 library */
	MEASURE_NR_EVENT_KINDS
};

/* "MpiSend" and so on. */
extern const char *const measure_event_names[MEASURE_NR_EVENT_KINDS];

/* What a field means depends on the kind: otf2_records.def. One cache line. */
struct measure_event {
	uint64_t time;           /* corrected, ticks */
	uint64_t raw;            /* as recorded, ticks */
	uint64_t position;       /* number of the record in its stream, from 1 */
	uint64_t number;         /* request, sequence, stop time, exit status, ... */
	uint64_t sent, received; /* bytes */
	uint32_t ref;            /* definition index, MEASURE_NONE: undefined */
	uint32_t peer;           /* receiver, sender, root, ... */
	uint32_t tag;
	uint8_t kind; /* enum measure_event_kind */
	uint8_t op;   /* collective operation, paradigm, mode, ... */
	bool is_refused; /* of a Leave: the call did nothing */
};
_Static_assert(sizeof(struct measure_event) == 64, "events should fit a cache line");

typedef void (*measure_event_fn)(void *data, const struct measure_event *event);

/* Reads all events of a location (its index) in order. References to nowhere are reported.
 * *nr_read counts the records. MEASURE_ERROR_FORMAT: the stream broke off; what had been read
 * by then was delivered, and measure_trace_error() has the reason. */
measure_status_t measure_stream_read(struct measure_trace *trace, uint32_t location,
	measure_event_fn deliver, void *data, uint64_t *nr_read);

#endif
