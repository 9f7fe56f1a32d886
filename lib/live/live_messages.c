/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are under way, from all that the processes have recorded: sends of a lane less
 * receives of it; see live_rollcall.h. */
#include "config.h"

#include <string.h>

#include "assemble/part/part_cut.h"
#include "assemble/part/part_fold.h"
#include "format/event_chunk.h"
#include "live_rollcall.h"
#include "trace/stream/decoder.h"

static void take_fields(struct measure_event *event, const struct measure_record *record)
{
	const struct measure_record_format *format = &measure_record_formats[record->kind];

	*event = (struct measure_event){.time = record->time, .kind = (uint8_t)record->kind};
	for (uint8_t i = 0; i < format->nr_fields; i++) {
		if (format->fields[i].slot == MEASURE_SLOT_ref)
			event->ref = (uint32_t)record->values[i];
		else if (format->fields[i].slot == MEASURE_SLOT_peer)
			event->peer = (uint32_t)record->values[i];
		else if (format->fields[i].slot == MEASURE_SLOT_tag)
			event->tag = (uint32_t)record->values[i];
	}
}

/* Of the chunk that was read: events up to number `last`, as many as were committed. */
static void count_chunk(
	const struct measure_live *live, size_t size, uint64_t last, struct measure_cut *cut)
{
	struct measure_event_decoder decoder;
	struct measure_chunk_header header;
	struct measure_event event;

	if (measure_chunk_header_read(live->chunk, size, &header) != MEASURE_OK)
		return;
	measure_event_decoder_open_memory(
		&decoder, live->chunk, size, live->segment.layout.chunk_size);
	for (uint64_t i = header.first_event; i <= last; i++) {
		const struct measure_record *record = measure_event_decoder_next(&decoder);

		if (!record)
			break;
		take_fields(&event, record);
		measure_cut_take(cut, &event);
	}
	measure_event_decoder_close(&decoder);
}

/* False: some of its events are gone. */
static bool count_location(struct live_process *process, uint32_t location, struct measure_cut *cut)
{
	struct measure_live *live = &process->live;
	const uint64_t word = atomic_load_explicit(
		&live->segment.locations[location].committed, memory_order_acquire);
	const uint32_t nr_chunks = atomic_load(&live->segment.locations[location].nr_chunks);
	bool is_whole = true;
	uint64_t nr_folded;
	size_t got;

	if (measure_part_fold_reach(live->part_fd, location, &nr_folded) == MEASURE_OK &&
		nr_folded > 0)
		return false;
	for (uint32_t i = 0; i < nr_chunks && is_whole; i++) {
		is_whole = measure_live_chunk(live, location, i, &got) == MEASURE_OK;
		if (is_whole)
			count_chunk(live, got, measure_committed_events(word), cut);
	}
	return is_whole && atomic_load(&live->segment.locations[location].drop_lost) == 0;
}

/* A lane in the words of the job; the other side of it adds or subtracts. */
static measure_status_t add_lane(struct live_rollcall *rollcall, const struct live_process *process,
	const struct measure_cut_lane *lane)
{
	const uint32_t self = (uint32_t)(process->place - rollcall->run->job.processes.items);
	const uint32_t comm = live_rollcall_comm(rollcall, process, lane->space);
	const uint32_t peer = live_rollcall_member(rollcall, comm, lane->peer);
	const bool is_send = lane->kind == MEASURE_CUT_SEND;
	const struct measure_roll_message message = {is_send ? self : peer, is_send ? peer : self,
		comm, lane->tag, is_send ? lane->nr : -lane->nr};

	if (comm == UINT32_MAX || peer == MEASURE_ROLL_ANY)
		return MEASURE_OK;
	return measure_array_push(&rollcall->call.messages, message);
}

static int compare_messages(const void *left, const void *right)
{
	const struct measure_roll_message *a = left, *b = right;
	const uint32_t words[][2] = {
		{a->to, b->to}, {a->from, b->from}, {a->comm, b->comm}, {a->tag, b->tag}};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (words[i][0] != words[i][1])
			return words[i][0] < words[i][1] ? -1 : 1;
	return 0;
}

/* Both sides of a lane become one; what was received is more than what was sent where a process was
 * looked at later: nothing is under way then. */
static void join_lanes(struct measure_rollcall *call)
{
	size_t nr = 0;

	if (call->messages.nr > 0)
		qsort(call->messages.items, call->messages.nr, sizeof(*call->messages.items),
			compare_messages);
	for (size_t i = 0; i < call->messages.nr; i++) {
		struct measure_roll_message *last = nr ? &call->messages.items[nr - 1] : NULL;
		if (last && compare_messages(last, &call->messages.items[i]) == 0)
			last->nr += call->messages.items[i].nr;
		else
			call->messages.items[nr++] = call->messages.items[i];
	}
	call->messages.nr = nr;
	for (size_t i = 0; i < nr; i++)
		if ((int64_t)call->messages.items[i].nr < 0)
			call->messages.items[i].nr = 0;
}

/* Requests that its threads wait for are not open besides. */
static uint32_t nr_awaited(const struct measure_rollcall *call, uint32_t process)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < call->threads.nr; i++) {
		const struct measure_roll_thread *thread = &call->threads.items[i];
		if (thread->process == process && thread->state == MEASURE_ROLL_BLOCKED &&
			thread->call && strncmp(thread->call, "MPI_Wait", 8) == 0)
			nr += thread->nr_needs;
	}
	return nr;
}

static measure_status_t add_process(struct live_rollcall *rollcall, struct live_process *process)
{
	const uint32_t self = (uint32_t)(process->place - rollcall->run->job.processes.items);
	struct measure_cut cut = {.nr_lanes = 0};
	measure_status_t status = MEASURE_OK;
	int64_t nr_open;

	for (uint32_t i = 0; i < process->stacks.nr; i++)
		if (!count_location(process, i, &cut))
			rollcall->call.is_incomplete = true;
	rollcall->call.is_incomplete |= cut.has_overflowed;
	for (size_t i = 0; i < cut.nr_lanes && status == MEASURE_OK; i++)
		if (cut.lanes[i].kind == MEASURE_CUT_SEND ||
			cut.lanes[i].kind == MEASURE_CUT_RECEIVE)
			status = add_lane(rollcall, process, &cut.lanes[i]);
	nr_open = cut.nr_open - nr_awaited(&rollcall->call, self);
	rollcall->call.processes.items[self].nr_open_receives = nr_open > 0 ? (uint32_t)nr_open : 0;
	measure_cut_free(&cut);
	return status;
}

measure_status_t live_messages_find(struct live_rollcall *rollcall)
{
	struct live_run *run = rollcall->run;
	measure_status_t status = MEASURE_OK;

	rollcall->call.messages.nr = 0;
	for (size_t i = 0; i < run->processes.nr && status == MEASURE_OK; i++)
		if (run->processes.items[i].state == LIVE_RUNNING && run->processes.items[i].place)
			status = add_process(rollcall, &run->processes.items[i]);
	join_lanes(&rollcall->call);
	return status;
}
