/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a location sent, received, locked, read, wrote and allocated. */
#include "config.h"

#include "fold_internal.h"

#include <stdlib.h>
#include <string.h>

#define UNKNOWN UINT64_MAX /* size */
#define NUMBERS_OF_PENDING 6          /* that are saved, of a byte at least */

struct pending_item {
	uint64_t time, first, second;
	uint32_t path;
	uint32_t next_free;
};

/* Things that have begun and not ended, by number: requests, locks, operations. */
struct fold_pending {
	struct measure_map ids;
	MEASURE_ARRAY(struct pending_item) items;
	uint32_t first_free; /* 1 + its index; 0: none */
};

struct fold_traffic {
	struct fold_pending sends;           /* by request; first: process, second: bytes */
	struct fold_pending locks;           /* by model and lock; first: how often it is held */
	struct fold_pending operations;      /* by handle and operation; first: mode */
	MEASURE_ARRAY(uint64_t) collectives; /* when they began */
};

/* ----------------------------------------------------------------------- pending --- */

static struct pending_item *pending_find(const struct fold_pending *pending, struct measure_key key)
{
	const uint32_t index = measure_map_get(&pending->ids, key);

	return index == MEASURE_NONE ? NULL : &pending->items.items[index];
}

static struct pending_item *pending_add(struct fold_pending *pending, struct measure_key key)
{
	struct pending_item *item = pending_find(pending, key);
	uint32_t index;

	if (item)
		return item;
	if (pending->first_free) {
		index = pending->first_free - 1;
		pending->first_free = pending->items.items[index].next_free;
	} else {
		index = (uint32_t)pending->items.nr;
		if (measure_array_push(&pending->items, (struct pending_item){0}) != MEASURE_OK)
			measure_out_of_memory();
	}
	measure_map_set(&pending->ids, key, index);
	item = &pending->items.items[index];
	*item = (struct pending_item){0};
	return item;
}

static void pending_remove(struct fold_pending *pending, struct measure_key key)
{
	const uint32_t index = measure_map_get(&pending->ids, key);

	if (index == MEASURE_NONE)
		return;
	measure_map_remove(&pending->ids, key);
	pending->items.items[index].next_free = pending->first_free;
	pending->first_free = index + 1;
}

static void pending_free(struct fold_pending *pending)
{
	measure_map_free(&pending->ids);
	free(pending->items.items);
}

struct fold_traffic *fold_traffic_new(void)
{
	return measure_zeroed(1, sizeof(struct fold_traffic));
}

void fold_traffic_free(struct fold_traffic *traffic)
{
	pending_free(&traffic->sends);
	pending_free(&traffic->locks);
	pending_free(&traffic->operations);
	free(traffic->collectives.items);
	measure_free(traffic);
}

/* ---------------------------------------------------------------------- messages --- */

static uint64_t octave_of(uint64_t bytes)
{
	return bytes ? 64 - (uint64_t)__builtin_clzll(bytes) : 0;
}

/* Of the call path that sent it. `sign`: 1, or all ones where a send is taken back. */
static void count_message(
	struct measure_fold *fold, uint32_t path, uint64_t receiver, uint64_t bytes, uint64_t sign)
{
	const uint64_t size = bytes == UNKNOWN ? 0 : bytes;
	uint64_t *row = fold_row(fold, MEASURE_TABLE_MESSAGES, fold->process, receiver);

	measure_cell(row, MESSAGES, COUNT) += sign;
	measure_cell(row, MESSAGES, BYTES) += sign * size;
	row = fold_row(fold, MEASURE_TABLE_MESSAGE_SIZES, octave_of(size), 0);
	measure_cell(row, MESSAGE_SIZES, COUNT) += sign;
	measure_cell(row, MESSAGE_SIZES, BYTES) += sign * size;
	row = fold_row(fold, MEASURE_TABLE_VALUES, path, 0);
	measure_cell(row, VALUES, MESSAGE_BYTES_SENT) += sign * size;
	measure_cell(row, VALUES, UNKNOWN_SIZES) += bytes == UNKNOWN ? sign : 0;
}

static void count_bytes(struct measure_fold *fold, uint64_t *cell, uint64_t bytes)
{
	if (bytes == UNKNOWN)
		measure_cell(fold_values(fold), VALUES, UNKNOWN_SIZES)++;
	else
		*cell += bytes;
}

static uint64_t receiver_of(const struct measure_fold *fold, const struct measure_event *event)
{
	if (!fold->ranks && event->ref != MEASURE_NONE)
		return measure_profile_rank(event->ref, event->peer);
	return event->ref == MEASURE_NONE || fold->process == MEASURE_NONE
		       ? MEASURE_NONE
		       : measure_ranks_peer(fold->ranks, event->ref, fold->process, event->peer);
}

