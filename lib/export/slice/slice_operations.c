/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages, collectives, one-sided and file operations of one process: which records make each of
 * them, and whether all of these are in the window. Order in a lane is the order of posting, but
 * what lane an operation is on may be known only when it is over: what was posted after it waits
 * for it. */
#include "config.h"

#include "slice_internal.h"

#include <string.h>

/* Posted ones that wait for one before them. More than that, and it will never be over. */
#define MOST_WAITING ((size_t)1 << 20)

struct slice_position {
	uint64_t position;
	uint32_t location;
	uint32_t next; /* of the same operation, or of those that are free; MEASURE_NONE: none */
};

struct slice_operation {
	uint32_t lane;      /* of a member, or MEASURE_NONE */
	uint32_t positions; /* of its records in the window */
	uint32_t next_free;
	bool is_queued;
	bool is_over;
	bool is_outside;              /* a record of it is not in the window */
	uint32_t nr_local, nr_remote; /* one-sided ones that are not complete */
};

/* Open collectives of a location. */
struct slice_begin {
	uint32_t operation, depth;
};

struct slice_caller {
	struct slice_begins {
		MEASURE_GROWING_ITEMS(struct slice_begin);
	} begins[2];               /* on communicators, on windows */
	uint32_t send, send_depth; /* a blocking one whose call has not returned */
};

struct slice_operations {
	struct slice *slice;
	uint32_t process;
	MEASURE_GROWING(struct slice_operation, slots);
	uint32_t free_slots;
	MEASURE_GROWING(struct slice_position, positions);
	uint32_t free_positions;
	MEASURE_GROWING(uint32_t, queue); /* operations in the order of posting */
	size_t first;                     /* of them */
	uint64_t nr_open;
	struct measure_map requests, rma, locks, files;
	struct slice_caller *callers; /* by location */
};

struct slice_operations *slice_operations_new(struct slice *slice, uint32_t process)
{
	struct slice_operations *operations = measure_zeroed(1, sizeof(*operations));

	operations->slice = slice;
	operations->process = process;
	operations->free_slots = operations->free_positions = MEASURE_NONE;
	operations->callers =
		measure_zeroed(slice->definitions->nr_locations, sizeof(*operations->callers));
	for (size_t i = 0; i < slice->definitions->nr_locations; i++)
		operations->callers[i].send = MEASURE_NONE;
	return operations;
}

/* ----------------------------------------------------------------------- operations --- */

void slice_remove(struct slice *slice, uint32_t location, uint64_t position)
{
	*measure_append(&slice->locations[location], removed) = position;
	slice->nr_removed++;
}

static void operation_add(struct slice_operations *operations, uint32_t number, uint32_t location,
	const struct measure_event *event)
{
	struct slice_operation *operation = &operations->slots[number];
	uint32_t next = operations->free_positions;

	if (!slice_is_inside(operations->slice, event->time)) {
		operation->is_outside = true;
		return;
	}
	if (!operations->slice->is_deciding)
		return;
	if (next != MEASURE_NONE) {
		operations->free_positions = operations->positions[next].next;
	} else {
		next = (uint32_t)operations->nr_positions;
		(void)measure_append(operations, positions);
	}
	operations->positions[next] =
		(struct slice_position){event->position, location, operation->positions};
	operation->positions = next;
}

static uint32_t operation_new(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	uint32_t number = operations->free_slots;

	if (number != MEASURE_NONE) {
		operations->free_slots = operations->slots[number].next_free;
	} else {
		number = (uint32_t)operations->nr_slots;
		(void)measure_append(operations, slots);
	}
	operations->slots[number] =
		(struct slice_operation){.lane = MEASURE_NONE, .positions = MEASURE_NONE};
	operations->nr_open++;
	operation_add(operations, number, location, event);
	return number;
}

static void operation_free(struct slice_operations *operations, uint32_t number, bool is_kept)
{
	struct slice_operation *operation = &operations->slots[number];

	while (operation->positions != MEASURE_NONE) {
		const uint32_t at = operation->positions;
		struct slice_position *position = &operations->positions[at];

		if (!is_kept)
			slice_remove(operations->slice, position->location, position->position);
		operation->positions = position->next;
		position->next = operations->free_positions;
		operations->free_positions = at;
	}
	operation->next_free = operations->free_slots;
	operations->free_slots = number;
}

