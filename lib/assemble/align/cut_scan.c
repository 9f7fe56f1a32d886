/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the begin of what a process has kept, in the order of time: which records end what was
 * begun before, and which ones are the first of their lanes. A message's place in its lane is where
 * it was posted, but what lane it is on may be known only when it is received. */
#include "config.h"

#include "cut_align.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/likely.h"
#include "format/run_layout.h"
#include "trace/stream/decoder.h"

#define DROPPED MEASURE_NONE /* what had begun before, or is left out */
#define KEPT    0            /* it will be in the archive: nothing more is to be known of it */

/* Posted ones that wait for one before them. More than that, and it will never be complete. */
#define MOST_WAITING ((size_t)1 << 20)

struct cut_begin {
	uint64_t depth;
	uint32_t operation;
};

/* One location. */
struct cut_reader {
	struct measure_event_decoder decoder;
	struct measure_event next;
	bool has_next;
	uint64_t depth;
	struct cut_begins {
		MEASURE_GROWING_ITEMS(struct cut_begin);
	} begins[2];
};

/* A send, a receive or a collective that may be left out. */
struct cut_operation {
	uint64_t position, end_position; /* of its records; 0: there is none yet */
	uint64_t request;
	uint32_t location, end_location;
	uint32_t lane; /* MEASURE_NONE: none, or not known yet */
	uint8_t side;
	bool has_request; /* that is open */
	bool is_known;    /* what lane */
};

struct cut_scan {
	struct measure_cut_alignment *alignment;
	struct measure_align_process *of;
	size_t process;
	bool is_counting;
	struct cut_reader *readers;
	struct measure_map requests;                       /* number of an operation, or KEPT */
	MEASURE_GROWING(struct cut_operation, operations); /* in the order of posting */
	size_t first;                                      /* of them that waits */
	uint32_t number;                                   /* of operations[0] */
	int64_t nr_open;                                   /* requests that were begun before */
	uint64_t nr_begins;                                /* the same of collectives */
	uint64_t nr_quota;
};

/* ------------------------------------------------------------------ records in order --- */

/* Collectives that the region was left without an end of. */
static void leave_region(struct cut_scan *scan, struct cut_reader *reader)
{
	reader->depth -= reader->depth > 0;
	for (int i = 0; i < 2; i++) {
		struct cut_begins *begins = &reader->begins[i];

		for (; begins->nr > 0 && begins->items[begins->nr - 1].depth > reader->depth;
			begins->nr--) {
			const uint32_t operation = begins->items[begins->nr - 1].operation;

			if (operation == DROPPED)
				scan->nr_begins--;
			else if (operation != KEPT && operation >= scan->number + scan->first)
				scan->operations[operation - scan->number].is_known = true;
		}
	}
}

static void take_fields(struct measure_event *event, const struct measure_record *record)
{
	const struct measure_record_format *format = &measure_record_formats[record->kind];

	*event = (struct measure_event){
		.time = record->time, .position = record->position, .kind = (uint8_t)record->kind};
	for (uint8_t i = 0; i < format->nr_fields; i++) {
		const uint64_t value = record->values[i];

		switch (format->fields[i].slot) {
		case MEASURE_SLOT_ref:
			event->ref = (uint32_t)value;
			break;
		case MEASURE_SLOT_peer:
			event->peer = (uint32_t)value;
			break;
		case MEASURE_SLOT_tag:
			event->tag = (uint32_t)value;
			break;
		case MEASURE_SLOT_number:
			event->number = value;
			break;
		default:
			break;
		}
	}
}

static void cross(struct cut_scan *scan, struct cut_reader *reader, bool is_leave)
{
	if (is_leave)
		leave_region(scan, reader);
	else
		reader->depth++;
}

/* To the next record that matters. */
static void advance(struct cut_scan *scan, struct cut_reader *reader)
{
	const struct measure_record *record;
	struct measure_decoded_call call;

	for (reader->has_next = false; !reader->has_next;) {
		if (measure_event_decoder_peek_call(&reader->decoder, &call)) {
			measure_event_decoder_take_call(&reader->decoder, &call);
			cross(scan, reader, call.is_leave);
			continue;
		}
		record = measure_event_decoder_next(&reader->decoder);
		if (!record)
			return;
		if (record->kind == MEASURE_EVENT_ENTER || record->kind == MEASURE_EVENT_LEAVE) {
			cross(scan, reader, record->kind == MEASURE_EVENT_LEAVE);
		} else if (measure_cut_steps[record->kind].role != MEASURE_CUT_OTHER) {
			take_fields(&reader->next, record);
			reader->has_next = true;
		}
	}
}

/* The location whose record comes next. */
static uint32_t pick(const struct cut_scan *scan)
{
	uint32_t best = MEASURE_NONE;

	for (uint32_t i = 0; i < scan->of->nr_locations; i++)
		if (scan->readers[i].has_next &&
			(best == MEASURE_NONE ||
				scan->readers[i].next.time < scan->readers[best].next.time))
			best = i;
	return best;
}