static void take_send(struct measure_fold *fold, const struct measure_event *event)
{
	const uint64_t receiver = receiver_of(fold, event);
	struct pending_item *send;

	count_message(fold, fold->path, receiver, event->sent, 1);
	if (event->kind != MEASURE_EVENT_MPI_ISEND)
		return;
	send = pending_add(&fold->traffic->sends, measure_key_of(event->number));
	send->first = receiver;
	send->second = event->sent;
	send->path = fold->path;
}

static void take_request_end(struct measure_fold *fold, const struct measure_event *event)
{
	struct fold_pending *sends = &fold->traffic->sends;
	const struct pending_item *send = pending_find(sends, measure_key_of(event->number));

	if (send && event->kind == MEASURE_EVENT_MPI_REQUEST_CANCELLED)
		count_message(fold, send->path, send->first, send->second, UINT64_MAX);
	pending_remove(sends, measure_key_of(event->number));
}

static void count_collective(
	struct measure_fold *fold, const struct measure_event *event, uint64_t comm, uint64_t ticks)
{
	uint64_t *row = fold_row(fold, MEASURE_TABLE_COLLECTIVES, event->op, comm);

	measure_cell(row, COLLECTIVES, CALLS)++;
	measure_cell(row, COLLECTIVES, TICKS) += ticks;
	measure_cell_raise(&measure_cell(row, COLLECTIVES, LONGEST_TICKS), ticks);
	count_bytes(fold, &measure_cell(row, COLLECTIVES, BYTES_SENT), event->sent);
	count_bytes(fold, &measure_cell(row, COLLECTIVES, BYTES_RECEIVED), event->received);
	if (event->sent != UNKNOWN)
		measure_cell(fold_values(fold), VALUES, COLLECTIVE_BYTES_SENT) += event->sent;
	if (event->received != UNKNOWN)
		measure_cell(fold_values(fold), VALUES, COLLECTIVE_BYTES_RECEIVED) +=
			event->received;
}

static void begin_collective(struct measure_fold *fold, uint64_t time)
{
	if (measure_array_push(&fold->traffic->collectives, time) != MEASURE_OK)
		measure_out_of_memory();
}

static uint64_t end_collective(struct measure_fold *fold, uint64_t time)
{
	struct fold_traffic *traffic = fold->traffic;

	return traffic->collectives.nr
		       ? time - traffic->collectives.items[--traffic->collectives.nr]
		       : 0;
}

static uint64_t comm_of_window(const struct measure_fold *fold, uint32_t window)
{
	if (!fold->ranks && window != MEASURE_NONE)
		return MEASURE_PROFILE_WINDOW + window;
	return window == MEASURE_NONE ? MEASURE_NONE
				      : fold->profile->trace->definitions.windows[window].comm;
}

/* ------------------------------------------------------------------------- locks --- */

static uint64_t lock_name(const struct measure_event *event)
{
	const bool is_old = event->kind == MEASURE_EVENT_OMP_ACQUIRE_LOCK ||
			    event->kind == MEASURE_EVENT_OMP_RELEASE_LOCK;

	return (uint64_t)(is_old ? OTF2_PARADIGM_OPENMP : event->op) << 32 | event->peer;
}

static void take_acquire(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const uint64_t name = lock_name(event);
	struct pending_item *lock = pending_add(&fold->traffic->locks, measure_key_of(name));
	const struct measure_fold_context *context = &fold->context;
	uint64_t wait = 0, *row;

	if (lock->first++ > 0)
		return;
	lock->time = time;
	if (context->top > context->bottom && time - context->offset > context->top[-1].enter)
		wait = time - context->offset - context->top[-1].enter;
	row = fold_row(fold, MEASURE_TABLE_LOCKS, fold->process, name);
	measure_cell(row, LOCKS, ACQUISITIONS) += !fold->is_outside;
	measure_cell(row, LOCKS, WAIT_TICKS) += wait;
	measure_cell_raise(&measure_cell(row, LOCKS, LONGEST_WAIT_TICKS), wait);
}

static void take_release(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const uint64_t name = lock_name(event);
	struct pending_item *lock = pending_find(&fold->traffic->locks, measure_key_of(name));
	uint64_t *row;

	if (!lock || --lock->first > 0)
		return;
	row = fold_row(fold, MEASURE_TABLE_LOCKS, fold->process, name);
	measure_cell(row, LOCKS, HOLD_TICKS) += time - lock->time;
	measure_cell_raise(&measure_cell(row, LOCKS, LONGEST_HOLD_TICKS), time - lock->time);
	pending_remove(&fold->traffic->locks, measure_key_of(name));
}

