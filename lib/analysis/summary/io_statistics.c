/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on files by handle; see io_statistics.h. */
#include "config.h"

#include "io_statistics.h"

#include <stdlib.h>
#include <string.h>

#include "format/journal.h"

/* So many operations of a thread may be on their way at once; of more, the first ones have no end.
 */
#define MOST_BEGUN 4096

static measure_status_t reserve(struct measure_io_statistics *tally, uint32_t handle)
{
	size_t before = tally->handles.nr;
	measure_status_t status;

	if (handle < before)
		return MEASURE_OK;
	status = measure_array_reserve(&tally->handles, (size_t)handle + 1);
	if (status != MEASURE_OK)
		return status;
	tally->handles.nr = (size_t)handle + 1;
	memset(tally->handles.items + before, 0,
		(tally->handles.nr - before) * sizeof(*tally->handles.items));
	return MEASURE_OK;
}

static measure_status_t io_statistics_begin(
	struct measure_io_statistics *tally, const struct measure_chunk_event *event)
{
	const struct measure_io_statistics_begun begun = {event->io.handle, event->io.mode,
		event->io.operation, event->io.bytes, event->time};

	if (tally->begun.nr == MOST_BEGUN) {
		tally->begun.nr /= 2;
		memmove(tally->begun.items, tally->begun.items + tally->begun.nr,
			tally->begun.nr * sizeof(begun));
	}
	return measure_array_push(&tally->begun, begun);
}

/* How many bytes are not known of some (scanf), before and after them. */
static void io_statistics_add(struct measure_io_statistics_handle *handle,
	const struct measure_io_statistics_begun *begun, const struct measure_chunk_event *event)
{
	const uint64_t bytes = event->io.bytes == UINT64_MAX ? 0 : event->io.bytes;

	handle->operations++;
	handle->unknown += event->io.bytes == UINT64_MAX;
	handle->ticks += event->time - begun->time;
	if (begun->mode == MEASURE_CHUNK_IO_READ)
		handle->read += bytes;
	else if (begun->mode == MEASURE_CHUNK_IO_WRITE)
		handle->written += bytes;
	else
		return;
	handle->empty +=
		event->io.bytes == 0 && begun->requested > 0 && begun->requested != UINT64_MAX;
}

/* Also one that was cancelled; its record has no bytes. */
static measure_status_t io_statistics_end(
	struct measure_io_statistics *tally, const struct measure_chunk_event *event)
{
	for (size_t i = tally->begun.nr; i-- > 0;) {
		struct measure_io_statistics_begun *begun = &tally->begun.items[i];
		if (begun->handle != event->io.handle || begun->operation != event->io.operation)
			continue;
		measure_status_t status = reserve(tally, begun->handle);
		if (status != MEASURE_OK)
			return status;
		io_statistics_add(&tally->handles.items[begun->handle], begun, event);
		*begun = tally->begun.items[--tally->begun.nr];
		return MEASURE_OK;
	}
	return MEASURE_OK;
}

measure_status_t measure_io_statistics_note(
	struct measure_io_statistics *tally, const struct measure_chunk_event *event, uint64_t most)
{
	if (event->io.handle >= most)
		return MEASURE_OK;
	if (event->type == MEASURE_OTF2_IO_OPERATION_BEGIN)
		return io_statistics_begin(tally, event);
	return io_statistics_end(tally, event);
}

void measure_io_statistics_interrupt(struct measure_io_statistics *tally)
{
	tally->begun.nr = 0;
}

static void scale(uint64_t *number, double factor)
{
	*number = (uint64_t)((double)*number * factor + 0.5);
}

void measure_io_statistics_scale(struct measure_io_statistics *tally, double factor)
{
	for (size_t i = 0; i < tally->handles.nr; i++) {
		struct measure_io_statistics_handle *handle = &tally->handles.items[i];
		scale(&handle->operations, factor);
		scale(&handle->empty, factor);
		scale(&handle->read, factor);
		scale(&handle->written, factor);
		scale(&handle->ticks, factor);
		scale(&handle->unknown, factor);
	}
}

void measure_io_statistics_put(
	struct measure_frames *frames, const struct measure_io_statistics *tally)
{
	for (uint32_t i = 0; i < tally->handles.nr; i++) {
		const struct measure_io_statistics_handle *handle = &tally->handles.items[i];
		const struct measure_def_io_tally def = {i, handle->operations, handle->empty,
			handle->read, handle->written, handle->ticks, handle->unknown};
		if (def.operations)
			MEASURE_FRAMES_ADD(frames, io_tally, &def);
	}
}

void measure_io_statistics_free(struct measure_io_statistics *tally)
{
	free(tally->handles.items);
	free(tally->begun.items);
}