/* Other locations of the process go further back. */
static bool is_before_cut(const struct cut_scan *scan, uint32_t location, uint64_t time)
{
	return scan->of->has_cut &&
	       (time < scan->of->last ||
		       (time == scan->of->last && location != scan->of->last_location));
}

/* ----------------------------------------------------------------------- operations --- */

static void remove_record(struct cut_scan *scan, uint32_t location, uint64_t position)
{
	if (!scan->is_counting)
		*measure_append(&scan->of->locations[location], removed) = position;
}

static uint32_t lane_of(struct cut_scan *scan, const struct measure_event *event)
{
	const enum measure_cut_kind kind =
		(enum measure_cut_kind)measure_cut_steps[event->kind].kind;

	if (kind == MEASURE_CUT_NOTHING)
		return MEASURE_NONE;
	return measure_align_lane(
		scan->alignment, scan->process, kind, event->ref, event->peer, event->tag);
}

/* A record of what is not in the archive otherwise. */
static void drop(struct cut_scan *scan, uint32_t location, const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];
	struct cut_reader *reader = &scan->readers[location];
	const uint32_t lane = scan->is_counting ? lane_of(scan, event) : MEASURE_NONE;

	if (lane != MEASURE_NONE) {
		const int side = measure_align_side((enum measure_cut_kind)step->kind);

		scan->alignment->lanes[lane].nr[side]++;
	}
	if (step->role == MEASURE_CUT_POST)
		scan->nr_open++;
	if (step->role == MEASURE_CUT_DONE)
		scan->nr_open--;
	if (step->role == MEASURE_CUT_BEGIN) {
		scan->nr_begins++;
		*measure_append_item(&reader->begins[step->is_rma]) =
			(struct cut_begin){reader->depth, DROPPED};
	}
	remove_record(scan, location, event->position);
}

/* What is it that a record goes on with? */
static uint32_t find_operation(
	struct cut_scan *scan, uint32_t location, const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];
	struct cut_begins *begins = &scan->readers[location].begins[step->is_rma];
	const struct measure_key key = measure_key_of(event->number);
	uint32_t operation = DROPPED;

	if (step->role == MEASURE_CUT_END) {
		if (begins->nr > 0)
			operation = begins->items[--begins->nr].operation;
		else
			scan->nr_begins++; /* a surprise: as if it had been there */
		scan->nr_begins -= operation == DROPPED;
		return operation;
	}
	operation = measure_map_get(&scan->requests, key);
	if (operation != MEASURE_NONE && step->role == MEASURE_CUT_DONE)
		measure_map_remove(&scan->requests, key);
	return operation;
}

static uint32_t begin_operation(
	struct cut_scan *scan, uint32_t location, const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];

	if (scan->nr_quota == 0)
		return KEPT;
	*measure_append(scan, operations) = (struct cut_operation){.position = event->position,
		.request = event->number,
		.location = location,
		.lane = lane_of(scan, event),
		.side = (uint8_t)measure_align_side((enum measure_cut_kind)step->kind),
		.has_request = step->role == MEASURE_CUT_POST,
		.is_known = step->kind != MEASURE_CUT_NOTHING};
	return scan->number + (uint32_t)scan->nr_operations - 1;
}

static void begin(struct cut_scan *scan, uint32_t location, const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];
	struct cut_reader *reader = &scan->readers[location];
	const uint32_t operation = begin_operation(scan, location, event);

	if (step->role == MEASURE_CUT_POST)
		measure_map_set(&scan->requests, measure_key_of(event->number), operation);
	if (step->role == MEASURE_CUT_BEGIN)
		*measure_append_item(&reader->begins[step->is_rma]) =
			(struct cut_begin){reader->depth, operation};
}

/* A cancelled one is on no lane. */
static void go_on(struct cut_scan *scan, uint32_t number, uint32_t location,
	const struct measure_event *event)
{
	const struct measure_cut_step *step = &measure_cut_steps[event->kind];
	struct cut_operation *operation;

	if (number == KEPT || number < scan->number + scan->first)
		return;
	operation = &scan->operations[number - scan->number];
	if (step->role == MEASURE_CUT_TEST) {
		remove_record(scan, location, event->position);
		return;
	}
	operation->end_position = event->position;
	operation->end_location = location;
	operation->has_request = false;
	operation->is_known = true;
	if (step->kind != MEASURE_CUT_NOTHING) {
		operation->lane = lane_of(scan, event);
		operation->side = (uint8_t)measure_align_side((enum measure_cut_kind)step->kind);
	} else if (event->kind == MEASURE_EVENT_MPI_REQUEST_CANCELLED) {
		operation->lane = MEASURE_NONE;
	}
}

static void leave_out(struct cut_scan *scan, const struct cut_operation *operation)
{
	remove_record(scan, operation->location, operation->position);
	if (operation->end_position)
		remove_record(scan, operation->end_location, operation->end_position);
	if (operation->has_request) {
		measure_map_remove(&scan->requests, measure_key_of(operation->request));
		scan->nr_open++;
	}
}

