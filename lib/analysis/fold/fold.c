/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls and their times, of one location. */
#include "config.h"

#include "fold_internal.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_FRAMES 64

/* ------------------------------------------------------------------------ frames --- */

void measure_fold_grow(struct measure_fold_context *context)
{
	const size_t nr = (size_t)(context->top - context->bottom);
	const size_t room = nr ? 2 * nr : FIRST_FRAMES;
	struct measure_fold_frame *frames = realloc(context->bottom, room * sizeof(*frames));

	if (!frames)
		measure_out_of_memory();
	context->bottom = frames;
	context->top = frames + nr;
	context->limit = frames + room;
}

struct measure_histogram *measure_fold_new_histogram(struct measure_profile_path *path)
{
	return path->calls = measure_zeroed(1, sizeof(*path->calls));
}

uint64_t *fold_row(
	struct measure_fold *fold, enum measure_table_name name, uint64_t first, uint64_t second)
{
	return measure_profile_table_row(
		&fold->profile->tables[name], name, measure_key_pair(first, second));
}

uint64_t *fold_values(struct measure_fold *fold)
{
	return fold_row(fold, MEASURE_TABLE_VALUES, fold->path, 0);
}

/* Ticks of the innermost call, which ends now. Clocks that were corrected badly may go back. */
static uint64_t ticks_of(const struct measure_fold *fold, uint64_t time)
{
	const struct measure_fold_frame *frame = fold->context.top - 1;
	const uint64_t now = time - fold->context.offset;

	return now > frame->enter ? now - frame->enter : 0;
}

static void end_iteration(struct measure_fold *fold, uint64_t ticks)
{
	uint64_t *row = fold_row(
		fold, MEASURE_TABLE_ITERATIONS, fold->path, fold->context.top[-1].iteration);

	measure_cell(row, ITERATIONS, VISITS)++;
	measure_cell(row, ITERATIONS, TICKS) += ticks;
	if (ticks < measure_cell(row, ITERATIONS, LEAST_TICKS))
		measure_cell(row, ITERATIONS, LEAST_TICKS) = ticks;
	measure_cell_raise(&measure_cell(row, ITERATIONS, MOST_TICKS), ticks);
}

static void pop(struct measure_fold *fold)
{
	const struct measure_fold_frame *frame = --fold->context.top;

	fold->path = frame > fold->context.bottom ? frame[-1].path : fold->context.root;
}

void fold_cut(struct measure_fold *fold, uint64_t time)
{
	const uint64_t ticks = ticks_of(fold, time);
	uint64_t *values = fold_values(fold);

	measure_cell(values, VALUES, CUT_CALLS) += ticks > 0 || !fold->is_outside;
	measure_cell(values, VALUES, CUT_TICKS) += ticks;
	fold->profile->paths[fold->path].inclusive += ticks;
	pop(fold);
}

static void close_call(struct measure_fold *fold, uint64_t time)
{
	const struct measure_fold_frame *frame = fold->context.top - 1;
	const uint64_t ticks = ticks_of(fold, time);

	if (frame->is_cut || fold->is_outside) {
		fold_cut(fold, time);
		return;
	}
	measure_fold_count(&fold->profile->paths[fold->path], ticks);
	if (frame->is_iteration)
		end_iteration(fold, ticks);
	pop(fold);
}

/* -------------------------------------------------------------------------- time --- */

void fold_charge(struct measure_fold *fold, uint32_t path, enum measure_pseudo_region region,
	uint64_t visits, uint64_t ticks)
{
	const uint32_t child = measure_profile_child(fold->profile, path, region);

	fold->profile->paths[child].visits += visits;
	fold->profile->paths[child].inclusive += ticks;
}

static uint64_t move_into_window(struct measure_fold *fold, uint64_t time)
{
	fold->is_outside = time < fold->from || time >= fold->until;
	return time < fold->from ? fold->from : time > fold->until ? fold->until : time;
}

/* A flush that was not over when the next event came has been one of another thread. */
static void end_flush(struct measure_fold *fold, uint64_t time)
{
	const uint64_t stop = fold->flush_stop < time ? fold->flush_stop : time;

	fold->special &= (uint8_t)~MEASURE_FOLD_FLUSH;
	if (stop <= fold->since)
		return;
	fold_charge(fold, fold->path, MEASURE_PSEUDO_BUFFER_FLUSH, 0, stop - fold->since);
	fold->since = stop;
}

uint64_t fold_arrive(struct measure_fold *fold, uint64_t time)
{
	if (fold->special & MEASURE_FOLD_WINDOW)
		time = move_into_window(fold, time);
	if (fold->special & MEASURE_FOLD_METRICS)
		fold_metrics_pass(fold, time);
	if (fold->special & MEASURE_FOLD_FLUSH)
		end_flush(fold, time);
	/* no time counts twice */
	if (fold->special & MEASURE_FOLD_OFF)
		fold_charge(fold, fold->path, MEASURE_PSEUDO_RECORDING_OFF, 0, time - fold->since);
	else if (fold->special & MEASURE_FOLD_IDLE)
		fold_charge(fold, 0, MEASURE_PSEUDO_IDLE, 0, time - fold->since);
	fold->since = time;
	return time;
}

