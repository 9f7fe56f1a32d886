/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matcher's front: hands each event to the part that matches its kind, keeps what is
 * known of each process, and gives out the instances. */
#include "config.h"

#include "match_internal.h"

#include <otf2/OTF2_Events.h>
#include <stdio.h>
#include <string.h>

const struct measure_relation_info measure_relations[MEASURE_NR_RELATIONS] = {
#define CERTAIN true
#define ASSUMED false
#define ON      true
#define OFF     false
#define RELATION(NAME, row, word, pattern, certainty, default, text)                               \
	{row, word, MEASURE_PATTERN_##pattern, certainty, default, text},
#include "relations.def"
#undef RELATION
#undef OFF
#undef ON
#undef ASSUMED
#undef CERTAIN
};

/* Not all tools do it. */
static bool are_creations_recorded(const struct measure_definitions *definitions)
{
	for (size_t i = 0; i < definitions->nr_comms; i++)
		if (definitions->comms[i].parent != MEASURE_NONE &&
			!(definitions->comms[i].flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS))
			return false;
	return true;
}

struct measure_match *measure_match_new(
	struct measure_trace *trace, measure_instance_fn deliver, void *data)
{
	struct measure_match *match = measure_zeroed(1, sizeof(*match));
	const struct measure_definitions *definitions = &trace->definitions;

	match->trace = trace;
	match->definitions = definitions;
	match->findings = trace->findings;
	match->deliver = deliver;
	match->data = data;
	match->marks.archive = trace->anchor;
	measure_selection_default(&match->selection);
	if (trace->selection)
		match->selection = *trace->selection;
	match->are_creations_recorded = are_creations_recorded(definitions);
	match->process = MEASURE_NONE;
	match->location = MEASURE_NONE;
	match->requests.first_free = MEASURE_NONE;
	match->io.first_free = MEASURE_NONE;
	match->rma_collectives.is_rma = true;
	match->rma.first_free = MEASURE_NONE;
	match->rma.lives = measure_zeroed(definitions->nr_windows, sizeof(uint8_t));
	measure_ranks_start(&match->ranks, definitions);
	regions_start(match);
	match->processes = measure_zeroed(definitions->nr_location_groups, sizeof(struct process));
	return match;
}

void measure_match_take_pairs(struct measure_match *match, measure_pairs_fn deliver)
{
	match->deliver_pairs = deliver;
}

struct measure_marks *measure_match_marks(struct measure_match *match)
{
	return &match->marks;
}

static void free_reading(struct measure_match *match)
{
	requests_free(&match->requests);
	rma_free(&match->rma);
	teams_free(&match->teams);
	tasks_free(&match->tasks);
	threads_free(&match->threads);
	measure_ranks_free(&match->ranks);
	measure_free(match->region_kinds);
}

void measure_match_end_reading(struct measure_match *match)
{
	measure_match_end_process(match);
	free_reading(match);
	match->requests = (struct requests){.nr_slots = 0};
	match->rma = (struct rma){.nr_operations = 0};
	match->teams = (struct teams){.nr_teams = 0};
	match->tasks = (struct tasks){.nr = 0};
	match->threads = (struct threads){{0}};
	match->ranks = (struct measure_ranks){.is_filled = NULL};
	match->region_kinds = NULL;
	collectives_end_reading(&match->collectives);
	collectives_end_reading(&match->rma_collectives);
}

void measure_match_free(struct measure_match *match)
{
	if (!match)
		return;
	free_reading(match);
	messages_free(&match->messages);
	collectives_free(&match->collectives);
	collectives_free(&match->rma_collectives);
	io_free(&match->io);
	epochs_free(&match->epochs);
	rendezvous_free(&match->rendezvous);
	spawns_free(&match->spawns);
	measure_marks_free(&match->marks);
	measure_free(match->processes);
	measure_free(match->sends);
	measure_free(match->receives);
	measure_free(match);
}

struct measure_point point_of(const struct measure_match *match, const struct measure_event *event)
{
	return (struct measure_point){.time = event->time,
		.raw = event->raw,
		.position = event->position,
		.location = match->location};
}

uint32_t mark_of(struct measure_match *match, const struct measure_point *point)
{
	return measure_marks_add(&match->marks, point->raw, point->position, point->location);
}

struct measure_point point_of_mark(const struct measure_match *match, uint32_t mark, uint32_t rank)
{
	const struct measure_mark *event = measure_mark_at(&match->marks, mark);

	return (struct measure_point){
		measure_offsets_apply_at(&match->trace->offsets[event->location], event->raw),
		event->raw, event->position, event->location, rank, mark + 1};
}

struct measure_place place_of_mark(const struct measure_match *match, uint32_t mark)
{
	const struct measure_point point = point_of_mark(match, mark, 0);

	return place_of(&point);
}

struct measure_place place_of(const struct measure_point *point)
{
	return (struct measure_place){point->location, point->time, point->position};
}

void instance_add_send(struct measure_match *match, const struct measure_point *point)
{
	match->sends = measure_grow(
		match->sends, match->nr_sends, &match->room_sends, sizeof(*match->sends));
	match->sends[match->nr_sends++] = *point;
}

void instance_add_receive(struct measure_match *match, const struct measure_point *point)
{
	match->receives = measure_grow(match->receives, match->nr_receives, &match->room_receives,
		sizeof(*match->receives));
	match->receives[match->nr_receives++] = *point;
}

void instance_hand_out(struct measure_match *match, enum measure_relation relation, uint32_t comm,
	uint32_t tag, uint64_t ordinal)
{
	struct measure_instance instance = {relation, comm, tag, ordinal, match->nr_sends,
		match->nr_receives, match->sends, match->receives};

	if (relation != MEASURE_RELATION_NONE && match->selection.is_on[relation] &&
		instance.nr_sends && instance.nr_receives)
		match->deliver(match->data, &instance);
	match->nr_sends = 0;
	match->nr_receives = 0;
}

bool measure_match_is_cut(const struct measure_match *match, uint32_t index)
{
	const struct process *process;

	if (index >= match->definitions->nr_location_groups)
		return false;
	process = &match->processes[index];
	if (!process->has_events || process->is_damaged || process->has_failed)
		return true;
	return (process->has_program_begin && !process->has_program_end) ||
	       (process->has_init && !process->has_finalize);
}

/* Of MPI_Init and MPI_Finalize. */
static void mark_program(struct measure_match *match, struct process *process)
{
	struct measure_point *points[] = {&process->init_enter, &process->init_leave,
		&process->finalize_enter, &process->finalize_leave};
	const bool are_there[] = {process->has_init, process->has_init_leave, process->has_finalize,
		process->has_finalize_leave};

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
		if (are_there[i])
			points[i]->mark = mark_of(match, points[i]) + 1;
}

void measure_match_end_process(struct measure_match *match)
{
	if (match->process == MEASURE_NONE)
		return;
	mark_program(match, &match->processes[match->process]);
	requests_end_process(match);
	messages_end_process(match);
	collectives_end_process(&match->collectives);
	collectives_end_process(&match->rma_collectives);
	rma_end_process(match);
	io_end_process(match);
	waits_prepare(match);
	teams_end_process(match);
	tasks_end_process(match);
	threads_end_process(match);
	match->process = MEASURE_NONE;
}

void measure_match_begin_location(struct measure_match *match, uint32_t location)
{
	uint32_t process = match->definitions->locations[location].group;

	if (process != match->process) {
		measure_match_end_process(match);
		match->whole_until = UINT64_MAX;
	}
	match->process = process;
	match->location = location;
	match->last_time = 0;
	match->epochs.call = REGION_PLAIN;
	match->depth = 0;
	match->send = SIZE_MAX;
	begins_begin_location(&match->collectives);
	begins_begin_location(&match->rma_collectives);
	teams_begin_location(match);
	runs_begin_location(match);
	spawns_begin_location(match);
	rendezvous_begin_location(match);
}

static void enter_region(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];

	switch (match->region_kinds[event->ref]) {
	case REGION_INIT:
		if (!process->has_init)
			process->init_enter = point_of(match, event);
		process->has_init = true;
		break;
	case REGION_FINALIZE:
		if (!process->has_finalize)
			process->finalize_enter = point_of(match, event);
		process->has_finalize = true;
		break;
	case REGION_SPAWN:
		spawns_enter(match, event);
		break;
	case REGION_SEND:
	case REGION_SYNCHRONOUS_SEND:
	case REGION_READY_SEND:
	case REGION_RECEIVE:
	case REGION_MATCHED_PROBE:
		rendezvous_enter(match, event, match->region_kinds[event->ref]);
		break;
	case REGION_BARRIER:
		teams_event(match, event);
		break;
	case REGION_TASK_WAIT:
	case REGION_TASK_GROUP:
		waits_enter(match, match->region_kinds[event->ref]);
		break;
	case REGION_WIN_POST:
	case REGION_WIN_START:
	case REGION_WIN_COMPLETE:
	case REGION_WIN_WAIT:
		epochs_enter(match, event, match->region_kinds[event->ref]);
		break;
	}
}