static void decide_first(struct cut_scan *scan)
{
	const struct cut_operation *operation = &scan->operations[scan->first++];
	uint64_t *quota;

	if (operation->lane == MEASURE_NONE)
		return;
	quota = &scan->alignment->lanes[operation->lane].quota[operation->side];
	if (*quota == 0)
		return;
	--*quota;
	scan->nr_quota--;
	leave_out(scan, operation);
}

/* Those that were decided are at the front. */
static void compact_operations(struct cut_scan *scan)
{
	if (scan->first < 1024 || scan->first < scan->nr_operations / 2)
		return;
	scan->nr_operations -= scan->first;
	memmove(scan->operations, scan->operations + scan->first,
		scan->nr_operations * sizeof(*scan->operations));
	scan->number += (uint32_t)scan->first;
	scan->first = 0;
}

static void decide(struct cut_scan *scan)
{
	while (scan->first < scan->nr_operations &&
		(scan->operations[scan->first].is_known ||
			scan->nr_operations - scan->first > MOST_WAITING))
		decide_first(scan);
	compact_operations(scan);
}

/* Nothing behind the next record is to be left out. */
static bool is_over(const struct cut_scan *scan)
{
	return scan->nr_open <= 0 && scan->nr_begins == 0 && scan->nr_quota == 0;
}

static void take(struct cut_scan *scan, uint32_t location, const struct measure_event *event)
{
	const uint8_t role = measure_cut_steps[event->kind].role;
	uint32_t operation = DROPPED;

	if (role == MEASURE_CUT_DONE || role == MEASURE_CUT_TEST || role == MEASURE_CUT_END) {
		operation = find_operation(scan, location, event);
		if (operation != DROPPED)
			go_on(scan, operation, location, event);
	} else if (!is_before_cut(scan, location, event->time)) {
		begin(scan, location, event);
		operation = KEPT;
	}
	if (operation == DROPPED)
		drop(scan, location, event);
	decide(scan);
}

/* ------------------------------------------------------------------------- the whole --- */

static void open_begins(
	struct cut_scan *scan, struct cut_reader *reader, const struct measure_cut *cut)
{
	for (int i = 0; i < 2; i++)
		for (size_t k = 0; k < cut->begins[i].nr; k++) {
			*measure_append_item(&reader->begins[i]) =
				(struct cut_begin){cut->begins[i].items[k], DROPPED};
			scan->nr_begins++;
		}
}

/* What is kept begins with an Enter for each region that was open. */
static void open_location(struct cut_scan *scan, uint32_t location)
{
	const struct measure_job *job = scan->alignment->unified->job;
	const struct measure_part *part = job->processes.items[scan->process].part;
	const struct measure_cut *cut = &scan->of->locations[location].cut;
	struct cut_reader *reader = &scan->readers[location];
	char path[PATH_MAX], name[32];

	measure_location_file_name(location, name);
	snprintf(path, sizeof(path), "%s/" MEASURE_PARTS_NAME "/%s/%s", scan->alignment->directory,
		part->name, name);
	measure_event_decoder_open(&reader->decoder, path, part->keeper.chunk_size, NULL);
	reader->depth = cut->depth > cut->nr_enters ? cut->depth - cut->nr_enters : 0;
	scan->nr_open += cut->nr_open;
	open_begins(scan, reader, cut);
	advance(scan, reader);
}

static void close_location(struct cut_reader *reader)
{
	measure_event_decoder_close(&reader->decoder);
	measure_free(reader->begins[0].items);
	measure_free(reader->begins[1].items);
}

static int compare_positions(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void read_records(struct cut_scan *scan)
{
	uint32_t location;

	while ((location = pick(scan)) != MEASURE_NONE) {
		struct cut_reader *reader = &scan->readers[location];

		if (is_over(scan) && !is_before_cut(scan, location, reader->next.time))
			return;
		take(scan, location, &reader->next);
		advance(scan, reader);
	}
	while (scan->first < scan->nr_operations)
		decide_first(scan);
}

void measure_align_scan(struct measure_cut_alignment *alignment, size_t process, bool is_counting)
{
	struct measure_align_process *of = &alignment->processes[process];
	struct cut_scan scan = {.alignment = alignment,
		.of = of,
		.process = process,
		.is_counting = is_counting,
		.number = KEPT + 1,
		.nr_quota = is_counting ? 0 : of->nr_quota};

	scan.readers = measure_zeroed(of->nr_locations, sizeof(*scan.readers));
	for (uint32_t i = 0; i < of->nr_locations; i++)
		open_location(&scan, i);
	read_records(&scan);
	for (size_t i = 0; i < of->nr_locations; i++) {
		struct measure_align_location *location = &of->locations[i];

		close_location(&scan.readers[i]);
		measure_sort(location->removed, location->nr_removed, compare_positions);
	}
	measure_free(scan.readers);
	measure_map_free(&scan.requests);
	measure_free(scan.operations);
}
