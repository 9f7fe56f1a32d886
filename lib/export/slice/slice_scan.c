/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the locations of one process up to the end of the window. What one location is enough to
 * understand is read ahead; the rest is taken in the order of time. */
#include "config.h"

#include "slice_internal.h"

struct slice_reader {
	struct measure_stream stream;
	const struct measure_event *next; /* NULL: there are no more */
	struct slice_local local;
};

struct slice_scan {
	struct slice *slice;
	struct slice_reader *readers;
	size_t nr;
	struct slice_operations *operations;
	struct slice_state *state;
	bool has_until;
};

/* Requests, windows and files may be used by all threads of a process, tasks go from one to the
 * other. */
static bool is_of_process(const struct measure_event *event)
{
	return (event->kind >= MEASURE_EVENT_MPI_SEND &&
		       event->kind <= MEASURE_EVENT_COMM_DESTROY) ||
	       (event->kind >= MEASURE_EVENT_THREAD_TASK_CREATE &&
		       event->kind <= MEASURE_EVENT_THREAD_END) ||
	       (event->kind >= MEASURE_EVENT_RMA_WIN_CREATE &&
		       event->kind <= MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE) ||
	       (event->kind >= MEASURE_EVENT_IO_CREATE_HANDLE &&
		       event->kind <= MEASURE_EVENT_IO_TRY_LOCK);
}

static bool is_call(const struct measure_event *event)
{
	return event->kind == MEASURE_EVENT_ENTER || event->kind == MEASURE_EVENT_LEAVE;
}

static void take_local(struct slice_scan *scan, struct slice_reader *reader)
{
	const struct measure_event *event = reader->next;
	struct slice_local *local = &reader->local;

	slice_local_cut(local, event);
	if (!is_call(event)) {
		slice_local_event(local, &reader->stream, event);
		return;
	}
	slice_local_call(local, event);
	if (event->kind == MEASURE_EVENT_LEAVE)
		slice_operations_leave(
			scan->operations, local->location, local->depth, event->is_refused);
}

/* To the next event that is not of this location alone, or lies after the window. */
static void advance(struct slice_scan *scan, struct slice_reader *reader)
{
	const uint64_t until = scan->slice->until;

	while ((reader->next = measure_stream_next(&reader->stream))) {
		if (is_of_process(reader->next))
			return;
		if (reader->next->time > until) {
			if (!scan->has_until)
				return;
			continue;
		}
		take_local(scan, reader);
	}
}

/* The one whose event comes next; NULL: there is none. */
static struct slice_reader *pick(const struct slice_scan *scan)
{
	struct slice_reader *best = NULL;

	for (size_t i = 0; i < scan->nr; i++) {
		struct slice_reader *reader = &scan->readers[i];

		if (reader->next && (!best || reader->next->time < best->next->time))
			best = reader;
	}
	return best;
}

/* All locations have come to the end of the window. */
static void end_window(struct slice_scan *scan)
{
	if (scan->has_until)
		return;
	scan->has_until = true;
	for (size_t i = 0; i < scan->nr; i++) {
		if (scan->readers[i].next)
			slice_local_cut(&scan->readers[i].local, scan->readers[i].next);
		slice_operations_late(scan->operations, scan->readers[i].local.location);
	}
	slice_state_from(scan->state);
	slice_state_until(scan->state);
}

static void read_events(struct slice_scan *scan)
{
	struct slice_reader *reader;

	for (size_t i = 0; i < scan->nr; i++)
		advance(scan, &scan->readers[i]);
	while ((reader = pick(scan))) {
		const struct measure_event *event = reader->next;

		if (event->time >= scan->slice->from)
			slice_state_from(scan->state);
		if (event->time > scan->slice->until) {
			end_window(scan);
			if (slice_operations_nr_open(scan->operations) == 0)
				return;
		} else {
			take_local(scan, reader);
			slice_state_event(scan->state, &reader->local, event);
		}
		slice_operations_event(
			scan->operations, reader->local.location, event, reader->local.depth);
		advance(scan, reader);
	}
	end_window(scan);
}

/* A file that breaks off ends there. */
measure_status_t slice_scan(struct slice *slice, uint32_t process)
{
	const struct slice_process *of = &slice->processes[process];
	struct slice_scan scan = {.slice = slice,
		.nr = of->nr_locations,
		.operations = slice_operations_new(slice, process),
		.state = slice_state_new(slice, process)};
	uint64_t nr_read;

	scan.readers = measure_zeroed(scan.nr, sizeof(*scan.readers));
	for (size_t i = 0; i < scan.nr; i++) {
		const uint32_t location = of->locations[i];

		scan.readers[i].local = (struct slice_local){.slice = slice,
			.of = &slice->locations[location],
			.location = location,
			.frames.task = {MEASURE_NONE, 0, 0}};
		measure_stream_open(&scan.readers[i].stream, slice->trace, location);
	}
	read_events(&scan);
	for (size_t i = 0; i < scan.nr; i++) {
		measure_stream_close(&scan.readers[i].stream, &nr_read);
		slice_local_end(&scan.readers[i].local);
	}
	slice_operations_free(scan.operations, of->has_after);
	slice_state_free(scan.state);
	measure_free(scan.readers);
	return MEASURE_OK;
}