/* -------------------------------------------------------------------------- files --- */

static uint64_t *file_row(struct measure_fold *fold, uint32_t index)
{
	const struct measure_io_handle *handle;
	uint64_t file;

	if (!fold->ranks)
		return fold_row(fold, MEASURE_TABLE_FILES, MEASURE_PROFILE_HANDLE + index, 0);
	handle = &fold->profile->trace->definitions.io_handles[index];
	file = handle->file == MEASURE_NONE ? MEASURE_PROFILE_HANDLE + index : handle->file;
	return fold_row(fold, MEASURE_TABLE_FILES, file, handle->paradigm);
}

static void begin_operation(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	struct pending_item *operation = pending_add(
		&fold->traffic->operations, measure_key_pair(event->ref, event->number));

	operation->time = time;
	operation->first = event->op;
	operation->second = event->sent;
}

static void end_operation(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const struct measure_key key = measure_key_pair(event->ref, event->number);
	const struct pending_item *operation = pending_find(&fold->traffic->operations, key);
	uint64_t *row = file_row(fold, event->ref);
	const uint64_t bytes = event->received;
	uint64_t mode = OTF2_IO_OPERATION_MODE_FLUSH, wanted = 0;

	measure_cell(row, FILES, OPERATIONS) += !fold->is_outside;
	measure_cell(row, FILES, UNKNOWN_SIZES) += bytes == UNKNOWN && !fold->is_outside;
	if (operation) {
		mode = operation->first;
		wanted = operation->second;
		measure_cell(row, FILES, TICKS) += time - operation->time;
	}
	pending_remove(&fold->traffic->operations, key);
	if (fold->is_outside)
		return;
	if (mode != OTF2_IO_OPERATION_MODE_FLUSH && bytes == 0)
		measure_cell(row, FILES, EMPTY) += wanted > 0 && wanted != UNKNOWN;
	if (mode == OTF2_IO_OPERATION_MODE_READ) {
		count_bytes(fold, &measure_cell(row, FILES, BYTES_READ), bytes);
		measure_cell(fold_values(fold), VALUES, IO_BYTES_READ) +=
			bytes == UNKNOWN ? 0 : bytes;
	} else if (mode == OTF2_IO_OPERATION_MODE_WRITE) {
		count_bytes(fold, &measure_cell(row, FILES, BYTES_WRITTEN), bytes);
		measure_cell(fold_values(fold), VALUES, IO_BYTES_WRITTEN) +=
			bytes == UNKNOWN ? 0 : bytes;
	}
}

static void take_file_event(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const struct measure_key key = measure_key_pair(event->ref, event->number);

	if (event->ref == MEASURE_NONE)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_IO_CREATE_HANDLE:
		measure_cell(file_row(fold, event->ref), FILES, OPENED) += !fold->is_outside;
		break;
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
		begin_operation(fold, event, time);
		break;
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
		end_operation(fold, event, time);
		break;
	case MEASURE_EVENT_IO_OPERATION_CANCELLED:
		pending_remove(&fold->traffic->operations, key);
		break;
	}
}

/* --------------------------------------------------------------------- allocations --- */

/* Several attributes may have these names, as parameters may. */
void fold_allocation(struct measure_fold *fold, const struct measure_record *record)
{
	const struct measure_definitions *definitions = &fold->profile->trace->definitions;

	for (uint32_t i = 0; i < record->nr_attributes; i++) {
		const struct measure_record_attribute *attribute = &record->attributes[i];
		const uint32_t index = measure_definition_index(
			definitions, MEASURE_KIND_ATTRIBUTE, attribute->id);
		const char *name;

		if (index == MEASURE_NONE)
			continue;
		name = measure_text(definitions, definitions->attributes[index].name);
		if (strcmp(name, "ALLOCATION_SIZE") == 0) {
			uint64_t *values = fold_values(fold);
			measure_cell(values, VALUES, ALLOCATIONS)++;
			measure_cell(values, VALUES, BYTES_ALLOCATED) += attribute->value.uint64;
		} else if (strcmp(name, "DEALLOCATION_SIZE") == 0) {
			measure_cell(fold_values(fold), VALUES, BYTES_RELEASED) +=
				attribute->value.uint64;
		}
	}
}

/* ------------------------------------------------------------------------- events --- */

