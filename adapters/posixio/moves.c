/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations; see moves.h. A number tells those apart that are open on one handle at a time: of
 * several threads by their locations, of one (a signal handler in the middle of another) by how
 * many are open there. */
#include "config.h"

#include "moves.h"

#include <limits.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

static measure_attribute_t offset_attribute = MEASURE_UNDEFINED;

/* Of the innermost operation: handle << 32 | how many are open, at least 1; 0: none is. */
static _Thread_local uint64_t at __attribute__((tls_model("initial-exec")));

void measure_moves_start(void)
{
	offset_attribute = measure_attribute_define(
		"Offset", "Byte of the file at which an operation begins", OTF2_TYPE_UINT64);
}

measure_attribute_t measure_offset_attribute(void)
{
	return offset_attribute;
}

static uint64_t number_of(uint32_t nr_open)
{
	return (uint64_t)(nr_open - 1) << 32 | measure_location_index();
}

static void open_move(struct measure_move *move, measure_io_handle_t handle, uint64_t requested)
{
	const uint32_t nr_open = (uint32_t)at + 1;

	move->handle = handle;
	move->requested = requested;
	if (handle == MEASURE_UNDEFINED)
		return;
	move->operation = number_of(nr_open);
	move->outer = at;
	at = (uint64_t)handle << 32 | nr_open;
}

static void write_begin(struct measure_location *location, const struct measure_move *move,
	uint8_t mode, int64_t offset)
{
	if (move->handle == MEASURE_UNDEFINED)
		return;
	if (offset >= 0)
		measure_write_attribute_uint64(location, offset_attribute, (uint64_t)offset);
	measure_write_io_operation_begin(
		location, move->handle, mode, 0, move->requested, move->operation);
}

static void write_end(
	struct measure_location *location, const struct measure_move *move, uint64_t moved)
{
	if (move->handle != MEASURE_UNDEFINED)
		measure_write_io_operation_complete(location, move->handle, moved, move->operation);
}

void measure_move_begin(struct measure_move *move, enum measure_call call,
	measure_io_handle_t handle, uint8_t mode, uint64_t requested, int64_t offset)
{
	struct measure_location *location = measure_call_enter(call);

	move->is_recorded = location;
	if (!location) {
		move->requested = requested;
		return;
	}
	open_move(move, handle, requested);
	write_begin(location, move, mode, offset);
	measure_record_end(location);
}

void measure_move_end(const struct measure_move *move, enum measure_call call, uint64_t moved)
{
	struct measure_location *location;

	if (!move->is_recorded)
		return;
	if (move->handle != MEASURE_UNDEFINED)
		at = move->outer;
	location = measure_record_begin();
	if (!location)
		return;
	write_end(location, move, moved);
	measure_call_leave(location, call);
}

void measure_between_begin(struct measure_move moves[2], enum measure_call call,
	measure_io_handle_t to, measure_io_handle_t from, uint64_t requested)
{
	struct measure_location *location = measure_call_enter(call);

	moves[0].is_recorded = location;
	if (!location)
		return;
	open_move(&moves[0], to, requested);
	open_move(&moves[1], from, requested);
	write_begin(location, &moves[1], OTF2_IO_OPERATION_MODE_READ, MEASURE_NO_OFFSET);
	write_begin(location, &moves[0], OTF2_IO_OPERATION_MODE_WRITE, MEASURE_NO_OFFSET);
	measure_record_end(location);
}

void measure_between_end(const struct measure_move moves[2], enum measure_call call, uint64_t moved)
{
	struct measure_location *location;

	if (!moves[0].is_recorded)
		return;
	for (int i = 1; i >= 0; i--)
		if (moves[i].handle != MEASURE_UNDEFINED)
			at = moves[i].outer;
	location = measure_record_begin();
	if (!location)
		return;
	write_end(location, &moves[0], moved);
	write_end(location, &moves[1], moved);
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
void measure_moves_end_thread(void)
{
	const uint64_t innermost = at;
	struct measure_location *location = innermost ? measure_record_begin() : NULL;

	at = 0;
	if (!location)
		return;
	measure_write_io_operation_complete(location, (measure_io_handle_t)(innermost >> 32), 0,
		number_of((uint32_t)innermost));
	measure_record_end(location);
}
