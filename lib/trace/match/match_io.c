/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files of one process: whether handles are used only while they are open, and what becomes of
 * each operation; and whether the processes that opened one together did the same with it. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

#include "base/array.h"

static const struct measure_io_handle *match_io_handle_of(
	const struct measure_match *match, const struct measure_event *event)
{
	return &match->definitions->io_handles[event->ref];
}

/* ------------------------------------------------------------------- handles --- */

static void report_handle(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const char *what)
{
	measure_report(match->findings, MEASURE_CHECK_IO_HANDLE, place_of(point),
		"%s of %s, which %s", measure_event_names[event->kind],
		match_io_handle_of(match, event)->label, what);
}

/* What this process does with a handle. */
static struct io_use *use_of(
	struct measure_match *match, uint32_t handle, const struct measure_point *point)
{
	struct io *io = &match->io;
	uint32_t index = measure_map_intern(
		&io->use_ids, measure_key_pair(handle, match->process), io->nr_uses);
	struct io_use *use;

	if (index != io->nr_uses)
		return &io->uses[index];
	use = measure_append(io, uses);
	*use = (struct io_use){.handle = handle,
		.process = match->process,
		.is_open = match->definitions->io_handles[handle].flags &
			   OTF2_IO_HANDLE_FLAG_PRE_CREATED,
		.first = *point};
	return use;
}

static void open_handle(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct io_use *use = use_of(match, event->ref, point);

	if (use->is_open)
		report_handle(match, event, point, "is open already");
	use->is_open = true;
	files_end(match, files_add(match, FILE_OPEN, event->ref, use->nr_opened, point), point);
	use->nr_opened++;
	match->io.counts.nr_opened++;
}

/* event->number: the new one. The old one counts as used. */
static void duplicate_handle(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	if (!use_of(match, event->ref, point)->is_open)
		report_handle(match, event, point, "is not open");
	if (event->number >= match->definitions->nr_io_handles)
		return;
	struct io_use *use = use_of(match, (uint32_t)event->number, point);
	if (use->is_open)
		report_handle(match, event, point, "is copied to one that is open already");
	use->is_open = true;
}

static void use_handle(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	if (match_io_handle_of(match, event)->flags & OTF2_IO_HANDLE_FLAG_ALL_PROXY)
		return;
	if (!use_of(match, event->ref, point)->is_open)
		report_handle(match, event, point, "is not open");
}

static void close_handle(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct io_use *use;

	use_handle(match, event, point);
	use = use_of(match, event->ref, point);
	use->is_open = false;
	files_end(match, files_add(match, FILE_CLOSE, event->ref, use->nr_opened, point), point);
}

/* ---------------------------------------------------------------- operations --- */

static struct measure_key key_of(const struct measure_event *event)
{
	return measure_key_pair(event->ref, event->number);
}

static void match_io_begin(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct io *io = &match->io;
	uint32_t slot = measure_map_get(&io->operation_ids, key_of(event));
	size_t step = SIZE_MAX;

	use_handle(match, event, point);
	if (event->tag & OTF2_IO_OPERATION_FLAG_COLLECTIVE)
		step = files_add(match, FILE_OPERATION, event->ref,
			use_of(match, event->ref, point)->nr_collective++, point);
	if (slot != MEASURE_NONE) {
		measure_report(match->findings, MEASURE_CHECK_IO_ORDER, place_of(point),
			"operation %llu on %s begins again before it is complete",
			(unsigned long long)event->number, match_io_handle_of(match, event)->label);
	} else if (io->first_free != MEASURE_NONE) {
		slot = io->first_free;
		io->first_free = io->operations[slot].next_free;
	} else {
		slot = io->nr_operations;
		(void)measure_append(io, operations);
	}
	measure_map_set(&io->operation_ids, key_of(event), slot);
	io->operations[slot] = (struct io_operation){.handle = event->ref,
		.number = event->number,
		.is_open = true,
		.mode = event->op,
		.is_nonblocking = event->tag & OTF2_IO_OPERATION_FLAG_NON_BLOCKING,
		.begin = *point,
		.step = step};
}

