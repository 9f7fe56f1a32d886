/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which event begins an operation, goes on with it or ends it, and what lane it is on. */
#include "config.h"

#include "slice_operations.h"

static bool is_late(const struct slice_operations *operations, const struct measure_event *event)
{
	return event->time > operations->slice->until;
}

/* ----------------------------------------------------------------------------- lanes --- */

static uint32_t message_lane(
	struct slice_operations *operations, const struct measure_event *event, bool is_send)
{
	struct slice *slice = operations->slice;
	struct slice_key key = {.kind = SLICE_MESSAGES, .member = is_send, .nr_expected = 2};
	uint32_t peer;

	if (event->ref == MEASURE_NONE)
		return MEASURE_NONE;
	peer = measure_ranks_peer(&slice->ranks, event->ref, operations->process, event->peer);
	if (peer == MEASURE_NONE)
		return MEASURE_NONE;
	key.space = event->ref;
	key.tag = event->tag;
	key.sender = is_send ? operations->process : peer;
	key.receiver = is_send ? peer : operations->process;
	return slice_lanes_member(&slice->lanes, &key);
}

/* Of all groups of a communicator; 0: of those of one rank each. */
static uint32_t nr_members_of(const struct slice *slice, uint32_t comm)
{
	const struct measure_definitions *definitions = slice->definitions;
	uint32_t nr = 0;

	for (int i = 0; i < 1 + definitions->comms[comm].is_inter; i++) {
		const uint32_t group = definitions->comms[comm].groups[i];

		if (group >= definitions->nr_groups || measure_group_is_self(definitions, group))
			return 0;
		nr += definitions->groups[group].nr_members;
	}
	return nr;
}

static uint32_t collective_lane(struct slice_operations *operations, enum slice_lane_kind kind,
	uint32_t space, uint32_t comm)
{
	struct slice *slice = operations->slice;
	struct slice_key key = {.kind = kind, .space = space, .member = operations->process};

	if (space == MEASURE_NONE || comm == MEASURE_NONE ||
		measure_ranks_side(&slice->ranks, comm, operations->process) == MEASURE_NONE)
		return MEASURE_NONE;
	key.nr_expected = nr_members_of(slice, comm);
	return key.nr_expected ? slice_lanes_member(&slice->lanes, &key) : MEASURE_NONE;
}

/* -------------------------------------------------------------------------- messages --- */

/* Until the call returns it may turn out to be refused. */
static void blocking_send(struct slice_operations *operations, uint32_t location,
	const struct measure_event *event, uint32_t depth)
{
	struct slice_caller *caller = &operations->callers[location];

	if (is_late(operations, event))
		return;
	slice_operations_end_send(operations, caller, true);
	caller->send = slice_operation_new(operations, location, event);
	caller->send_depth = depth;
	operations->slots[caller->send].lane = message_lane(operations, event, true);
	slice_operation_queue(operations, caller->send);
	if (depth == 0)
		slice_operations_end_send(operations, caller, true);
}

static void blocking_receive(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	uint32_t number;

	if (is_late(operations, event))
		return;
	number = slice_operation_new(operations, location, event);
	slice_operation_queue(operations, number);
	slice_operation_end(operations, number, message_lane(operations, event, false));
}

static void begin_request(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	uint32_t number;

	if (is_late(operations, event))
		return;
	number = slice_operation_new(operations, location, event);
	slice_operation_queue(operations, number);
	if (event->kind == MEASURE_EVENT_MPI_ISEND)
		operations->slots[number].lane = message_lane(operations, event, true);
	measure_map_set(&operations->requests, measure_key_of(event->number), number);
}

static void end_request(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const struct measure_key key = measure_key_of(event->number);
	const uint32_t number = measure_map_get(&operations->requests, key);
	uint32_t lane = MEASURE_NONE;

	if (number == MEASURE_NONE)
		return;
	slice_operation_add(operations, number, location, event);
	if (event->kind == MEASURE_EVENT_MPI_REQUEST_TEST)
		return;
	if (event->kind == MEASURE_EVENT_MPI_ISEND_COMPLETE)
		lane = operations->slots[number].lane;
	else if (event->kind == MEASURE_EVENT_MPI_IRECV)
		lane = message_lane(operations, event, false);
	else if (event->kind == MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE)
		lane = collective_lane(operations, SLICE_COLLECTIVES, event->ref, event->ref);
	measure_map_remove(&operations->requests, key);
	slice_operation_end(operations, number, lane);
}