static void leave_region(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];
	struct measure_point point = point_of(match, event);

	switch (match->region_kinds[event->ref]) {
	case REGION_INIT:
		process->init_leave = point;
		process->has_init_leave = process->has_init;
		break;
	case REGION_FINALIZE:
		process->finalize_leave = point;
		process->has_finalize_leave = process->has_finalize;
		break;
	case REGION_SPAWN:
		spawns_leave(match, event);
		break;
	case REGION_SEND:
	case REGION_SYNCHRONOUS_SEND:
	case REGION_READY_SEND:
	case REGION_RECEIVE:
	case REGION_MATCHED_PROBE:
		rendezvous_leave(match, event);
		break;
	case REGION_BARRIER:
		teams_event(match, event);
		break;
	case REGION_TASK_WAIT:
	case REGION_TASK_GROUP:
	case REGION_TASK_GROUP_WAIT:
		waits_leave(match, match->region_kinds[event->ref], &point);
		break;
	}
}

static void collective_end(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point end = point_of(match, event);
	struct measure_point begin;

	if (begins_take(match, &match->collectives, &end, &begin))
		collectives_add(match, event, &begin, &end, false);
}

static void rma_collective_end(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point end = point_of(match, event);
	struct measure_point begin;

	if (begins_take(match, &match->rma_collectives, &end, &begin))
		collectives_add_rma(match, event, &begin, &end);
}

