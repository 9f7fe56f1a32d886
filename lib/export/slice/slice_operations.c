/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages, collectives, one-sided and file operations of one process: which records make each of
 * them, and whether all of these are in the window. Order in a lane is the order of posting, but
 * what lane an operation is on may be known only when it is over: what was posted after it waits
 * for it. */
#include "config.h"

#include "slice_operations.h"

#include <string.h>

/* Posted ones that wait for one before them. More than that, and it will never be over. */
#define MOST_WAITING ((size_t)1 << 20)

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

void slice_operation_add(struct slice_operations *operations, uint32_t number, uint32_t location,
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

uint32_t slice_operation_new(
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
	slice_operation_add(operations, number, location, event);
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

void slice_operation_queue(struct slice_operations *operations, uint32_t number)
{
	operations->slots[number].is_queued = true;
	*measure_append(operations, queue) = number;
}

/* Known to be complete, cancelled or refused. */
void slice_operation_end(struct slice_operations *operations, uint32_t number, uint32_t lane)
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

void slice_operations_end_send(
	struct slice_operations *operations, struct slice_caller *caller, bool is_sent)
{
	const uint32_t number = caller->send;

	caller->send = MEASURE_NONE;
	if (number != MEASURE_NONE)
		slice_operation_end(operations, number,
			is_sent ? operations->slots[number].lane : MEASURE_NONE);
}

/* Where the first one keeps too many waiting, it is left out. */
void slice_operations_give_up(struct slice_operations *operations)
{
	struct slice_operation *operation;

	if (operations->nr_queue - operations->first <= MOST_WAITING)
		return;
	operation = &operations->slots[operations->queue[operations->first++]];
	if (operation->lane != MEASURE_NONE && operations->slice->is_deciding)
		(void)slice_lanes_is_kept(&operations->slice->lanes, operation->lane);
	else if (operation->lane != MEASURE_NONE)
		slice_lanes_note(&operations->slice->lanes, operation->lane, false);
	operation->lane = MEASURE_NONE;
	operation->is_queued = false;
	operation->is_outside = true;
	operations_drain(operations);
}

/* A location goes on after the window. */
void slice_operations_late(struct slice_operations *operations, uint32_t location)
{
	slice_operations_end_send(operations, &operations->callers[location], true);
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

		slice_operations_end_send(operations, caller, true);
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