/* ----------------------------------------------------------------------- collectives --- */

static void begin_collective(struct slice_operations *operations, uint32_t location,
	const struct measure_event *event, uint32_t depth)
{
	const bool is_rma = event->kind == MEASURE_EVENT_RMA_COLLECTIVE_BEGIN;
	struct slice_begins *begins = &operations->callers[location].begins[is_rma];
	uint32_t number;

	if (is_late(operations, event))
		return;
	if (begins->nr > 0 && begins->items[begins->nr - 1].depth >= depth)
		slice_operation_end(
			operations, begins->items[--begins->nr].operation, MEASURE_NONE);
	number = slice_operation_new(operations, location, event);
	slice_operation_queue(operations, number);
	*measure_append_item(begins) = (struct slice_begin){number, depth};
}

static void end_collective(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const bool is_rma = event->kind == MEASURE_EVENT_RMA_COLLECTIVE_END;
	struct slice_begins *begins = &operations->callers[location].begins[is_rma];
	const uint32_t comm = is_rma && event->ref != MEASURE_NONE
				      ? operations->slice->definitions->windows[event->ref].comm
				      : event->ref;
	uint32_t number;

	if (begins->nr == 0)
		return;
	number = begins->items[--begins->nr].operation;
	slice_operation_add(operations, number, location, event);
	slice_operation_end(operations, number,
		collective_lane(operations, is_rma ? SLICE_WINDOW_COLLECTIVES : SLICE_COLLECTIVES,
			event->ref, comm));
}

/* `depth`: of what is open now. What was begun in the call and has no end did not happen. */
void slice_operations_leave(
	struct slice_operations *operations, uint32_t location, uint32_t depth, bool is_refused)
{
	struct slice_caller *caller = &operations->callers[location];

	if (caller->send != MEASURE_NONE && caller->send_depth > depth)
		slice_operations_end_send(operations, caller, !is_refused);
	for (int i = 0; i < 2; i++) {
		struct slice_begins *begins = &caller->begins[i];

		while (begins->nr > 0 && begins->items[begins->nr - 1].depth > depth)
			slice_operation_end(
				operations, begins->items[--begins->nr].operation, MEASURE_NONE);
	}
}

/* ------------------------------------------------------------------------- one-sided --- */

/* A completion stands for all operations before it that have its number and are not complete: these
 * are one here. */
static void rma_operation(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const struct measure_key key = measure_key_pair(event->ref, event->number);
	const bool is_start = event->kind == MEASURE_EVENT_RMA_PUT ||
			      event->kind == MEASURE_EVENT_RMA_GET ||
			      event->kind == MEASURE_EVENT_RMA_ATOMIC;
	uint32_t number = measure_map_get(&operations->rma, key);
	struct slice_operation *operation;

	if (is_start && is_late(operations, event))
		return;
	if (number == MEASURE_NONE && !is_start)
		return;
	if (number == MEASURE_NONE) {
		number = slice_operation_new(operations, location, event);
		measure_map_set(&operations->rma, key, number);
	} else {
		slice_operation_add(operations, number, location, event);
	}
	operation = &operations->slots[number];
	operation->nr_local += is_start;
	operation->nr_remote += is_start;
	if (event->kind == MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE)
		operation->nr_remote = 0;
	else if (!is_start && event->kind != MEASURE_EVENT_RMA_OP_TEST)
		operation->nr_local = 0;
	if (operation->nr_local || operation->nr_remote)
		return;
	measure_map_remove(&operations->rma, key);
	slice_operation_end(operations, number, MEASURE_NONE);
}