/* Sums of what happened at a moment: outside the window nothing did. */
static void take_transfer(struct measure_fold *fold, const struct measure_event *event)
{
	uint64_t *values;

	if (fold->is_outside)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_MPI_SEND:
	case MEASURE_EVENT_MPI_ISEND:
		take_send(fold, event);
		break;
	case MEASURE_EVENT_MPI_RECV:
	case MEASURE_EVENT_MPI_IRECV:
		values = fold_values(fold);
		count_bytes(fold, &measure_cell(values, VALUES, MESSAGE_BYTES_RECEIVED),
			event->received);
		break;
	case MEASURE_EVENT_RMA_PUT:
	case MEASURE_EVENT_RMA_GET:
	case MEASURE_EVENT_RMA_ATOMIC:
		values = fold_values(fold);
		count_bytes(fold, &measure_cell(values, VALUES, RMA_BYTES_PUT), event->sent);
		count_bytes(fold, &measure_cell(values, VALUES, RMA_BYTES_GOT), event->received);
		break;
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		count_collective(fold, event, event->ref, 0);
		break;
	}
}

static void take_collective(
	struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const bool is_rma = event->kind == MEASURE_EVENT_RMA_COLLECTIVE_BEGIN ||
			    event->kind == MEASURE_EVENT_RMA_COLLECTIVE_END;

	if (event->kind == MEASURE_EVENT_MPI_COLLECTIVE_BEGIN ||
		event->kind == MEASURE_EVENT_RMA_COLLECTIVE_BEGIN) {
		begin_collective(fold, time);
		return;
	}
	const uint64_t ticks = end_collective(fold, time);
	if (!fold->is_outside)
		count_collective(
			fold, event, is_rma ? comm_of_window(fold, event->ref) : event->ref, ticks);
}

void fold_traffic_event(struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	switch (event->kind) {
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
	case MEASURE_EVENT_RMA_COLLECTIVE_BEGIN:
	case MEASURE_EVENT_RMA_COLLECTIVE_END:
		take_collective(fold, event, time);
		break;
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
		take_request_end(fold, event);
		break;
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
	case MEASURE_EVENT_OMP_ACQUIRE_LOCK:
		take_acquire(fold, event, time);
		break;
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
	case MEASURE_EVENT_OMP_RELEASE_LOCK:
		take_release(fold, event, time);
		break;
	case MEASURE_EVENT_IO_CREATE_HANDLE:
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
	case MEASURE_EVENT_IO_OPERATION_CANCELLED:
		take_file_event(fold, event, time);
		break;
	default:
		take_transfer(fold, event);
	}
}

/* --------------------------------------------------------------------------- state --- */

static void save_pending(const struct fold_pending *pending, measure_profile_pack_t *pack)
{
	measure_pack_put(pack, pending->ids.nr_used);
	for (size_t i = 0; i < pending->ids.nr_slots; i++) {
		const struct measure_map_slot *slot = &pending->ids.slots[i];

		if (slot->value == MEASURE_NONE)
			continue;
		const struct pending_item *item = &pending->items.items[slot->value];
		const uint64_t numbers[] = {slot->key.high, slot->key.low, item->time, item->first,
			item->second, item->path};
		measure_pack_put_all(pack, numbers, NUMBERS_OF_PENDING);
	}
}

static void restore_pending(struct fold_pending *pending, const struct measure_profile *profile,
	struct measure_pack_reader *reader)
{
	const size_t nr = measure_pack_take_length(reader, NUMBERS_OF_PENDING);

	for (size_t i = 0; i < nr && reader->is_good; i++) {
		const uint64_t high = measure_pack_take(reader), low = measure_pack_take(reader);
		struct pending_item *item = pending_add(pending, measure_key_pair(high, low));

		item->time = measure_pack_take(reader);
		item->first = measure_pack_take(reader);
		item->second = measure_pack_take(reader);
		item->path = measure_pack_take_index(reader, profile->nr_paths);
	}
}

void fold_traffic_save(const struct measure_fold *fold, measure_profile_pack_t *pack)
{
	const struct fold_traffic *traffic = fold->traffic;

	save_pending(&traffic->sends, pack);
	save_pending(&traffic->locks, pack);
	save_pending(&traffic->operations, pack);
	measure_pack_put(pack, traffic->collectives.nr);
	measure_pack_put_all(pack, traffic->collectives.items, traffic->collectives.nr);
}

void fold_traffic_restore(struct measure_fold *fold, struct measure_pack_reader *reader)
{
	struct fold_traffic *traffic = fold->traffic;
	size_t nr;

	restore_pending(&traffic->sends, fold->profile, reader);
	restore_pending(&traffic->locks, fold->profile, reader);
	restore_pending(&traffic->operations, fold->profile, reader);
	nr = measure_pack_take_length(reader, 1);
	for (size_t i = 0; i < nr; i++)
		begin_collective(fold, measure_pack_take(reader));
}