/* ------------------------------------------------------------------------- calls --- */

void measure_fold_enter_slowly(struct measure_fold *fold, uint32_t region, uint64_t time)
{
	time = fold_arrive(fold, time);
	fold->special &= (uint8_t)~MEASURE_FOLD_IDLE;
	measure_fold_push(fold, region, time);
	if (!fold->is_outside)
		return;
	fold->context.top[-1].is_cut = true;
	fold->profile->paths[fold->path].visits--;
}

/* How many frames lie on that of a region; all of them: it is not open. */
static size_t depth_of(const struct measure_fold *fold, uint32_t region)
{
	const struct measure_fold_context *context = &fold->context;
	size_t depth = 0;

	while (context->top - depth > context->bottom &&
		fold->profile->paths[context->top[-1 - (ptrdiff_t)depth].path].region != region)
		depth++;
	return depth;
}

void measure_fold_leave_slowly(
	struct measure_fold *fold, uint32_t region, uint64_t time, bool is_refused)
{
	const size_t depth = depth_of(fold, region);

	time = fold_arrive(fold, time);
	if (depth == (size_t)(fold->context.top - fold->context.bottom)) {
		fold->profile->faults.unopened++;
		return;
	}
	for (size_t i = 0; i < depth; i++) {
		fold->profile->faults.repaired++;
		fold_cut(fold, time);
	}
	fold->profile->paths[fold->path].bytes += fold->bytes;
	if (is_refused && !fold->is_outside)
		measure_cell(fold_values(fold), VALUES, REFUSED_CALLS)++;
	close_call(fold, time);
}

/* Several parameters may have this name: of other types, or because two threads of a process
 * defined it at the same time. */
static bool is_iteration(const struct measure_fold *fold, uint32_t parameter)
{
	const struct measure_definitions *definitions = &fold->profile->trace->definitions;

	return parameter < definitions->nr_parameters &&
	       strcmp(measure_text(definitions, definitions->parameters[parameter].name),
		       "iteration") == 0;
}

static void begin_iteration(struct measure_fold *fold, uint64_t number)
{
	if (fold->context.top == fold->context.bottom)
		return;
	fold->context.top[-1].iteration = number;
	fold->context.top[-1].is_iteration = true;
}

/* ------------------------------------------------------------------------ records --- */

static uint32_t region_of(const struct measure_fold *fold, const struct measure_event *event)
{
	const struct measure_definitions *definitions = &fold->profile->trace->definitions;
	uint32_t region = event->ref;

	if (event->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER ||
		event->kind == MEASURE_EVENT_CALLING_CONTEXT_LEAVE)
		region = event->ref >= definitions->nr_calling_contexts
				 ? MEASURE_NONE
				 : definitions->calling_contexts[event->ref].region;
	return region == MEASURE_NONE ? MEASURE_PSEUDO_UNDEFINED : region;
}

static void take_off(struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	if (event->op == OTF2_MEASUREMENT_ON) {
		fold->special &= (uint8_t)~MEASURE_FOLD_OFF;
		return;
	}
	if (!(fold->special & MEASURE_FOLD_OFF) && !fold->is_outside)
		fold_charge(fold, fold->path, MEASURE_PSEUDO_RECORDING_OFF, 1, 0);
	fold->special |= MEASURE_FOLD_OFF;
	fold->since = time;
}

static void take_flush(struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	fold_charge(fold, fold->path, MEASURE_PSEUDO_BUFFER_FLUSH, !fold->is_outside, 0);
	fold->special |= MEASURE_FOLD_FLUSH;
	fold->since = time;
	fold->flush_stop = measure_event_time(
		fold->profile->trace, fold->location, event->number, event->position);
}

static void take_team(struct measure_fold *fold, const struct measure_event *event, uint64_t time)
{
	const bool is_begin = event->kind == MEASURE_EVENT_THREAD_TEAM_BEGIN;

	if (is_begin && fold->team_depth++ == 0 && fold->path == 0)
		fold->special &= (uint8_t)~MEASURE_FOLD_IDLE;
	if (is_begin || fold->team_depth == 0 || --fold->team_depth > 0)
		return;
	if (fold->path != 0 || !fold->is_worker)
		return;
	fold_charge(fold, 0, MEASURE_PSEUDO_IDLE, !fold->is_outside, 0);
	fold->special |= MEASURE_FOLD_IDLE;
	fold->since = time;
}

