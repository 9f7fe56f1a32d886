/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The events of a location, each handed to the part of the matcher that its kind is for. */
#include "config.h"

#include "match_internal.h"

void measure_match_begin_location(struct measure_match *match, uint32_t location)
{
	uint32_t process = match->definitions->locations[location].group;

	if (process != match->process) {
		measure_match_end_process(match);
		match->whole_until = UINT64_MAX;
	}
	match->process = process;
	match->location = location;
	match->calls.last_time = 0;
	match->epochs.call = REGION_PLAIN;
	match->calls.depth = 0;
	match->calls.send = SIZE_MAX;
	match->calls.doing = &match->doing[location];
	match->calls.nr_begins = 0;
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

	switch (match->calls.region_kinds[event->ref]) {
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
	case REGION_SEND_RECEIVE:
	case REGION_MATCHED_PROBE:
	case REGION_REQUEST_FREE:
		rendezvous_enter(match, event, match->calls.region_kinds[event->ref]);
		break;
	case REGION_BARRIER:
		teams_event(match, event);
		break;
	case REGION_TASK_WAIT:
	case REGION_TASK_GROUP:
		waits_enter(match, match->calls.region_kinds[event->ref]);
		break;
	case REGION_WIN_POST:
	case REGION_WIN_START:
	case REGION_WIN_COMPLETE:
	case REGION_WIN_WAIT:
		epochs_enter(match, event, match->calls.region_kinds[event->ref]);
		break;
	}
}

static void leave_region(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];
	struct measure_point point = point_of(match, event);

	switch (match->calls.region_kinds[event->ref]) {
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
	case REGION_SEND_RECEIVE:
	case REGION_MATCHED_PROBE:
	case REGION_REQUEST_FREE:
		rendezvous_leave(match, event);
		break;
	case REGION_BARRIER:
		teams_event(match, event);
		break;
	case REGION_TASK_WAIT:
	case REGION_TASK_GROUP:
	case REGION_TASK_GROUP_WAIT:
		waits_leave(match, match->calls.region_kinds[event->ref], &point);
		break;
	}
}

static void events_enter(struct measure_match *match, const struct measure_event *event)
{
	match->calls.depth++;
	if (event->ref != MEASURE_NONE)
		enter_region(match, event);
}

/* What a refused call has begun did not happen. */
static void leave_call(struct measure_match *match, bool is_refused)
{
	if (is_refused && match->calls.send_depth == match->calls.depth)
		messages_cancel(match, match->calls.send);
	if (match->calls.send_depth == match->calls.depth)
		match->calls.send = SIZE_MAX;
	match->calls.depth -= match->calls.depth > 0;
	begins_leave(match, &match->collectives, is_refused);
	begins_leave(match, &match->rma_collectives, is_refused);
}

static void events_leave(struct measure_match *match, const struct measure_event *event)
{
	leave_call(match, event->is_refused);
	if (event->ref != MEASURE_NONE)
		leave_region(match, event);
}

static void blocking_message(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point point = point_of(match, event);
	const bool is_send = event->kind == MEASURE_EVENT_MPI_SEND;
	const size_t added = messages_add(match, event, &point, &point, is_send, false);

	rendezvous_blocking(match, added, &point, is_send);
	if (is_send) {
		match->calls.send = added;
		match->calls.send_depth = match->calls.depth;
	}
}

static void collective_begin(struct measure_match *match, const struct measure_event *event)
{
	match->has_created = false;
	begins_add(match, &match->collectives, event);
}

static void collective_end(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point end = point_of(match, event);
	struct measure_point begin;

	if (begins_take(match, &match->collectives, &end, &begin))
		collectives_add(match, event, &begin, &end, false);
}

/* Nobody has to be asked for a communicator of one: so MPICH makes Cartesian ones of no
 * dimensions. */
static bool has_others(const struct measure_match *match, uint32_t comm)
{
	const struct measure_definitions *definitions = match->definitions;

	if (comm == MEASURE_NONE)
		return false;
	return definitions->comms[comm].is_inter ||
	       definitions->groups[definitions->comms[comm].groups[0]].nr_members > 1;
}

