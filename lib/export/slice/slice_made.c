/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records that are made up: what opens at the begin of the window what is open there, outermost
 * first, and what closes it at its end, innermost first. */
#include "config.h"

#include "slice_internal.h"

#include <string.h>

struct slice_maker {
	struct slice *slice;
	struct slice_process *process;
	struct slice_location *of;
	uint32_t location;
	struct slice_team_ranges ranges;
	struct slice_made_list *list; /* records go there */
	struct slice_task task;       /* that runs behind them */
};

/* --------------------------------------------------------------------------- records --- */

struct measure_record *slice_make(struct slice_made_list *list, enum measure_event_kind kind,
	uint64_t a, uint64_t b, uint64_t c)
{
	struct slice_made *made = measure_append_item(list);

	*made = (struct slice_made){.record = {.kind = kind, .values = {a, b, c}}};
	return &made->record;
}

void slice_made_free(struct slice_made *made)
{
	measure_free(made->items);
	measure_free(made->types);
}

void slice_made_list_free(struct slice_made_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		slice_made_free(&list->items[i]);
	measure_free(list->items);
}

/* Of a metric, which has as many items as it says in its second field. */
void slice_made_copy(struct slice_made *made, const struct measure_record *record)
{
	const size_t nr = record->values[1];

	slice_made_free(made);
	*made = (struct slice_made){.record = *record,
		.items = measure_zeroed(nr + 1, sizeof(*made->items)),
		.types = measure_zeroed(nr + 1, sizeof(*made->types))};
	made->record.nr_attributes = 0;
	if (nr > 0)
		memcpy(made->items, record->items, nr * sizeof(*made->items));
	if (nr > 0)
		memcpy(made->types, record->types, nr * sizeof(*made->types));
}

static void make(const struct slice_maker *maker, enum measure_event_kind kind, uint64_t a,
	uint64_t b, uint64_t c)
{
	slice_make(maker->list, kind, a, b, c);
}

static uint64_t region_id(const struct slice_maker *maker, uint32_t region)
{
	return region == MEASURE_NONE ? MEASURE_NONE
				      : maker->slice->definitions->regions[region].id;
}

static uint64_t comm_id(const struct slice_maker *maker, uint32_t comm)
{
	return comm == MEASURE_NONE ? MEASURE_NONE : maker->slice->definitions->comms[comm].id;
}

static void make_task(
	const struct slice_maker *maker, enum measure_event_kind kind, struct slice_task task)
{
	make(maker, kind, comm_id(maker, task.comm), task.creator, task.generation);
}

static bool is_same_task(struct slice_task a, struct slice_task b)
{
	return a.comm == b.comm && a.creator == b.creator && a.generation == b.generation;
}

static struct slice_task task_of(const struct slice_open *open)
{
	return (struct slice_task){open->ref, (uint32_t)open->a, (uint32_t)open->b};
}

/* ------------------------------------------------------------------- teams, barriers --- */