static void operation_decide(struct slice_operations *operations, uint32_t number)
{
	const struct slice_operation *operation = &operations->slots[number];
	struct slice_lanes *lanes = &operations->slice->lanes;
	bool is_kept = !operation->is_outside;

	if (operation->lane != MEASURE_NONE && operations->slice->is_deciding)
		is_kept &= slice_lanes_is_kept(lanes, operation->lane);
	else if (operation->lane != MEASURE_NONE)
		slice_lanes_note(lanes, operation->lane, is_kept);
	operation_free(operations, number, is_kept);
}

static void operations_compact(struct slice_operations *operations)
{
	if (operations->first < 1024 || operations->first < operations->nr_queue / 2)
		return;
	operations->nr_queue -= operations->first;
	memmove(operations->queue, operations->queue + operations->first,
		operations->nr_queue * sizeof(*operations->queue));
	operations->first = 0;
}

static void operations_drain(struct slice_operations *operations)
{
	while (operations->first < operations->nr_queue &&
		operations->slots[operations->queue[operations->first]].is_over)
		operation_decide(operations, operations->queue[operations->first++]);
	operations_compact(operations);
}

static void operation_queue(struct slice_operations *operations, uint32_t number)
{
	operations->slots[number].is_queued = true;
	*measure_append(operations, queue) = number;
}

/* Known to be complete, cancelled or refused. */
static void operation_end(struct slice_operations *operations, uint32_t number, uint32_t lane)
{
	struct slice_operation *operation = &operations->slots[number];

	operation->lane = lane;
	operation->is_over = true;
	operations->nr_open--;
	if (operation->is_queued)
		operations_drain(operations);
	else
		operation_decide(operations, number);
}

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

static void end_send(struct slice_operations *operations, struct slice_caller *caller, bool is_sent)
{
	const uint32_t number = caller->send;

	caller->send = MEASURE_NONE;
	if (number != MEASURE_NONE)
		operation_end(operations, number,
			is_sent ? operations->slots[number].lane : MEASURE_NONE);
}

/* Until the call returns it may turn out to be refused. */
static void blocking_send(struct slice_operations *operations, uint32_t location,
	const struct measure_event *event, uint32_t depth)
{
	struct slice_caller *caller = &operations->callers[location];

	if (is_late(operations, event))
		return;
	end_send(operations, caller, true);
	caller->send = operation_new(operations, location, event);
	caller->send_depth = depth;
	operations->slots[caller->send].lane = message_lane(operations, event, true);
	operation_queue(operations, caller->send);
	if (depth == 0)
		end_send(operations, caller, true);
}

static void blocking_receive(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	uint32_t number;

	if (is_late(operations, event))
		return;
	number = operation_new(operations, location, event);
	operation_queue(operations, number);
	operation_end(operations, number, message_lane(operations, event, false));
}

static void begin_request(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event)
{
	uint32_t number;

	if (is_late(operations, event))
		return;
	number = operation_new(operations, location, event);
	operation_queue(operations, number);
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
	operation_add(operations, number, location, event);
	if (event->kind == MEASURE_EVENT_MPI_REQUEST_TEST)
		return;
	if (event->kind == MEASURE_EVENT_MPI_ISEND_COMPLETE)
		lane = operations->slots[number].lane;
	else if (event->kind == MEASURE_EVENT_MPI_IRECV)
		lane = message_lane(operations, event, false);
	else if (event->kind == MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE)
		lane = collective_lane(operations, SLICE_COLLECTIVES, event->ref, event->ref);
	measure_map_remove(&operations->requests, key);
	operation_end(operations, number, lane);
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
		operation_end(operations, begins->items[--begins->nr].operation, MEASURE_NONE);
	number = operation_new(operations, location, event);
	operation_queue(operations, number);
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
	operation_add(operations, number, location, event);
	operation_end(operations, number,
		collective_lane(operations, is_rma ? SLICE_WINDOW_COLLECTIVES : SLICE_COLLECTIVES,
			event->ref, comm));
}

/* `depth`: of what is open now. What was begun in the call and has no end did not happen. */
void slice_operations_leave(
	struct slice_operations *operations, uint32_t location, uint32_t depth, bool is_refused)
{
	struct slice_caller *caller = &operations->callers[location];

