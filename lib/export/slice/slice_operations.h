/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations of one process: slice_operations.c has their records and their order,
 * slice_operation_kinds.c knows which event is a record of which operation. */
#ifndef MEASURE_EXPORT_SLICE_SLICE_OPERATIONS_H
#define MEASURE_EXPORT_SLICE_SLICE_OPERATIONS_H

#include "slice_internal.h"

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

/* slice_operations.c: records of an operation; its place in the order of posting; that it is known
 * to be complete, cancelled or refused, with the lane that it is on. */
uint32_t slice_operation_new(
	struct slice_operations *operations, uint32_t location, const struct measure_event *event);
void slice_operation_add(struct slice_operations *operations, uint32_t number, uint32_t location,
	const struct measure_event *event);
void slice_operation_queue(struct slice_operations *operations, uint32_t number);
void slice_operation_end(struct slice_operations *operations, uint32_t number, uint32_t lane);
/* The blocking send whose call has not returned. */
void slice_operations_end_send(
	struct slice_operations *operations, struct slice_caller *caller, bool is_sent);
void slice_operations_give_up(struct slice_operations *operations);

#endif
