/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is open on one location: regions, teams, locks, the thread itself, in the order in which it
 * was opened; and what is remembered of what came before the window. */
#include "config.h"

#include "slice_internal.h"

#include <string.h>

bool slice_is_inside(const struct slice *slice, uint64_t time)
{
	return time >= slice->from && time <= slice->until;
}

/* --------------------------------------------------------------------------- frames --- */

static struct slice_frame *frame_push(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *frame = measure_append_item(&local->frames);

	*frame = (struct slice_frame){.kind = event->kind,
		.ref = event->ref,
		.team = MEASURE_NONE,
		.barrier = MEASURE_NONE,
		.serial = local->frames.nr_opened++,
		.task = local->frames.task};
	return frame;
}

/* The innermost of a kind that is about the same; NULL: there is none. */
static struct slice_frame *frame_find(
	struct slice_local *local, enum measure_event_kind kind, const uint32_t *ref)
{
	for (size_t i = local->frames.nr; i-- > 0;) {
		struct slice_frame *frame = &local->frames.items[i];

		if (frame->kind == kind && (!ref || frame->ref == *ref))
			return frame;
	}
	return NULL;
}

static void frame_remove(struct slice_local *local, struct slice_frame *frame)
{
	struct slice_frame *end = local->frames.items + local->frames.nr--;

	memmove(frame, frame + 1, (size_t)(end - (frame + 1)) * sizeof(*frame));
}

static struct slice_frame *frame_innermost_team(struct slice_local *local)
{
	return frame_find(local, MEASURE_EVENT_THREAD_TEAM_BEGIN, NULL);
}

/* MPI_Barrier is a barrier region, too, but not one of the team. */
static bool is_barrier_of(const struct slice *slice, uint32_t region, uint32_t comm)
{
	const struct measure_definitions *definitions = slice->definitions;
	const uint32_t group =
		comm == MEASURE_NONE ? MEASURE_NONE : definitions->comms[comm].groups[0];

	return group < definitions->nr_groups &&
	       definitions->groups[group].paradigm == definitions->regions[region].paradigm;
}

static void frame_enter(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *frame = frame_push(local, event), *team;

	if (event->ref == MEASURE_NONE || !local->slice->is_barrier[event->ref])
		return;
	team = frame_innermost_team(local);
	if (!team || !is_barrier_of(local->slice, event->ref, team->ref))
		return;
	frame->is_barrier = true;
	team->nr_barriers++;
	team->barrier = event->ref;
}

static void frame_leave(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *top = local->frames.items + local->frames.nr - 1;

	if (local->frames.nr > 0 && (top->kind != MEASURE_EVENT_ENTER || top->ref != event->ref))
		top = frame_find(local, MEASURE_EVENT_ENTER, &event->ref);
	if (local->frames.nr > 0 && top)
		frame_remove(local, top);
}

void slice_local_call(struct slice_local *local, const struct measure_event *event)
{
	if (event->kind == MEASURE_EVENT_ENTER) {
		local->depth++;
		if (!local->slice->is_deciding)
			frame_enter(local, event);
	} else {
		local->depth -= local->depth > 0;
		if (!local->slice->is_deciding)
			frame_leave(local, event);
	}
}

/* ---------------------------------------------------------------------------- teams --- */

struct slice_team *slice_team_of(struct slice_location *location, uint32_t comm)
{
	const uint32_t index = measure_map_intern(
		&location->team_ids, measure_key_of(comm), (uint32_t)location->nr_teams);

	if (index == location->nr_teams)
		*measure_append(location, teams) = (struct slice_team){.comm = comm};
	return &location->teams[index];
}

static void frame_fork(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *frame = frame_push(local, event);

	frame->model = event->op;
	frame->number = event->peer;
}