static void rma_lock(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const struct measure_key key = {(uint64_t)event->ref << 32 | event->peer, event->number};
	const bool is_release = event->kind == MEASURE_EVENT_RMA_RELEASE_LOCK;
	uint32_t number = measure_map_get(&operations->locks, key);

	if (number == MEASURE_NONE && (is_release || is_late(operations, event)))
		return;
	if (number == MEASURE_NONE) {
		number = slice_operation_new(operations, location, event);
		measure_map_set(&operations->locks, key, number);
		return;
	}
	slice_operation_add(operations, number, location, event);
	if (!is_release)
		return;
	measure_map_remove(&operations->locks, key);
	slice_operation_end(operations, number, MEASURE_NONE);
}

/* Who waits for whom is known only of all of them: none of a part is kept. */
static void rma_group(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	struct slice *slice = operations->slice;

	if (slice->is_deciding && slice_is_inside(slice, event->time))
		slice_remove(slice, location, event->position);
}

/* ----------------------------------------------------------------------------- files --- */

static void begin_file(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const uint32_t comm = operations->slice->definitions->io_handles[event->ref].comm;
	uint32_t number;

	if (is_late(operations, event))
		return;
	number = slice_operation_new(operations, location, event);
	if ((event->tag & OTF2_IO_OPERATION_FLAG_COLLECTIVE) && comm != MEASURE_NONE) {
		operations->slots[number].lane =
			collective_lane(operations, SLICE_FILE_COLLECTIVES, event->ref, comm);
		slice_operation_queue(operations, number);
	}
	measure_map_set(&operations->files, measure_key_pair(event->ref, event->number), number);
}

static void go_on_file(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	const struct measure_key key = measure_key_pair(event->ref, event->number);
	const uint32_t number = measure_map_get(&operations->files, key);

	if (number == MEASURE_NONE)
		return;
	slice_operation_add(operations, number, location, event);
	if (event->kind != MEASURE_EVENT_IO_OPERATION_COMPLETE &&
		event->kind != MEASURE_EVENT_IO_OPERATION_CANCELLED)
		return;
	measure_map_remove(&operations->files, key);
	slice_operation_end(operations, number, operations->slots[number].lane);
}

/* ------------------------------------------------------------------------------- all --- */

void slice_operations_event(struct slice_operations *operations, uint32_t location,
	const struct measure_event *event, uint32_t depth)
{
	if (event->ref == MEASURE_NONE && event->kind >= MEASURE_EVENT_RMA_WIN_CREATE &&
		event->kind != MEASURE_EVENT_RMA_COLLECTIVE_BEGIN)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_MPI_SEND:
		blocking_send(operations, location, event, depth);
		break;
	case MEASURE_EVENT_MPI_RECV:
		blocking_receive(operations, location, event);
		break;
	case MEASURE_EVENT_MPI_ISEND:
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
		begin_request(operations, location, event);
		break;
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
	case MEASURE_EVENT_MPI_IRECV:
	case MEASURE_EVENT_MPI_REQUEST_TEST:
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		end_request(operations, location, event);
		break;
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
	case MEASURE_EVENT_RMA_COLLECTIVE_BEGIN:
		begin_collective(operations, location, event, depth);
		break;
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
	case MEASURE_EVENT_RMA_COLLECTIVE_END:
		end_collective(operations, location, event);
		break;
	case MEASURE_EVENT_RMA_PUT:
	case MEASURE_EVENT_RMA_GET:
	case MEASURE_EVENT_RMA_ATOMIC:
	case MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE:
	case MEASURE_EVENT_RMA_OP_TEST:
		rma_operation(operations, location, event);
		break;
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
	case MEASURE_EVENT_RMA_ACQUIRE_LOCK:
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
		rma_lock(operations, location, event);
		break;
	case MEASURE_EVENT_RMA_GROUP_SYNC:
		rma_group(operations, location, event);
		break;
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
		begin_file(operations, location, event);
		break;
	case MEASURE_EVENT_IO_OPERATION_ISSUED:
	case MEASURE_EVENT_IO_OPERATION_TEST:
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
	case MEASURE_EVENT_IO_OPERATION_CANCELLED:
		go_on_file(operations, location, event);
		break;
	}
	slice_operations_give_up(operations);
}
