/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations; see operations.h. A number tells those apart that are open on one handle at a time:
 * of several threads by their locations, of one (a signal handler in the middle of another) by how
 * many are open there. */
#include "config.h"

#include "operations.h"

#include <limits.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

static measure_attribute_t offset_attribute = MEASURE_UNDEFINED;

/* Of the innermost operation: handle << 32 | measure_recording_number() << 16 | how many are open,
 * at least 1; 0: none is. */
static _Thread_local uint64_t at __attribute__((tls_model("initial-exec")));

void measure_operations_start(void)
{
	offset_attribute = measure_attribute_define(
		"Offset", "File offset at which an operation begins, in bytes", OTF2_TYPE_UINT64);
}

measure_attribute_t measure_offset_attribute(void)
{
	return offset_attribute;
}

static uint64_t operation_number(uint32_t nr_open)
{
	return (uint64_t)(nr_open - 1) << 32 | measure_location_index();
}

static void operation_open(
	struct measure_operation *operation, measure_io_handle_t handle, uint64_t requested)
{
	const uint32_t nr_open = (uint16_t)at + 1;

	operation->handle = handle;
	operation->requested = requested;
	if (operation->recording != measure_recording_number())
		operation->handle = MEASURE_UNDEFINED;
	if (operation->handle == MEASURE_UNDEFINED)
		return;
	operation->number = operation_number(nr_open);
	operation->outer = at;
	at = (uint64_t)handle << 32 | (uint32_t)operation->recording << 16 | nr_open;
}

static void operation_write_begin(struct measure_location *location,
	const struct measure_operation *operation, uint8_t mode, int64_t offset)
{
	if (operation->handle == MEASURE_UNDEFINED)
		return;
	if (offset >= 0)
		measure_write_attribute_uint64(location, offset_attribute, (uint64_t)offset);
	measure_write_io_operation_begin(
		location, operation->handle, mode, 0, operation->requested, operation->number);
}

static void operation_write_end(struct measure_location *location,
	const struct measure_operation *operation, uint64_t moved)
{
	if (operation->handle != MEASURE_UNDEFINED &&
		operation->recording == measure_recording_number())
		measure_write_io_operation_complete(
			location, operation->handle, moved, operation->number);
}

void measure_operation_begin(struct measure_operation *operation, enum measure_posixio_call call,
	measure_io_handle_t handle, uint8_t mode, uint64_t requested, int64_t offset)
{
	struct measure_location *location = measure_call_enter(call);

	operation->is_recorded = location;
	if (!location) {
		operation->requested = requested;
		return;
	}
	operation_open(operation, handle, requested);
	operation_write_begin(location, operation, mode, offset);
	measure_record_end(location);
}

void measure_operation_end(
	const struct measure_operation *operation, enum measure_posixio_call call, uint64_t moved)
{
	struct measure_location *location;

	if (!operation->is_recorded)
		return;
	if (operation->handle != MEASURE_UNDEFINED)
		at = operation->outer;
	location = measure_record_begin();
	if (!location)
		return;
	operation_write_end(location, operation, moved);
	measure_call_leave(location, call);
}

void measure_transfer_begin(struct measure_operation operations[2], enum measure_posixio_call call,
	measure_io_handle_t to, measure_io_handle_t from, uint64_t requested)
{
	struct measure_location *location = measure_call_enter(call);

	operations[0].is_recorded = location;
	if (!location)
		return;
	operation_open(&operations[0], to, requested);
	operation_open(&operations[1], from, requested);
	operation_write_begin(
		location, &operations[1], OTF2_IO_OPERATION_MODE_READ, MEASURE_NO_OFFSET);
	operation_write_begin(
		location, &operations[0], OTF2_IO_OPERATION_MODE_WRITE, MEASURE_NO_OFFSET);
	measure_record_end(location);
}

void measure_transfer_end(const struct measure_operation operations[2],
	enum measure_posixio_call call, uint64_t moved)
{
	struct measure_location *location;

	if (!operations[0].is_recorded)
		return;
	for (int i = 1; i >= 0; i--)
		if (operations[i].handle != MEASURE_UNDEFINED)
			at = operations[i].outer;
	location = measure_record_begin();
	if (!location)
		return;
	operation_write_end(location, &operations[0], moved);
	operation_write_end(location, &operations[1], moved);
	measure_call_leave(location, call);
}

uint64_t measure_vector_bytes(const struct iovec *vector, int nr)
{
	uint64_t bytes = 0;

	if (nr < 0 || nr > IOV_MAX || !vector)
		return MEASURE_BYTES_UNKNOWN;
	for (int i = 0; i < nr; i++)
		bytes += vector[i].iov_len;
	return bytes;
}

/* What handlers of the cancellation did was inside of it. */
void measure_operations_end_thread(void)
{
	const uint64_t innermost = at;
	const bool is_open =
		innermost && (uint16_t)(innermost >> 16) == (uint16_t)measure_recording_number();
	struct measure_location *location = is_open ? measure_record_begin() : NULL;

	at = 0;
	if (!location)
		return;
	measure_write_io_operation_complete(location, (measure_io_handle_t)(innermost >> 32), 0,
		operation_number((uint16_t)innermost));
	measure_record_end(location);
}
