/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recording a table of calls, and looking things up in it. A fold (fold.h) knows the call path and
 * the depth of the stack; here is only a stack of what is in the table. */
#include "config.h"

#include "call_table.h"

#include <stdlib.h>

#define MOST_COMPLETED ((1U << 20) - 1)

/* ----------------------------------------------------------------------- look-ups --- */

/* The number of those that begin at or before a position. Points come mostly in order: the search
 * begins where the last one ended, with steps that double. */
static size_t count_begun(struct measure_call_table *table, uint64_t position)
{
	const struct measure_sync_call *calls = table->calls;
	size_t low = 0, high = table->nr_calls, step = 1;

	if (table->hint < high && calls[table->hint].first <= position) {
		low = table->hint + 1;
		for (; low + step < high && calls[low + step].first <= position; step *= 2)
			low += step + 1;
		high = low + step < high ? low + step : high;
	} else if (table->hint < high) {
		high = table->hint;
		for (; step < high && calls[high - step].first > position; step *= 2)
			high -= step;
		low = step < high ? high - step : 0;
	}
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (calls[middle].first <= position)
			low = middle + 1;
		else
			high = middle;
	}
	table->hint = low > 0 ? low - 1 : 0;
	return low;
}

uint32_t measure_call_table_find(struct measure_call_table *table, uint64_t position)
{
	const size_t begun = count_begun(table, position);
	uint32_t call = begun > 0 ? (uint32_t)(begun - 1) : MEASURE_NONE;

	while (call != MEASURE_NONE &&
		(table->calls[call].last < position ||
			table->calls[call].kind == MEASURE_REGION_KIND_INTERRUPTION))
		call = table->calls[call].outer;
	return call != MEASURE_NONE && table->calls[call].kind == MEASURE_REGION_KIND_TASKS
		       ? MEASURE_NONE
		       : call;
}

uint64_t measure_call_table_removed(
	const struct measure_call_table *table, uint32_t call, uint64_t from, uint64_t until)
{
	const uint64_t last = table->calls[call].last;
	uint64_t ticks = 0;

	for (size_t i = (size_t)call + 1; i < table->nr_calls; i++) {
		const struct measure_sync_call *inner = &table->calls[i];

		if (inner->first > last || inner->enter >= until)
			break;
		if (inner->outer != call)
			continue;
		const uint64_t begin = inner->enter > from ? inner->enter : from;
		const uint64_t end = inner->leave < until ? inner->leave : until;
		ticks += end > begin ? end - begin : 0;
	}
	return ticks;
}

static int compare_polls(const void *position, const void *poll)
{
	const uint64_t a = *(const uint64_t *)position,
		       b = ((const struct measure_poll *)poll)->position;

	return (a > b) - (a < b);
}

const struct measure_poll *measure_call_table_poll(
	const struct measure_call_table *table, uint64_t position)
{
	return table->nr_polls > 0 ? bsearch(&position, table->polls, table->nr_polls,
					     sizeof(*table->polls), compare_polls)
				   : NULL;
}

void measure_call_table_free(struct measure_call_table *table)
{
	measure_free(table->calls);
	measure_free(table->phases);
	measure_free(table->segments.spans);
	measure_free(table->polls);
	measure_free(table->window_locks);
}

/* ---------------------------------------------------------------------- recording --- */

void measure_call_recorder_start(struct measure_call_recorder *recorder,
	struct measure_call_table *table, const struct measure_definitions *definitions,
	const uint8_t *kinds)
{
	*recorder = (struct measure_call_recorder){.table = table,
		.definitions = definitions,
		.kinds = kinds,
		.off = MEASURE_NONE,
		.flush = MEASURE_NONE};
	measure_segments_start(&recorder->segments, &table->segments);
}

static uint32_t depth_of(const struct measure_fold *fold)
{
	return (uint32_t)(fold->context.top - fold->context.bottom);
}

static uint32_t innermost(const struct measure_call_recorder *recorder)
{
	return recorder->nr_open > 0 ? recorder->open[recorder->nr_open - 1].call : MEASURE_NONE;
}

static uint32_t add_call(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event, uint8_t kind)
{
	struct measure_call_table *table = recorder->table;

	measure_segments_cut(&recorder->segments);
	*measure_append(table, calls) = (struct measure_sync_call){.enter = fold->last,
		.leave = fold->last,
		.first = event->position,
		.kind = kind,
		.last = event->position,
		.path = fold->path,
		.outer = innermost(recorder)};
	return (uint32_t)(table->nr_calls - 1);
}