static void blocking_message(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point point = point_of(match, event);

	const bool is_send = event->kind == MEASURE_EVENT_MPI_SEND;
	const size_t added = messages_add(match, event, &point, &point, is_send, false);

	rendezvous_blocking(match, added, &point, is_send);
	if (is_send) {
		match->send = added;
		match->send_depth = match->depth;
	}
}

/* What a refused call has begun did not happen. */
static void leave_call(struct measure_match *match, bool is_refused)
{
	if (is_refused && match->send_depth == match->depth)
		messages_cancel(match, match->send);
	if (match->send_depth == match->depth)
		match->send = SIZE_MAX;
	match->depth -= match->depth > 0;
	begins_leave(match, &match->collectives, is_refused);
	begins_leave(match, &match->rma_collectives, is_refused);
}

/* What is done with windows and files: most of it waits for the other threads of the process. */
static void window_or_file(struct measure_match *match, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_RMA_COLLECTIVE_BEGIN:
		begins_add(match, &match->rma_collectives, event);
		break;
	case MEASURE_EVENT_RMA_COLLECTIVE_END:
		rma_collective_end(match, event);
		requests_event(match, event);
		break;
	case MEASURE_EVENT_RMA_GROUP_SYNC:
		epochs_sync(match, event);
		requests_event(match, event);
		break;
	case MEASURE_EVENT_IO_CREATE_HANDLE:
	case MEASURE_EVENT_IO_DESTROY_HANDLE:
	case MEASURE_EVENT_IO_DUPLICATE_HANDLE:
	case MEASURE_EVENT_IO_SEEK:
	case MEASURE_EVENT_IO_CHANGE_STATUS_FLAGS:
	case MEASURE_EVENT_IO_OPERATION_BEGIN:
	case MEASURE_EVENT_IO_OPERATION_ISSUED:
	case MEASURE_EVENT_IO_OPERATION_TEST:
	case MEASURE_EVENT_IO_OPERATION_COMPLETE:
	case MEASURE_EVENT_IO_OPERATION_CANCELLED:
	case MEASURE_EVENT_IO_ACQUIRE_LOCK:
	case MEASURE_EVENT_IO_RELEASE_LOCK:
	case MEASURE_EVENT_IO_TRY_LOCK:
	case MEASURE_EVENT_RMA_WIN_CREATE:
	case MEASURE_EVENT_RMA_WIN_DESTROY:
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
	case MEASURE_EVENT_RMA_ACQUIRE_LOCK:
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
	case MEASURE_EVENT_RMA_PUT:
	case MEASURE_EVENT_RMA_GET:
	case MEASURE_EVENT_RMA_ATOMIC:
	case MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING:
	case MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE:
	case MEASURE_EVENT_RMA_OP_TEST:
		requests_event(match, event);
		break;
	}
}