/* All that the location lacks of the barriers from `first` on. */
static void make_barriers(
	const struct slice_maker *maker, uint64_t first, uint64_t end, uint32_t region)
{
	for (; first < end && region != MEASURE_NONE; first++) {
		make(maker, MEASURE_EVENT_ENTER, region_id(maker, region), 0, 0);
		make(maker, MEASURE_EVENT_LEAVE, region_id(maker, region), 0, 0);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* A team that the location is in before the window only, or after it. */
static void make_team(const struct slice_maker *maker, const struct slice_team *team,
	uint64_t ordinal, bool has_fork)
{
	const struct slice_barriers *barriers =
		slice_teams_barriers(&maker->ranges, team->comm, ordinal);
	const bool is_past = ordinal < team->before;
	const uint64_t nr = is_past && team->has_last ? team->nr_barriers : UINT64_MAX;

	if (has_fork)
		make(maker, MEASURE_EVENT_THREAD_FORK, team->model, team->nr_threads, 0);
	make(maker, MEASURE_EVENT_THREAD_TEAM_BEGIN, comm_id(maker, team->comm), 0, 0);
	if (barriers && (is_past || barriers->end != UINT64_MAX))
		make_barriers(maker, barriers->first, least(barriers->end, nr),
			is_past && team->barrier != MEASURE_NONE ? team->barrier
								 : barriers->region);
	make(maker, MEASURE_EVENT_THREAD_TEAM_END, comm_id(maker, team->comm), 0, 0);
	if (has_fork)
		make(maker, MEASURE_EVENT_THREAD_JOIN, team->model, 0, 0);
}

static bool is_missing(const struct slice_missing *range, uint64_t ordinal)
{
	return range && ordinal >= range->first && ordinal < range->end;
}

/* Forks that are still open make their teams themselves. */
static bool has_open_fork(
	const struct slice_frames *frames, const struct slice_team *team, uint64_t ordinal)
{
	for (size_t i = 0; i < frames->nr; i++)
		if (frames->items[i].kind == MEASURE_EVENT_THREAD_FORK &&
			frames->items[i].has_team && frames->items[i].team == team->comm &&
			frames->items[i].ordinal == ordinal)
			return true;
	return false;
}

static void make_past_teams(const struct slice_maker *maker)
{
	for (size_t i = 0; i < maker->of->nr_teams; i++) {
		const struct slice_team *team = &maker->of->teams[i];
		const struct slice_missing *range = slice_teams_range(&maker->ranges, team->comm);

		for (uint64_t k = range ? range->first : 0;
			range && k < least(team->before, range->end); k++)
			if (!has_open_fork(&maker->of->at_from, team, k))
				make_team(maker, team, k, team->is_forker);
	}
}

/* `fork`: in an open fork that has no team yet. True: there was one. */
static bool make_next_team(const struct slice_maker *maker, bool is_forked)
{
	for (size_t i = 0; i < maker->of->nr_teams; i++) {
		struct slice_team *team = &maker->of->teams[i];
		const struct slice_missing *range = slice_teams_range(&maker->ranges, team->comm);

		if (!range || team->until >= range->end)
			continue;
		if (team->until < range->first)
			team->until = range->first;
		make_team(maker, team, team->until++, !is_forked && team->is_forker);
		return true;
	}
	return false;
}

/* ------------------------------------------------------------------------- the begin --- */

static bool is_life(const struct slice_frame *frame)
{
	return frame->kind == MEASURE_EVENT_THREAD_BEGIN ||
	       frame->kind == MEASURE_EVENT_PROGRAM_BEGIN;
}

/* Opened by a record of this location. */
static void make_opens(const struct slice_maker *maker, struct slice_opens *opens, bool is_until,
	enum measure_event_kind kind, uint32_t comm)
{
	const struct measure_definitions *definitions = maker->slice->definitions;

	for (size_t i = 0; i < opens->nr; i++) {
		struct slice_open *open = &opens->items[i];

		if (open->is_done || open->location != maker->location || open->kind != kind ||
			(comm != MEASURE_NONE && open->ref != comm))
			continue;
		open->is_done = true;
		if (kind == MEASURE_EVENT_THREAD_TASK_CREATE)
			make_task(maker, is_until ? MEASURE_EVENT_THREAD_TASK_COMPLETE : kind,
				task_of(open));
		else if (kind == MEASURE_EVENT_THREAD_CREATE)
			make(maker, kind, comm_id(maker, open->ref), open->b, 0);
		else if (kind == MEASURE_EVENT_RMA_WIN_CREATE)
			make(maker, is_until ? MEASURE_EVENT_RMA_WIN_DESTROY : kind,
				definitions->windows[open->ref].id, 0, 0);
		else
			make(maker, kind, definitions->io_handles[open->ref].id, open->a, 0);
	}
}

/* What others of the process group have of a file that is used together: by number of openings. */
static void make_uses(const struct slice_maker *maker, bool is_until)
{
	const struct slice *slice = maker->slice;

	for (size_t i = 0; i < slice->nr_uses; i++) {
		const struct slice_use *use = &slice->uses[i];
		const uint64_t id = slice->definitions->io_handles[use->handle].id;
		uint64_t first = UINT64_MAX, end = 0;

		if (use->location != maker->location ||
			slice->definitions->io_handles[use->handle].comm == MEASURE_NONE ||
			slice->has_lost_members[use->handle])
			continue;
		for (size_t k = 0; k < slice->nr_uses; k++)
			if (slice->uses[k].handle == use->handle &&
				slice->uses[k].before < slice->uses[k].until) {
				first = least(first, slice->uses[k].before);
				end = end < slice->uses[k].until ? slice->uses[k].until : end;
			}
		for (uint64_t k = first; k < end; k++) {
			if (is_until ? k < use->until : k >= use->before)
				continue;
			make(maker, MEASURE_EVENT_IO_CREATE_HANDLE, id, use->access, 0);
			make(maker, MEASURE_EVENT_IO_DESTROY_HANDLE, id, 0, 0);
		}
	}
}

static void make_switch(struct slice_maker *maker, struct slice_task task)
{
	if (task.comm != MEASURE_NONE && !is_same_task(task, maker->task))
		make_task(maker, MEASURE_EVENT_THREAD_TASK_SWITCH, task);
	maker->task = task;
}

static void open_team(struct slice_maker *maker, size_t number)
{
	const struct slice_frame *frame = &maker->of->at_from.items[number];
	const struct slice_barriers *barriers =
		slice_teams_barriers(&maker->ranges, frame->ref, frame->ordinal);
	uint64_t nr_left = frame->nr_barriers;

	for (size_t i = number + 1; i < maker->of->at_from.nr; i++) {
		const struct slice_frame *inner = &maker->of->at_from.items[i];

		if (inner->kind == MEASURE_EVENT_THREAD_TEAM_BEGIN)
			break;
		nr_left -= inner->is_barrier;
	}
	make(maker, MEASURE_EVENT_THREAD_TEAM_BEGIN, comm_id(maker, frame->ref), 0, 0);
	maker->task = (struct slice_task){MEASURE_NONE, 0, 0};
	if (barriers)
		make_barriers(maker, barriers->first, nr_left, frame->barrier);
}

static void open_fork(struct slice_maker *maker, const struct slice_frame *frame)
{
	const struct slice_missing *range = slice_teams_range(&maker->ranges, frame->team);
	struct slice_team *team;

	make(maker, MEASURE_EVENT_THREAD_FORK, frame->model, frame->number, 0);
	if (!frame->has_team || !is_missing(range, frame->ordinal))
		return;
	team = slice_team_of(maker->of, frame->team);
	if (frame->ordinal < team->before)
		make_team(maker, team, frame->ordinal, false);
}

/* The first call stack is whole: there is none before it. */
static void open_context(const struct slice_maker *maker, uint32_t context)
{
	const struct measure_definitions *definitions = maker->slice->definitions;
	uint32_t at = measure_definition_index(definitions, MEASURE_KIND_CALLING_CONTEXT, context);
	uint32_t depth = 0;

	for (; at < definitions->nr_calling_contexts && depth < definitions->nr_calling_contexts;
		depth++)
		at = definitions->calling_contexts[at].parent;
	make(maker, MEASURE_EVENT_CALLING_CONTEXT_ENTER, context, depth + 1, 0);
}

/* Those that what runs has created before the frame of this number. */
static void open_tasks(struct slice_maker *maker, uint64_t serial)
{
	struct slice_opens *opens = &maker->process->at_from;

	for (size_t i = 0; i < opens->nr; i++) {
		struct slice_open *open = &opens->items[i];

		if (open->is_done || open->kind != MEASURE_EVENT_THREAD_TASK_CREATE ||
			open->location != maker->location || open->serial > serial ||
			!is_same_task(open->parent, maker->task))
			continue;
		open->is_done = true;
		make_task(maker, MEASURE_EVENT_THREAD_TASK_CREATE, task_of(open));
	}
}

static void open_switch(struct slice_maker *maker, struct slice_task task, uint64_t serial)
{
	open_tasks(maker, serial);
	if (is_same_task(task, maker->task))
		return;
	make_switch(maker, task);
	open_tasks(maker, serial);
}

static void open_frame(struct slice_maker *maker, size_t number)
{
	const struct slice_frame *frame = &maker->of->at_from.items[number];

	if (!is_life(frame))
		open_switch(maker, frame->task, frame->serial);
	switch (frame->kind) {
	case MEASURE_EVENT_ENTER:
		make(maker, MEASURE_EVENT_ENTER, region_id(maker, frame->ref), 0, 0);
		break;
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		open_context(maker, frame->ref);
		break;
	case MEASURE_EVENT_THREAD_FORK:
		open_fork(maker, frame);
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		open_team(maker, number);
		break;
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
		make(maker, MEASURE_EVENT_THREAD_ACQUIRE_LOCK, frame->model, frame->ref,
			frame->number);
		break;
	case MEASURE_EVENT_THREAD_BEGIN:
		make(maker, MEASURE_EVENT_THREAD_BEGIN, comm_id(maker, frame->ref), frame->number,
			0);
		break;
	case MEASURE_EVENT_PROGRAM_BEGIN:
		make(maker, MEASURE_EVENT_PROGRAM_BEGIN, frame->ref, 0, 0);
		break;
	}
}

static void open_metrics(struct slice_maker *maker)
{
	for (size_t i = 0; i < maker->of->nr_metrics; i++) {
		*measure_append_item(maker->list) = maker->of->metrics[i];
		maker->of->metrics[i] = (struct slice_made){.items = NULL};
	}
}

/* Tasks of those that are over come first: whoever runs later did not make them. */
static void open_frames(struct slice_maker *maker, size_t first)
{
	const struct slice_frames *frames = &maker->of->at_from;
	struct slice_made_list *list = maker->list, inner = {.nr = 0};

	maker->list = &inner;
	for (size_t i = first; i < frames->nr; i++)
		open_frame(maker, i);
	open_switch(maker, frames->task, UINT64_MAX);
	maker->list = list;
	make_opens(maker, &maker->process->at_from, false, MEASURE_EVENT_THREAD_TASK_CREATE,
		MEASURE_NONE);
	for (size_t i = 0; i < inner.nr; i++)
		*measure_append_item(list) = inner.items[i];
	measure_free(inner.items);
}

static void make_begin(struct slice_maker *maker)
{
	const struct slice_frames *frames = &maker->of->at_from;
	struct slice_opens *opens = &maker->process->at_from;
	size_t first = 0;

	maker->list = &maker->of->before;
	maker->task = (struct slice_task){MEASURE_NONE, 0, 0};
	for (; first < frames->nr && is_life(&frames->items[first]); first++)
		open_frame(maker, first);
	open_metrics(maker);
	make_opens(maker, opens, false, MEASURE_EVENT_THREAD_CREATE, MEASURE_NONE);
	make_opens(maker, opens, false, MEASURE_EVENT_RMA_WIN_CREATE, MEASURE_NONE);
	make_uses(maker, false);
	make_opens(maker, opens, false, MEASURE_EVENT_IO_CREATE_HANDLE, MEASURE_NONE);
	make_opens(maker, opens, false, MEASURE_EVENT_IO_DESTROY_HANDLE, MEASURE_NONE);
	make_past_teams(maker);
	open_frames(maker, first);
	if (maker->of->flush_stop > maker->of->raw_from)
		make(maker, MEASURE_EVENT_BUFFER_FLUSH,
			least(maker->of->flush_stop, maker->of->raw_until), 0, 0);
	if (frames->is_off)
		make(maker, MEASURE_EVENT_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_OFF, 0, 0);
}

/* --------------------------------------------------------------------------- the end --- */

/* The one that runs, unless it was over before. */
static void complete_task(struct slice_maker *maker)
{
	struct slice_opens *opens = &maker->process->at_until;
	const struct slice_task task = maker->task;
	uint32_t index;

	if (task.comm == MEASURE_NONE)
		return;
	index = measure_map_get(&opens->ids,
		(struct measure_key){(uint64_t)task.comm << 32 | task.creator, task.generation});
	if (index == MEASURE_NONE || opens->items[index].is_done)
		return;
	opens->items[index].is_done = true;
	make_task(maker, MEASURE_EVENT_THREAD_TASK_COMPLETE, task);
	maker->task.comm = MEASURE_NONE;
}

static void close_call(struct slice_maker *maker, const struct slice_frame *frame)
{
	if (!is_same_task(frame->task, maker->task)) {
		complete_task(maker);
		make_switch(maker, frame->task);
	}
	if (frame->kind == MEASURE_EVENT_ENTER)
		make(maker, MEASURE_EVENT_LEAVE, region_id(maker, frame->ref), 0, 0);
	else
		make(maker, MEASURE_EVENT_CALLING_CONTEXT_LEAVE, frame->ref, 0, 0);
}

static void close_team(struct slice_maker *maker, const struct slice_frame *frame)
{
	const struct slice_barriers *barriers =
		slice_teams_barriers(&maker->ranges, frame->ref, frame->ordinal);
	const uint64_t nr = frame->nr_barriers;

	complete_task(maker);
	make_opens(maker, &maker->process->at_until, true, MEASURE_EVENT_THREAD_TASK_CREATE,
		frame->ref);
	if (barriers && barriers->end != UINT64_MAX)
		make_barriers(maker, nr > barriers->first ? nr : barriers->first, barriers->end,
			barriers->region);
	make(maker, MEASURE_EVENT_THREAD_TEAM_END, comm_id(maker, frame->ref), 0, 0);
	maker->task = frame->task;
}

static void close_frame(struct slice_maker *maker, const struct slice_frame *frame)
{
	switch (frame->kind) {
	case MEASURE_EVENT_ENTER:
	case MEASURE_EVENT_CALLING_CONTEXT_ENTER:
		close_call(maker, frame);
		break;
	case MEASURE_EVENT_THREAD_FORK:
		if (!frame->has_team)
			make_next_team(maker, true);
		make(maker, MEASURE_EVENT_THREAD_JOIN, frame->model, 0, 0);
		break;
	case MEASURE_EVENT_THREAD_TEAM_BEGIN:
		close_team(maker, frame);
		break;
	case MEASURE_EVENT_THREAD_ACQUIRE_LOCK:
		make(maker, MEASURE_EVENT_THREAD_RELEASE_LOCK, frame->model, frame->ref,
			frame->number);
		break;
	case MEASURE_EVENT_THREAD_BEGIN:
		make(maker, MEASURE_EVENT_THREAD_END, comm_id(maker, frame->ref), frame->number, 0);
		break;
	case MEASURE_EVENT_PROGRAM_BEGIN:
		make(maker, MEASURE_EVENT_PROGRAM_END, (uint64_t)OTF2_UNDEFINED_INT64, 0, 0);
		break;
	}
}

static void make_end(struct slice_maker *maker)
{
	const struct slice_frames *frames = &maker->of->at_until;
	struct slice_opens *opens = &maker->process->at_until;
	size_t first = 0;

	maker->list = &maker->of->after;
	maker->task = frames->task;
	if (!maker->process->has_after)
		return;
	while (first < frames->nr && is_life(&frames->items[first]))
		first++;
	if (frames->is_off)
		make(maker, MEASURE_EVENT_MEASUREMENT_ON_OFF, OTF2_MEASUREMENT_ON, 0, 0);
	for (size_t i = frames->nr; i-- > first;)
		close_frame(maker, &frames->items[i]);
	complete_task(maker);
	make_opens(maker, opens, true, MEASURE_EVENT_THREAD_TASK_CREATE, MEASURE_NONE);
	while (make_next_team(maker, false))
		;
	make_opens(maker, opens, true, MEASURE_EVENT_IO_DESTROY_HANDLE, MEASURE_NONE);
	make_uses(maker, true);
	make_opens(maker, opens, true, MEASURE_EVENT_RMA_WIN_CREATE, MEASURE_NONE);
	while (first-- > 0)
		close_frame(maker, &frames->items[first]);
}

/* All locations first begin, as what one creates another one may need. */
void slice_make_up(struct slice *slice, uint32_t process)
{
	struct slice_maker maker = {.slice = slice, .process = &slice->processes[process]};

	slice_teams_find(slice, maker.process, &maker.ranges);
	for (size_t i = 0; i < maker.process->nr_locations; i++) {
		maker.location = maker.process->locations[i];
		maker.of = &slice->locations[maker.location];
		make_begin(&maker);
		make_end(&maker);
		slice->nr_made += maker.of->before.nr + maker.of->after.nr;
	}
	slice_teams_free(&maker.ranges);
}