static void report_order(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const char *what)
{
	measure_report(match->findings, MEASURE_CHECK_IO_ORDER, place_of(point),
		"%s of operation %llu on %s, which %s", measure_event_names[event->kind],
		(unsigned long long)event->number, match_io_handle_of(match, event)->label, what);
}

/* All ones is how some tools say that they do not know the bytes. */
static void match_io_count(
	struct measure_file_counts *counts, const struct io_operation *operation, uint64_t bytes)
{
	counts->nr_operations++;
	if (bytes == OTF2_UNDEFINED_UINT64)
		return;
	if (operation->mode == OTF2_IO_OPERATION_MODE_READ)
		counts->bytes_read += bytes;
	else if (operation->mode == OTF2_IO_OPERATION_MODE_WRITE)
		counts->bytes_written += bytes;
}

static void complete_operation(struct measure_match *match, const struct io_operation *operation,
	uint64_t bytes, const struct measure_point *point)
{
	files_end(match, operation->step, point);
	pipes_add(match, operation, bytes, point);
	match_io_count(&match->io.counts, operation, bytes);
}

/* What follows the beginning of an operation. */
static void go_on(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct io *io = &match->io;
	uint32_t slot = measure_map_get(&io->operation_ids, key_of(event));
	struct io_operation *operation = slot != MEASURE_NONE ? &io->operations[slot] : NULL;

	if (!operation) {
		measure_report(match->findings, MEASURE_CHECK_IO_UNKNOWN, place_of(point),
			"%s of operation %llu on %s, which is not open",
			measure_event_names[event->kind], (unsigned long long)event->number,
			match_io_handle_of(match, event)->label);
		return;
	}
	if (event->kind == MEASURE_EVENT_IO_OPERATION_ISSUED && operation->is_issued)
		report_order(match, event, point, "is issued already");
	else if (event->kind != MEASURE_EVENT_IO_OPERATION_ISSUED && operation->is_nonblocking &&
		 !operation->is_issued)
		report_order(match, event, point, "is not issued yet");
	else if (event->kind != MEASURE_EVENT_IO_OPERATION_COMPLETE && !operation->is_nonblocking)
		report_order(match, event, point, "is a blocking one");
	operation->is_issued |= event->kind == MEASURE_EVENT_IO_OPERATION_ISSUED;
	if (event->kind != MEASURE_EVENT_IO_OPERATION_COMPLETE &&
		event->kind != MEASURE_EVENT_IO_OPERATION_CANCELLED)
		return;
	if (event->kind == MEASURE_EVENT_IO_OPERATION_COMPLETE)
		complete_operation(match, operation, event->received, point);
	measure_map_remove(&io->operation_ids, key_of(event));
	operation->is_open = false;
	operation->next_free = io->first_free;
	io->first_free = slot;
}

/* ------------------------------------------------------------------ together --- */

static void report_use(struct measure_match *match, const struct io_use *use, const char *what,
	uint64_t nr, uint64_t nr_expected)
{
	const struct measure_io_handle *handle = &match->definitions->io_handles[use->handle];
	bool is_excused = false;

	for (size_t i = 0; i < match->definitions->nr_location_groups; i++)
		is_excused |= measure_match_is_cut(match, i);
	measure_report_excused(match->findings, MEASURE_CHECK_IO_COLLECTIVE, is_excused,
		place_of(&use->first), "%s: %llu %s, expected %llu", handle->label,
		(unsigned long long)nr, what, (unsigned long long)nr_expected);
}

static uint32_t nr_members(const struct measure_match *match, uint32_t handle)
{
	uint32_t comm = match->definitions->io_handles[handle].comm;
	uint32_t group = match->definitions->comms[comm].groups[0];

	if (group >= match->definitions->nr_groups ||
		measure_group_is_self(match->definitions, group))
		return 1;
	return match->definitions->groups[group].nr_members;
}