static void frame_team_begin(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *fork = frame_find(local, MEASURE_EVENT_THREAD_FORK, NULL), *frame;
	struct slice_team *team;

	if (event->ref == MEASURE_NONE)
		return;
	team = slice_team_of(local->of, event->ref);
	if (fork && !fork->has_team) {
		fork->has_team = true;
		fork->team = event->ref;
		fork->ordinal = team->nr_begun;
		team->is_forker = true;
		team->model = fork->model;
		team->nr_threads = fork->number;
	}
	frame = frame_push(local, event);
	frame->ordinal = team->nr_begun++;
	local->frames.task = (struct slice_task){MEASURE_NONE, 0, 0};
}

static void frame_team_end(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *frame = frame_find(local, MEASURE_EVENT_THREAD_TEAM_BEGIN, &event->ref);
	struct slice_team *team;

	if (!frame || event->ref == MEASURE_NONE)
		return;
	team = slice_team_of(local->of, event->ref);
	team->nr_ended++;
	if (!local->has_from) {
		team->has_last = true;
		team->nr_barriers = frame->nr_barriers;
		team->barrier = frame->barrier;
	}
	local->frames.task = frame->task;
	frame_remove(local, frame);
}

/* ---------------------------------------------------------------------------- others --- */

static void frame_close(
	struct slice_local *local, enum measure_event_kind kind, const uint32_t *ref)
{
	struct slice_frame *frame = frame_find(local, kind, ref);

	if (frame)
		frame_remove(local, frame);
}

static void frame_release(struct slice_local *local, const struct measure_event *event)
{
	for (size_t i = local->frames.nr; i-- > 0;) {
		struct slice_frame *frame = &local->frames.items[i];

		if (frame->kind != MEASURE_EVENT_THREAD_ACQUIRE_LOCK || frame->ref != event->peer ||
			frame->model != event->op || frame->number != event->number)
			continue;
		frame_remove(local, frame);
		return;
	}
}

static void frame_acquire(struct slice_local *local, const struct measure_event *event)
{
	struct slice_frame *frame = frame_push(local, event);

	frame->ref = event->peer;
	frame->model = event->op;
	frame->number = event->number;
}

/* The value that holds until the next one, or since the start of the trace; differences and values
 * of the time before them are not repeated. */
static bool is_lasting(const struct slice *slice, uint32_t metric)
{
	const struct measure_definitions *definitions = slice->definitions;
	const struct measure_metric *class = &definitions->metrics[metric];
	OTF2_MetricMode mode;

	if (class->instance_of < definitions->nr_metrics)
		class = &definitions->metrics[class->instance_of];
	if (class->nr_members == 0 || class->members[0] >= definitions->nr_metric_members)
		return false;
	mode = definitions->metric_members[class->members[0]].mode;
	return (mode & OTF2_METRIC_VALUE_MASK) != OTF2_METRIC_VALUE_RELATIVE &&
	       (mode & OTF2_METRIC_TIMING_MASK) != OTF2_METRIC_TIMING_LAST;
}

static void keep_metric(struct slice_local *local, const struct measure_stream *stream,
	const struct measure_event *event)
{
	struct slice_location *of = local->of;
	uint32_t index;

	if (local->has_from || event->ref == MEASURE_NONE || !is_lasting(local->slice, event->ref))
		return;
	index = measure_map_intern(
		&of->metric_ids, measure_key_of(event->ref), (uint32_t)of->nr_metrics);
	if (index == of->nr_metrics)
		*measure_append(of, metrics) = (struct slice_made){.items = NULL};
	slice_made_copy(&of->metrics[index], stream->record);
}