static void open_call(struct measure_call_recorder *recorder, struct measure_open_call open)
{
	*measure_append(recorder, open) = open;
	recorder->depth = open.depth;
	if (open.depth == 0)
		measure_map_set(&recorder->tasks, open.task, (uint32_t)recorder->nr_open);
}

static void open_phase(struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	*measure_append(recorder->table, phases) =
		(struct measure_phase){.enter = fold->last, .path = fold->path};
	open_call(recorder, (struct measure_open_call){.call = innermost(recorder),
				    .depth = depth_of(fold),
				    .phase = recorder->table->nr_phases});
}

static void end_call(
	struct measure_call_recorder *recorder, uint64_t time, uint64_t position, bool is_cut)
{
	struct measure_sync_call *call = &recorder->table->calls[innermost(recorder)];

	measure_segments_cut(&recorder->segments);
	call->leave = time;
	call->last = position;
	call->is_cut = is_cut;
	recorder->table->nr_cut += is_cut && call->kind != MEASURE_REGION_KIND_TASKS;
}

/* The innermost one ends. */
static void close_call(
	struct measure_call_recorder *recorder, uint64_t time, uint64_t position, bool is_cut)
{
	const struct measure_open_call *open = &recorder->open[recorder->nr_open - 1];
	const size_t phase = open->phase;

	if (open->depth == 0)
		measure_map_remove(&recorder->tasks, open->task);
	if (phase == 0) {
		end_call(recorder, time, position, is_cut);
	} else {
		recorder->table->phases[phase - 1].leave = time;
		recorder->table->phases[phase - 1].is_cut = is_cut;
	}
	recorder->nr_open--;
	recorder->depth = recorder->nr_open > 0 ? recorder->open[recorder->nr_open - 1].depth : 0;
}

static uint8_t kind_of(
	const struct measure_call_recorder *recorder, const struct measure_event *event)
{
	const struct measure_definitions *definitions = recorder->definitions;
	uint32_t region = event->ref;

	if (event->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER)
		region = event->ref < definitions->nr_calling_contexts
				 ? definitions->calling_contexts[event->ref].region
				 : MEASURE_NONE;
	return region < definitions->nr_regions ? recorder->kinds[region]
						: MEASURE_REGION_KIND_USEFUL;
}

static void enter(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event)
{
	const uint8_t kind = kind_of(recorder, event);

	recorder->table->has_unknown |= kind == MEASURE_REGION_KIND_THREAD_UNKNOWN;
	if (kind == MEASURE_REGION_KIND_PHASE)
		open_phase(recorder, fold);
	else if (kind != MEASURE_REGION_KIND_USEFUL)
		open_call(recorder,
			(struct measure_open_call){.call = add_call(recorder, fold, event, kind),
				.depth = depth_of(fold)});
}

/* More than one call at a time ends where Leaves are missing. */
static void leave(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event)
{
	const uint32_t depth = depth_of(fold);

	while (recorder->depth > depth)
		close_call(recorder, fold->last, event->position, recorder->depth > depth + 1);
}

/* -------------------------------------------------------------------------- tasks --- */

/* Ends tasks, with what they have called, until so many things are open. A task that goes on later
 * is a new one then. */
static void close_down_to(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event, size_t nr_left)
{
	while (recorder->nr_open > nr_left)
		close_call(recorder, fold->last, event->position, recorder->depth > 0);
}

/* One behind the open task; 0: it is not open. Programs have ten thousands of them at a time. */
static size_t place_of_task(const struct measure_call_recorder *recorder, struct measure_key task)
{
	const uint32_t place = measure_map_get(&recorder->tasks, task);

	return place != MEASURE_NONE ? place : 0;
}

/* Below it is the task, or the implicit task, that goes on. Calls of other tasks above that are
 * still open have been suspended. */
static size_t end_of_context(const struct measure_call_recorder *recorder, size_t place)
{
	while (place < recorder->nr_open && recorder->open[place].depth > 0)
		place++;
	return place;
}