static int compare_uses(const void *left, const void *right)
{
	const struct io_use *a = left, *b = right;

	if (a->handle != b->handle)
		return a->handle < b->handle ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

/* The uses of one handle, which its communicator's members open and use together. */
static void check_together(struct measure_match *match, const struct io_use *uses, size_t nr)
{
	const uint32_t nr_expected = nr_members(match, uses->handle);

	if (nr != nr_expected)
		report_use(match, uses, "members of its communicator use it", nr, nr_expected);
	for (size_t i = 1; i < nr; i++) {
		if (uses[i].nr_opened != uses->nr_opened)
			report_use(match, &uses[i], "times opened here", uses[i].nr_opened,
				uses->nr_opened);
		if (uses[i].nr_collective != uses->nr_collective)
			report_use(match, &uses[i], "collective operations here",
				uses[i].nr_collective, uses->nr_collective);
	}
}

/* ----------------------------------------------------------------------- all --- */

void io_event(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	if (event->ref == MEASURE_NONE)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_IO_CREATE_HANDLE:
		open_handle(match, event, point);
		break;
	case MEASURE_EVENT_IO_DUPLICATE_HANDLE:
		duplicate_handle(match, event, point);
		break;
	case MEASURE_EVENT_IO_DESTROY_HANDLE:
		close_handle(match, event, point);
		break;
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
		match_io_begin(match, event, point);
		break;
	case MEASURE_EVENT_IO_OPERATION_ISSUED:
	case MEASURE_EVENT_IO_OPERATION_TEST:
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
	case MEASURE_EVENT_IO_OPERATION_CANCELLED:
		go_on(match, event, point);
		break;
	default:
		use_handle(match, event, point);
		break;
	}
}

/* A thread may wait for input when its process ends. */
static bool is_under_way(const struct measure_match *match, const struct io_operation *operation)
{
	return !operation->is_nonblocking &&
	       match->doing[operation->begin.location] == operation->begin.position;
}

void io_end_process(struct measure_match *match)
{
	struct io *io = &match->io;

	for (size_t i = 0; i < io->nr_operations; i++) {
		const struct io_operation *operation = &io->operations[i];

		if (operation->is_open && !is_under_way(match, operation))
			measure_report_excused(match->findings, MEASURE_CHECK_IO_OPEN,
				measure_match_is_cut(match, match->process),
				place_of(&operation->begin),
				"operation %llu on %s is never completed",
				(unsigned long long)operation->number,
				match->definitions->io_handles[operation->handle].label);
	}
	measure_map_clear(&io->operation_ids);
	io->nr_operations = 0;
	io->first_free = MEASURE_NONE;
}

void io_finish(struct measure_match *match)
{
	struct io *io = &match->io;
	size_t end;

	measure_sort(io->uses, io->nr_uses, compare_uses);
	for (size_t i = 0; i < io->nr_uses; i = end) {
		for (end = i + 1; end < io->nr_uses; end++)
			if (io->uses[end].handle != io->uses[i].handle)
				break;
		if (match->definitions->io_handles[io->uses[i].handle].comm != MEASURE_NONE)
			check_together(match, io->uses + i, end - i);
	}
}

const struct measure_file_counts *measure_match_files(const struct measure_match *match)
{
	return &match->io.counts;
}

/* A process is read by one of them. */
void io_join(struct io *io, struct io *others)
{
	for (size_t i = 0; i < others->nr_uses; i++)
		*measure_append(io, uses) = others->uses[i];

	io->counts.nr_opened += others->counts.nr_opened;
	io->counts.nr_operations += others->counts.nr_operations;
	io->counts.bytes_read += others->counts.bytes_read;
	io->counts.bytes_written += others->counts.bytes_written;
}

void io_free(struct io *io)
{
	measure_map_free(&io->operation_ids);
	measure_map_free(&io->use_ids);
	measure_free(io->operations);
	measure_free(io->uses);
}
