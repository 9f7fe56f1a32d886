/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locations of streams of devices: they have no thread, and are written when it is known what
 * happened. */
#include "config.h"

#include "adapter.h"
#include "runtime/definitions/define.h"
#include "runtime/event/transaction.h"

struct measure_location *measure_stream_make(const char *device, const char *name)
{
	return measure_gate_adapters_enabled() ? measure_location_make_stream(device, name) : NULL;
}

uint32_t measure_stream_index(const struct measure_location *stream)
{
	return stream->index;
}

/* The thread waited for memory, not the device. */
static cold void stream_hand_on_stall(struct measure_location *stream)
{
	struct measure_location *self = measure_location_self;

	if (self && !(self->flags & (MEASURE_LOCATION_STALLED | MEASURE_LOCATION_STOPPED))) {
		self->stall = stream->stall;
		self->flags |= MEASURE_LOCATION_STALLED;
	}
}

/* None of its events times itself: what the thread does meanwhile is nothing that happened on the
 * device. */
bool measure_stream_record_begin(struct measure_location *stream, uint64_t time)
{
	if (!measure_gate_adapters_enabled() || stream->flags & MEASURE_LOCATION_STOPPED)
		return false;
	if (stream->flags & MEASURE_LOCATION_STALLED)
		stream_hand_on_stall(stream);
	stream->flags = MEASURE_LOCATION_BUSY;
	if (time > stream->time)
		stream->time = time;
	return true;
}