/* The innermost tasks of a team. */
static size_t first_of_team(const struct measure_call_recorder *recorder, uint32_t team)
{
	size_t first = recorder->nr_open;

	for (size_t i = recorder->nr_open; i > 0; i--) {
		const struct measure_open_call *open = &recorder->open[i - 1];

		if (open->depth == 0 && open->team != team)
			break;
		if (open->depth == 0)
			first = i - 1;
	}
	return first;
}

static void switch_task(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event)
{
	const struct measure_key task =
		measure_key_pair((uint64_t)event->ref << 32 | event->peer, event->tag);
	size_t place;

	if (event->tag == 0) {
		close_down_to(recorder, fold, event, first_of_team(recorder, event->ref));
		return;
	}
	place = place_of_task(recorder, task);
	if (place > 0) {
		close_down_to(recorder, fold, event, end_of_context(recorder, place));
		return;
	}
	open_call(recorder, (struct measure_open_call){.call = add_call(recorder, fold, event,
							       MEASURE_REGION_KIND_TASKS),
				    .task = task,
				    .team = event->ref});
}

/* ------------------------------------------------------------------ interruptions --- */

static void take_off(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event)
{
	if (event->op != OTF2_MEASUREMENT_ON) {
		if (recorder->off == MEASURE_NONE)
			recorder->off =
				add_call(recorder, fold, event, MEASURE_REGION_KIND_INTERRUPTION);
		return;
	}
	if (recorder->off == MEASURE_NONE)
		return;
	measure_segments_cut(&recorder->segments);
	recorder->table->calls[recorder->off].leave = fold->last;
	recorder->table->calls[recorder->off].last = event->position;
	recorder->off = MEASURE_NONE;
}

/* Where no flush is in the way. */
static uint32_t path_of(
	const struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	if (recorder->off != MEASURE_NONE)
		return measure_profile_child(
			fold->profile, fold->path, MEASURE_PSEUDO_RECORDING_OFF);
	if (fold->special & MEASURE_FOLD_IDLE)
		return measure_profile_child(fold->profile, 0, MEASURE_PSEUDO_IDLE);
	return fold->path;
}

static void take_flush(struct measure_call_recorder *recorder, const struct measure_fold *fold,
	const struct measure_event *event)
{
	if (recorder->off != MEASURE_NONE)
		return;
	recorder->flush = add_call(recorder, fold, event, MEASURE_REGION_KIND_INTERRUPTION);
	recorder->flushed = path_of(recorder, fold);
}

/* The event after a flush: at the latest there it has ended. */
static void end_flush(struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	struct measure_sync_call *flush = &recorder->table->calls[recorder->flush];

	flush->leave = fold->flush_stop < fold->last ? fold->flush_stop : fold->last;
	if (flush->leave < flush->enter)
		flush->leave = flush->enter;
	measure_segments_charge(&recorder->segments, flush->leave);
	measure_segments_cut(&recorder->segments);
	measure_segments_move(&recorder->segments, recorder->flushed);
	recorder->flush = MEASURE_NONE;
}

/* -------------------------------------------------------------------------- paths --- */

static void begin_segments(struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	measure_segments_begin(&recorder->segments, fold->last);
	recorder->is_begun = true;
}

/* Where the location is now: also in what is no region. */
static void move_segments(struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	uint32_t path = path_of(recorder, fold);

	if (recorder->flush != MEASURE_NONE)
		path = measure_profile_child(
			fold->profile, fold->path, MEASURE_PSEUDO_BUFFER_FLUSH);
	measure_segments_move(&recorder->segments, path);
	recorder->is_plain = recorder->flush == MEASURE_NONE && recorder->off == MEASURE_NONE;
}

/* ------------------------------------------------------------------------- events --- */

static void count_completion(struct measure_call_recorder *recorder)
{
	struct measure_sync_call *call;

	if (recorder->depth == 0 || innermost(recorder) == MEASURE_NONE)
		return;
	call = &recorder->table->calls[innermost(recorder)];
	if (call->completed < MOST_COMPLETED)
		call->completed = (call->completed + 1) & MOST_COMPLETED;
}

/* ----------------------------------------------------------------------- requests --- */

static void start_request(struct measure_call_recorder *recorder, uint64_t position)
{
	recorder->nr_requests++;
	recorder->alone_from = position;
}

static void end_request(struct measure_call_recorder *recorder, uint64_t position)
{
	recorder->nr_requests -= recorder->nr_requests > 0;
	recorder->alone_from = position;
}