	if (caller->send != MEASURE_NONE && caller->send_depth > depth)
		end_send(operations, caller, !is_refused);
	for (int i = 0; i < 2; i++) {
		struct slice_begins *begins = &caller->begins[i];

		while (begins->nr > 0 && begins->items[begins->nr - 1].depth > depth)
			operation_end(
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
		number = operation_new(operations, location, event);
		measure_map_set(&operations->rma, key, number);
	} else {
		operation_add(operations, number, location, event);
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
	operation_end(operations, number, MEASURE_NONE);
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
		number = operation_new(operations, location, event);
		measure_map_set(&operations->locks, key, number);
		return;
	}
	operation_add(operations, number, location, event);
	if (!is_release)
		return;
	measure_map_remove(&operations->locks, key);
	operation_end(operations, number, MEASURE_NONE);
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
	number = operation_new(operations, location, event);
	if ((event->tag & OTF2_IO_OPERATION_FLAG_COLLECTIVE) && comm != MEASURE_NONE) {
		operations->slots[number].lane =
			collective_lane(operations, SLICE_FILE_COLLECTIVES, event->ref, comm);
		operation_queue(operations, number);
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
	operation_add(operations, number, location, event);
	if (event->kind != MEASURE_EVENT_IO_OPERATION_COMPLETE &&
		event->kind != MEASURE_EVENT_IO_OPERATION_CANCELLED)
		return;
	measure_map_remove(&operations->files, key);
	operation_end(operations, number, operations->slots[number].lane);
}

/* ------------------------------------------------------------------------------- all --- */

/* The first one keeps too many waiting: it is left out. */
static void operations_give_up(struct slice_operations *operations)
{
	struct slice_operation *operation =
		&operations->slots[operations->queue[operations->first++]];

	if (operation->lane != MEASURE_NONE && operations->slice->is_deciding)
		(void)slice_lanes_is_kept(&operations->slice->lanes, operation->lane);
	else if (operation->lane != MEASURE_NONE)
		slice_lanes_note(&operations->slice->lanes, operation->lane, false);
	operation->lane = MEASURE_NONE;
	operation->is_queued = false;
	operation->is_outside = true;
	operations_drain(operations);
}

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
	if (operations->nr_queue - operations->first > MOST_WAITING)
		operations_give_up(operations);
}

/* A location goes on after the window. */
void slice_operations_late(struct slice_operations *operations, uint32_t location)
{
	end_send(operations, &operations->callers[location], true);
}

uint64_t slice_operations_nr_open(const struct slice_operations *operations)
{
	return operations->nr_open;
}

/* What is not over yet will never be: kept as it is where the process has no more events. */
static void operations_end(struct slice_operations *operations, bool has_after)
{
	for (; operations->first < operations->nr_queue; operations->first++) {
		const uint32_t number = operations->queue[operations->first];

		operations->slots[number].is_outside |=
			has_after && !operations->slots[number].is_over;
		operation_decide(operations, number);
	}
}

static void operations_end_all(
	struct slice_operations *operations, const struct measure_map *map, bool has_after)
{
	for (size_t i = 0; i < map->nr_slots; i++) {
		const uint32_t number = map->slots[i].value;

		if (number == MEASURE_NONE || operations->slots[number].is_queued)
			continue;
		/* that the other side is done may never be recorded */
		operations->slots[number].is_outside |=
			has_after && (operations->slots[number].nr_local > 0 ||
					     operations->slots[number].nr_remote == 0);
		operation_decide(operations, number);
	}
}

void slice_operations_free(struct slice_operations *operations, bool has_after)
{
	for (size_t i = 0; i < operations->slice->definitions->nr_locations; i++) {
		struct slice_caller *caller = &operations->callers[i];

		end_send(operations, caller, true);
		measure_free(caller->begins[0].items);
		measure_free(caller->begins[1].items);
	}
	operations_end_all(operations, &operations->rma, has_after);
	operations_end_all(operations, &operations->locks, has_after);
	operations_end_all(operations, &operations->files, has_after);
	operations_end(operations, has_after);
	measure_map_free(&operations->requests);
	measure_map_free(&operations->rma);
	measure_map_free(&operations->locks);
	measure_map_free(&operations->files);
	measure_free(operations->callers);
	measure_free(operations->slots);
	measure_free(operations->positions);
	measure_free(operations->queue);
	measure_free(operations);
}