/* Nobody has to be asked for a communicator of one: MPICH makes Cartesian ones of no dimensions so. */
static bool has_others(const struct measure_match *match, uint32_t comm)
{
	const struct measure_definitions *definitions = match->definitions;

	if (comm == MEASURE_NONE)
		return false;
	return definitions->comms[comm].is_inter ||
	       definitions->groups[definitions->comms[comm].groups[0]].nr_members > 1;
}

static void thread_window_or_file(struct measure_match *match, const struct measure_event *event)
{
	switch (event->kind) {
	case MEASURE_EVENT_THREAD_FORK:
	case MEASURE_EVENT_THREAD_JOIN:
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
	case MEASURE_EVENT_THREAD_TEAM_END:
		teams_event(match, event);
		runs_team(match, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_CREATE:
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		tasks_event(match, event);
		break;
	case MEASURE_EVENT_THREAD_CREATE:
	case MEASURE_EVENT_THREAD_BEGIN:
	case MEASURE_EVENT_THREAD_WAIT:
	case MEASURE_EVENT_THREAD_END:
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
		threads_event(match, event);
		break;
	default:
		window_or_file(match, event);
		break;
	}
}

/* From then on events of the process are missing. */
static void miss_events(struct measure_match *match, uint64_t time)
{
	match->processes[match->process].is_damaged = true;
	if (time < match->whole_until)
		match->whole_until = time;
}

void measure_match_event(struct measure_match *match, const struct measure_event *event)
{
	struct process *process;

	if (match->process == MEASURE_NONE)
		return; /* its location group is not defined: reported with the definitions */
	process = &match->processes[match->process];
	if (!match->last_time)
		processes_first_event(match, event);
	process->has_events = true;
	match->last_time = event->time;
	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
		match->depth++;
		if (event->ref != MEASURE_NONE)
			enter_region(match, event);
		break;
	case MEASURE_EVENT_LEAVE:
		leave_call(match, event->is_refused);
		if (event->ref != MEASURE_NONE)
			leave_region(match, event);
		break;
	case MEASURE_EVENT_MPI_SEND:
	case MEASURE_EVENT_MPI_RECV:
		blocking_message(match, event);
		break;
	case MEASURE_EVENT_MPI_ISEND:
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
	case MEASURE_EVENT_MPI_IRECV:
	case MEASURE_EVENT_MPI_REQUEST_TEST:
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		requests_event(match, event);
		break;
	case MEASURE_EVENT_COMM_CREATE:
		match->has_created |= has_others(match, event->ref);
		if (event->ref != MEASURE_NONE)
			spawns_create(match, event);
		break;
	case MEASURE_EVENT_MPI_COLLECTIVE_BEGIN:
		match->has_created = false;
		begins_add(match, &match->collectives, event);
		break;
	case MEASURE_EVENT_MPI_COLLECTIVE_END:
		collective_end(match, event);
		break;
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		if (event->op == OTF2_MEASUREMENT_OFF)
			miss_events(match, event->time);
		break;
	case MEASURE_EVENT_PROGRAM_BEGIN:
		process->has_program_begin = true;
		process->program_begin = point_of(match, event);
		break;
	case MEASURE_EVENT_PROGRAM_END:
		process->has_program_end = true;
		process->has_failed = event->number != 0;
		break;
	default:
		thread_window_or_file(match, event);
		break;
	}
}

void measure_match_end_location(struct measure_match *match, bool is_whole)
{
	if (match->process == MEASURE_NONE)
		return;
	is_whole &= !match->definitions->locations[match->location].is_truncated;
	if (!is_whole)
		miss_events(match, match->last_time);
	begins_end_location(match, &match->collectives);
	begins_end_location(match, &match->rma_collectives);
}

void measure_match_finish(struct measure_match *match)
{
	measure_match_end_process(match);
	processes_finish(match);
	messages_finish(match);
	collectives_finish(match, &match->collectives);
	collectives_finish(match, &match->rma_collectives);
	io_finish(match);
	epochs_finish(match);
}