static void take_receive(struct measure_call_recorder *recorder, uint64_t position)
{
	struct measure_call_table *table = recorder->table;

	if (recorder->nr_requests == 1 && recorder->depth > 0 &&
		table->calls[innermost(recorder)].kind == MEASURE_REGION_KIND_MPI_TEST)
		*measure_append(table, polls) =
			(struct measure_poll){position, recorder->alone_from};
}

/* ------------------------------------------------------------------ locks of windows --- */

/* Locks of all targets are left out: libraries ask for each when it is needed. */
static void take_lock(struct measure_call_recorder *recorder, const struct measure_event *event)
{
	if (recorder->depth == 0 || event->peer == UINT32_MAX)
		return;
	*measure_append(recorder, held) = (struct measure_window_lock){.window = event->ref,
		.target = event->peer,
		.first = innermost(recorder),
		.is_exclusive = event->op == OTF2_LOCK_EXCLUSIVE,
		.number = event->number};
}

static void release_lock(struct measure_call_recorder *recorder, const struct measure_event *event)
{
	struct measure_call_table *table = recorder->table;

	for (size_t i = recorder->nr_held; i > 0; i--) {
		struct measure_window_lock *lock = &recorder->held[i - 1];

		if (lock->window != event->ref || lock->target != event->peer ||
			lock->number != event->number)
			continue;
		lock->last = innermost(recorder);
		if (recorder->depth > 0)
			*measure_append(table, window_locks) = *lock;
		*lock = recorder->held[--recorder->nr_held];
		return;
	}
}

void measure_call_recorder_event_slowly(struct measure_call_recorder *recorder,
	const struct measure_fold *fold, const struct measure_event *event)
{
	if (!recorder->is_begun)
		begin_segments(recorder, fold);
	if (recorder->flush != MEASURE_NONE)
		end_flush(recorder, fold);
	measure_segments_charge(&recorder->segments, fold->last);
	switch (event->kind) {
	case MEASURE_EVENT_ENTER:
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		enter(recorder, fold, event);
		break;
	case MEASURE_EVENT_LEAVE:
	case MEASURE_EVENT_CALLING_CONTEXT_LEAVE:
		leave(recorder, fold, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		switch_task(recorder, fold, event);
		break;
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		take_off(recorder, fold, event);
		break;
	case MEASURE_EVENT_BUFFER_FLUSH:
		take_flush(recorder, fold, event);
		break;
	case MEASURE_EVENT_MPI_ISEND:
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
		start_request(recorder, event->position);
		break;
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
		end_request(recorder, event->position);
		break;
	case MEASURE_EVENT_MPI_IRECV:
		take_receive(recorder, event->position);
		__attribute__((fallthrough));
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		end_request(recorder, event->position);
		count_completion(recorder);
		break;
	case MEASURE_EVENT_RMA_REQUEST_LOCK:
		take_lock(recorder, event);
		break;
	case MEASURE_EVENT_RMA_RELEASE_LOCK:
		release_lock(recorder, event);
		break;
	case MEASURE_EVENT_THREAD_FORK:
	case MEASURE_EVENT_THREAD_JOIN:
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
	case MEASURE_EVENT_THREAD_TEAM_END:
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
	case MEASURE_EVENT_THREAD_CREATE:
	case MEASURE_EVENT_THREAD_BEGIN:
	case MEASURE_EVENT_THREAD_WAIT:
	case MEASURE_EVENT_THREAD_END:
		/* others may wait for this moment */
		measure_segments_cut(&recorder->segments);
		break;
	default:
		break;
	}
	move_segments(recorder, fold);
}

void measure_call_recorder_end(
	struct measure_call_recorder *recorder, const struct measure_fold *fold)
{
	const struct measure_event last = {.position = (UINT64_C(1) << 44) - 1};

	if (recorder->flush != MEASURE_NONE)
		end_flush(recorder, fold);
	if (recorder->off != MEASURE_NONE)
		recorder->table->calls[recorder->off].leave = fold->last;
	recorder->table->end = fold->last;
	if (recorder->is_begun)
		measure_segments_charge(&recorder->segments, fold->last);
	close_down_to(recorder, fold, &last, 0);
	measure_segments_end(&recorder->segments);
	measure_map_free(&recorder->tasks);
	measure_free(recorder->open);
	measure_free(recorder->held);
}