static void comm_create(struct measure_match *match, const struct measure_event *event)
{
	match->has_created |= has_others(match, event->ref);
	if (event->ref != MEASURE_NONE)
		spawns_create(match, event);
}

static void rma_collective_begin(struct measure_match *match, const struct measure_event *event)
{
	begins_add(match, &match->rma_collectives, event);
}

static void rma_collective_end(struct measure_match *match, const struct measure_event *event)
{
	struct measure_point end = point_of(match, event);
	struct measure_point begin;

	if (begins_take(match, &match->rma_collectives, &end, &begin))
		collectives_add_rma(match, event, &begin, &end);
	requests_event(match, event);
}

static void rma_group_sync(struct measure_match *match, const struct measure_event *event)
{
	epochs_sync(match, event);
	requests_event(match, event);
}

static void team(struct measure_match *match, const struct measure_event *event)
{
	teams_event(match, event);
	runs_team(match, event);
}

/* From then on events of the process are missing. */
static void miss_events(struct measure_match *match, uint64_t time)
{
	if (time < match->whole_until)
		match->whole_until = time;
}

static void on_off(struct measure_match *match, const struct measure_event *event)
{
	if (event->op != OTF2_MEASUREMENT_OFF)
		return;
	match->processes[match->process].has_been_off = true;
	miss_events(match, event->time);
}

static void program_begin(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];

	process->has_program_begin = true;
	process->program_begin = point_of(match, event);
}

static void program_end(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];

	process->has_program_end = true;
	process->has_failed = event->number != 0;
}