static void take_sample(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record)
{
	const uint32_t generator = measure_definition_index(&fold->profile->trace->definitions,
		MEASURE_KIND_INTERRUPT_GENERATOR, record->values[2]);

	if (event->ref == MEASURE_NONE || fold->is_outside)
		return;
	measure_cell(
		fold_row(fold, MEASURE_TABLE_SAMPLES, event->ref, generator), SAMPLES, COUNT)++;
	measure_cell(fold_values(fold), VALUES, SAMPLES)++;
}

static void take_enter(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record, uint64_t time)
{
	measure_fold_enter_slowly(fold, region_of(fold, event), time);
	if (record->nr_attributes > 0 && !fold->is_outside)
		fold_allocation(fold, record);
}

void measure_fold_record(struct measure_fold *fold, const struct measure_event *event,
	const struct measure_record *record, uint64_t time)
{
	if (event->kind == MEASURE_EVENT_ENTER ||
		event->kind == MEASURE_EVENT_CALLING_CONTEXT_ENTER) {
		take_enter(fold, event, record, time);
		return;
	}
	if (event->kind == MEASURE_EVENT_LEAVE ||
		event->kind == MEASURE_EVENT_CALLING_CONTEXT_LEAVE) {
		measure_fold_leave_slowly(fold, region_of(fold, event), time, event->is_refused);
		return;
	}
	if (fold->special)
		time = fold_arrive(fold, time);
	switch (event->kind) {
	case MEASURE_EVENT_MEASUREMENT_ON_OFF:
		take_off(fold, event, time);
		break;
	case MEASURE_EVENT_BUFFER_FLUSH:
		take_flush(fold, event, time);
		break;
	case MEASURE_EVENT_THREAD_FORK:
		fold->is_worker &= fold->team_depth > 0;
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
	case MEASURE_EVENT_THREAD_TEAM_END:
		take_team(fold, event, time);
		break;
	case MEASURE_EVENT_THREAD_TASK_CREATE:
	case MEASURE_EVENT_THREAD_TASK_SWITCH:
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		fold_tasks_event(fold, event, time);
		break;
	case MEASURE_EVENT_METRIC:
		fold_metrics_event(fold, event, record, time);
		break;
	case MEASURE_EVENT_PARAMETER_INT:
	case MEASURE_EVENT_PARAMETER_UNSIGNED_INT:
		if (is_iteration(fold, event->ref))
			begin_iteration(fold, event->number);
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_SAMPLE:
		take_sample(fold, event, record);
		break;
	default:
		fold_traffic_event(fold, event, time);
	}
}

/* ------------------------------------------------------------------ start and end --- */

void measure_fold_start(struct measure_fold *fold, struct measure_profile *profile,
	struct measure_ranks *ranks, uint32_t location)
{
	*fold = (struct measure_fold){.profile = profile,
		.ranks = ranks,
		.location = location,
		.process = profile->trace->definitions.locations[location].group,
		.until = UINT64_MAX,
		.is_worker = true,
		.tasks = fold_tasks_new(),
		.traffic = fold_traffic_new(),
		.metrics = fold_metrics_new()};
}

static void fold_cut_all(struct measure_fold *fold, uint64_t time)
{
	while (fold->context.top > fold->context.bottom)
		fold_cut(fold, time);
}

void measure_fold_skip(struct measure_fold *fold, uint64_t time)
{
	const uint64_t nr_cut = fold->profile->faults.cut;

	fold_arrive(fold, fold->last);
	fold_tasks_end(fold, fold->last);
	fold->profile->faults.cut = nr_cut;
	fold_cut_all(fold, fold->last);
	fold->special &= (uint8_t) ~(MEASURE_FOLD_OFF | MEASURE_FOLD_FLUSH | MEASURE_FOLD_IDLE);
	fold->skipped += time > fold->last ? time - fold->last : 0;
}

/* A location for metrics has none of its own, unless there are calls on it. */
static bool has_time(const struct measure_fold *fold)
{
	const struct measure_profile *profile = fold->profile;

	return profile->nr_paths > 1 ||
	       profile->trace->definitions.locations[fold->location].type !=
		       OTF2_LOCATION_TYPE_METRIC;
}

void fold_free(struct measure_fold *fold)
{
	free(fold->context.bottom);
	fold_tasks_free(fold->tasks);
	fold_traffic_free(fold->traffic);
	fold_metrics_free(fold->metrics);
}

void measure_fold_end(struct measure_fold *fold)
{
	struct measure_profile *profile = fold->profile;
	uint64_t first = profile->first, last = fold_arrive(fold, fold->last);

	fold_metrics_end(fold, last);
	fold_tasks_end(fold, last);
	profile->faults.cut += (uint64_t)(fold->context.top - fold->context.bottom);
	fold_cut_all(fold, last);
	if (first < fold->from)
		first = fold->from;
	profile->first = first;
	profile->last = last;
	if (last > first && has_time(fold))
		profile->paths[0].inclusive = last - first - fold->skipped;
	fold_free(fold);
}
