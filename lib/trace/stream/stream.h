/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The event stream of one location: each record as one small struct, references as indices
 * of the definitions, time both as recorded and corrected by the clock offsets. */
#ifndef MEASURE_TRACE_STREAM_STREAM_H
#define MEASURE_TRACE_STREAM_STREAM_H

#include <stdint.h>

#include "clock/clock_function.h"
#include "trace/common/findings.h"
#include "status.h"
#include "decoder.h"

struct measure_trace;

/* What a field means depends on the kind: its slot in otf2_records.def. One cache line. */
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

/* One that is being read. */
struct measure_stream {
	struct measure_event_decoder decoder;
	const struct measure_clock_function *offsets;
	struct measure_clock_reading reading;
	const struct measure_clock_step *steps; /* those that are still to come */
	size_t nr_steps;
	/* index of a region by the id that it has in the file; there is none, or MEASURE_NONE,
	 * where an id is not defined; no regions: all events are read slowly */
	const uint32_t *regions;
	size_t nr_regions;
	struct measure_event call; /* an Enter or a Leave: what these have not is 0 */

	struct measure_event event; /* any other */
	const struct measure_record *record; /* that made it: attributes, values of metrics */
	struct measure_trace *trace;
	uint32_t location;
	uint64_t nr_read;
	struct measure_library_reader *library; /* or NULL: reads instead of the decoder */
	OTF2_ErrorCode library_status;
};

/* Reads all events of a location (its index) in order. References to nowhere are reported. */
void measure_stream_open(
	struct measure_stream *stream, struct measure_trace *trace, uint32_t location);

/* The same of chunks that are in memory and stay the caller's. */
void measure_stream_open_memory(struct measure_stream *stream, struct measure_trace *trace,
	uint32_t location, const uint8_t *bytes, size_t size);

/* *nr_read counts the records. MEASURE_ERROR_FORMAT: the stream broke off; what had been read
 * by then was delivered, and measure_trace_error() has the reason. */
measure_status_t measure_stream_close(struct measure_stream *stream, uint64_t *nr_read);

const struct measure_event *measure_stream_next_slowly(struct measure_stream *stream);

/* The next event of a kind that is neither Enter nor Leave. Others are passed over, whatever is
 * wrong with them. */
const struct measure_event *measure_stream_next_of(
	struct measure_stream *stream, enum measure_event_kind kind);

/* The next event, valid until the next call; NULL: there is none. */
static inline const struct measure_event *measure_stream_next(struct measure_stream *stream)
{
	struct measure_event *event = &stream->call;
	struct measure_decoded_call call;

	if (!measure_event_decoder_peek_call(&stream->decoder, &call) ||
		unlikely(call.region >= stream->nr_regions ||
			 stream->regions[call.region] == MEASURE_NONE))
		return measure_stream_next_slowly(stream);
	measure_event_decoder_take_call(&stream->decoder, &call);
	event->kind = call.is_leave ? MEASURE_EVENT_LEAVE : MEASURE_EVENT_ENTER;
	event->ref = stream->regions[call.region];
	event->raw = call.time;
	event->position = stream->decoder.position;
	event->time = measure_clock_function_read(stream->offsets, &stream->reading, call.time);
	return event;
}

typedef void (*measure_event_fn)(void *data, const struct measure_event *event);

/* The same from open to close. */
measure_status_t measure_stream_read(struct measure_trace *trace, uint32_t location,
	measure_event_fn deliver, void *data, uint64_t *nr_read);

#endif