void slice_local_event(struct slice_local *local, const struct measure_stream *stream,
	const struct measure_event *event)
{
	const uint32_t context = (uint32_t)stream->record->values[0];

	if (local->slice->is_deciding)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		frame_push(local, event)->ref = context;
		local->of->has_context_before |= !local->has_from;
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_LEAVE:
		frame_close(local, MEASURE_EVENT_CALLING_CONTEXT_ENTER, &context);
		local->of->has_context_before |= !local->has_from;
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_SAMPLE:
		local->of->has_context_before |= !local->has_from;
		break;
	case MEASURE_EVENT_THREAD_FORK:
		frame_fork(local, event);
		break;
	case MEASURE_EVENT_THREAD_JOIN:
		frame_close(local, MEASURE_EVENT_THREAD_FORK, NULL);
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		frame_team_begin(local, event);
		break;
	case MEASURE_EVENT_THREAD_TEAM_END:
		frame_team_end(local, event);
		break;
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
		frame_acquire(local, event);
		break;
	case MEASURE_EVENT_THREAD_RELEASE_LOCK:
		frame_release(local, event);
		break;
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
		local->frames.task = (struct slice_task){event->ref, event->peer, event->tag};
		break;
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		if (local->frames.task.comm == event->ref &&
			local->frames.task.creator == event->peer &&
			local->frames.task.generation == event->tag)
			local->frames.task.comm = MEASURE_NONE;
		break;
	case MEASURE_EVENT_THREAD_BEGIN:
		frame_push(local, event)->number = event->number;
		break;
	case MEASURE_EVENT_THREAD_END:
		frame_close(local, MEASURE_EVENT_THREAD_BEGIN, NULL);
		break;
	case MEASURE_EVENT_PROGRAM_BEGIN:
		frame_push(local, event)->ref = (uint32_t)stream->record->values[0];
		break;
	case MEASURE_EVENT_PROGRAM_END:
		frame_close(local, MEASURE_EVENT_PROGRAM_BEGIN, NULL);
		break;
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		local->frames.is_off = event->op == OTF2_MEASUREMENT_OFF;
		break;
	case MEASURE_EVENT_BUFFER_FLUSH:
		if (!local->has_from)
			local->of->flush_stop = event->number;
		break;
	case MEASURE_EVENT_METRIC:
		keep_metric(local, stream, event);
		break;
	}
}

/* ----------------------------------------------------------------------------- cuts --- */

static void frames_copy(struct slice_frames *to, const struct slice_frames *from)
{
	*to = *from;
	to->items = measure_zeroed(from->nr + 1, sizeof(*from->items));
	if (from->nr > 0)
		memcpy(to->items, from->items, from->nr * sizeof(*from->items));
}

static void cut_from(struct slice_local *local)
{
	struct slice_location *of = local->of;

	frames_copy(&of->at_from, &local->frames);
	for (size_t i = 0; i < of->nr_teams; i++)
		of->teams[i].before = of->teams[i].nr_ended;
	local->has_from = true;
}

static void cut_until(struct slice_local *local)
{
	struct slice_location *of = local->of;

	frames_copy(&of->at_until, &local->frames);
	for (size_t i = 0; i < of->nr_teams; i++)
		of->teams[i].until = of->teams[i].nr_begun;
	local->has_until = true;
}

void slice_local_cut(struct slice_local *local, const struct measure_event *event)
{
	struct slice *slice = local->slice;
	struct slice_location *of = local->of;
	struct slice_process *process =
		&slice->processes[slice->definitions->locations[local->location].group];

	if (slice->is_deciding)
		return;
	if (!local->has_from && event->time >= slice->from)
		cut_from(local);
	if (!local->has_until && event->time > slice->until)
		cut_until(local);
	process->has_before |= !local->has_from;
	process->has_after |= local->has_until;
	if (!local->has_from) {
		of->raw_before = event->raw;
	} else if (!local->has_until) {
		if (of->first > of->last) {
			of->first = event->position;
			of->raw_first = event->raw;
		}
		of->last = event->position;
		of->raw_last = event->raw;
	}
}

void slice_local_end(struct slice_local *local)
{
	if (!local->slice->is_deciding && !local->has_from)
		cut_from(local);
	if (!local->slice->is_deciding && !local->has_until)
		cut_until(local);
	measure_free(local->frames.items);
}