/* Requests, windows and files wait for the other threads of the process. */
static void (*const handlers[MEASURE_NR_EVENT_KINDS])(
	struct measure_match *match, const struct measure_event *event) = {
	[MEASURE_EVENT_ENTER] = events_enter,
	[MEASURE_EVENT_LEAVE] = events_leave,
	[MEASURE_EVENT_MPI_SEND] = blocking_message,
	[MEASURE_EVENT_MPI_RECV] = blocking_message,
	[MEASURE_EVENT_COMM_CREATE] = comm_create,
	[MEASURE_EVENT_MPI_COLLECTIVE_BEGIN] = collective_begin,
	[MEASURE_EVENT_MPI_COLLECTIVE_END] = collective_end,
	[MEASURE_EVENT_RMA_COLLECTIVE_BEGIN] = rma_collective_begin,
	[MEASURE_EVENT_RMA_COLLECTIVE_END] = rma_collective_end,
	[MEASURE_EVENT_RMA_GROUP_SYNC] = rma_group_sync,
	[MEASURE_EVENT_THREAD_FORK] = team,
	[MEASURE_EVENT_THREAD_JOIN] = team,
	[MEASURE_EVENT_THREAD_TEAM_BEGIN] = team,
	[MEASURE_EVENT_THREAD_TEAM_END] = team,
	[MEASURE_EVENT_THREAD_TASK_CREATE] = tasks_event,
	[MEASURE_EVENT_THREAD_TASK_SWITCH] = tasks_event,
	[MEASURE_EVENT_THREAD_TASK_COMPLETE] = tasks_event,
	[MEASURE_EVENT_PARAMETER_UNSIGNED_INT] = tasks_parameter,
	[MEASURE_EVENT_THREAD_CREATE] = threads_event,
	[MEASURE_EVENT_THREAD_BEGIN] = threads_event,
	[MEASURE_EVENT_THREAD_WAIT] = threads_event,
	[MEASURE_EVENT_THREAD_END] = threads_event,
	[MEASURE_EVENT_THREAD_ACQUIRE_LOCK] = threads_event,
	[MEASURE_EVENT_THREAD_RELEASE_LOCK] = threads_event,
	[MEASURE_EVENT_MEASUREMENT_ON_OFF] = on_off,
	[MEASURE_EVENT_PROGRAM_BEGIN] = program_begin,
	[MEASURE_EVENT_PROGRAM_END] = program_end,
	[MEASURE_EVENT_MPI_ISEND] = requests_event,
	[MEASURE_EVENT_MPI_IRECV_REQUEST] = requests_event,
	[MEASURE_EVENT_MPI_ISEND_COMPLETE] = requests_event,
	[MEASURE_EVENT_MPI_IRECV] = requests_event,
	[MEASURE_EVENT_MPI_REQUEST_TEST] = requests_event,
	[MEASURE_EVENT_MPI_REQUEST_CANCELLED] = requests_event,
	[MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST] = requests_event,
	[MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE] = requests_event,
	[MEASURE_EVENT_IO_CREATE_HANDLE] = requests_event,
	[MEASURE_EVENT_IO_DESTROY_HANDLE] = requests_event,
	[MEASURE_EVENT_IO_DUPLICATE_HANDLE] = requests_event,
	[MEASURE_EVENT_IO_SEEK] = requests_event,
	[MEASURE_EVENT_IO_CHANGE_STATUS_FLAGS] = requests_event,
	[MEASURE_EVENT_IO_OPERATION_BEGIN] = requests_event,
	[MEASURE_EVENT_IO_OPERATION_ISSUED] = requests_event,
	[MEASURE_EVENT_IO_OPERATION_TEST] = requests_event,
	[MEASURE_EVENT_IO_OPERATION_COMPLETE] = requests_event,
	[MEASURE_EVENT_IO_OPERATION_CANCELLED] = requests_event,
	[MEASURE_EVENT_IO_ACQUIRE_LOCK] = requests_event,
	[MEASURE_EVENT_IO_RELEASE_LOCK] = requests_event,
	[MEASURE_EVENT_IO_TRY_LOCK] = requests_event,
	[MEASURE_EVENT_RMA_WIN_CREATE] = requests_event,
	[MEASURE_EVENT_RMA_WIN_DESTROY] = requests_event,
	[MEASURE_EVENT_RMA_REQUEST_LOCK] = requests_event,
	[MEASURE_EVENT_RMA_ACQUIRE_LOCK] = requests_event,
	[MEASURE_EVENT_RMA_RELEASE_LOCK] = requests_event,
	[MEASURE_EVENT_RMA_PUT] = requests_event,
	[MEASURE_EVENT_RMA_GET] = requests_event,
	[MEASURE_EVENT_RMA_ATOMIC] = requests_event,
	[MEASURE_EVENT_RMA_OP_COMPLETE_BLOCKING] = requests_event,
	[MEASURE_EVENT_RMA_OP_COMPLETE_NON_BLOCKING] = requests_event,
	[MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE] = requests_event,
	[MEASURE_EVENT_RMA_OP_TEST] = requests_event,
};

/* What is written for a thread that is over as well, for what it was in. */
static bool is_end(enum measure_event_kind kind)
{
	return kind == MEASURE_EVENT_LEAVE || kind == MEASURE_EVENT_METRIC ||
	       kind == MEASURE_EVENT_THREAD_TEAM_END || kind == MEASURE_EVENT_THREAD_END ||
	       kind == MEASURE_EVENT_PROGRAM_END;
}

void measure_match_event_slowly(struct measure_match *match, const struct measure_event *event)
{
	if (match->process == MEASURE_NONE)
		return; /* its location group is not defined: reported with the definitions */
	if (!match->calls.last_time)
		processes_first_event(match, event);
	match->processes[match->process].has_events = true;
	match->calls.last_time = event->time;
	if (!is_end(event->kind))
		*match->calls.doing = event->position;
	if (handlers[event->kind])
		handlers[event->kind](match, event);
	match->calls.nr_begins = match->collectives.begins.nr + match->rma_collectives.begins.nr;
}

void measure_match_end_location(struct measure_match *match, bool is_whole)
{
	if (match->process == MEASURE_NONE)
		return;
	is_whole &= !match->definitions->locations[match->location].is_truncated;
	if (!is_whole) {
		match->processes[match->process].is_damaged = true;
		miss_events(match, match->calls.last_time);
	}
	begins_end_location(match, &match->collectives);
	begins_end_location(match, &match->rma_collectives);
}
