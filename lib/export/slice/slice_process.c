/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is open in a process, in the order of time: tasks, threads, windows, handles. */
#include "config.h"

#include "slice_internal.h"

struct slice_state {
	struct slice *slice;
	uint32_t process;
	struct slice_opens tasks, windows, threads;
	bool has_from;
};

struct slice_state *slice_state_new(struct slice *slice, uint32_t process)
{
	struct slice_state *state = measure_zeroed(1, sizeof(*state));

	state->slice = slice;
	state->process = process;
	return state;
}

static void opens_free(struct slice_opens *opens)
{
	measure_free(opens->items);
	measure_map_free(&opens->ids);
}

void slice_state_free(struct slice_state *state)
{
	opens_free(&state->tasks);
	opens_free(&state->windows);
	opens_free(&state->threads);
	measure_free(state);
}

/* ----------------------------------------------------------------------------- opens --- */

static struct slice_open *opens_add(
	struct slice_opens *opens, struct measure_key key, struct slice_open open)
{
	const uint32_t index = measure_map_intern(&opens->ids, key, (uint32_t)opens->nr);

	if (index == opens->nr)
		(void)measure_append_item(opens);
	opens->items[index] = open;
	return &opens->items[index];
}

static struct slice_open *opens_find(struct slice_opens *opens, struct measure_key key)
{
	const uint32_t index = measure_map_get(&opens->ids, key);

	return index == MEASURE_NONE ? NULL : &opens->items[index];
}

static struct measure_key opens_key(const struct slice_open *open)
{
	return (struct measure_key){(uint64_t)open->ref << 32 | open->a, open->b};
}

/* The last one takes its place. */
static void opens_remove(struct slice_opens *opens, struct measure_key key)
{
	const uint32_t index = measure_map_get(&opens->ids, key);

	if (index == MEASURE_NONE)
		return;
	measure_map_remove(&opens->ids, key);
	if (index == --opens->nr)
		return;
	opens->items[index] = opens->items[opens->nr];
	measure_map_set(&opens->ids, opens_key(&opens->items[index]), index);
}

static void opens_copy(struct slice_opens *to, const struct slice_opens *from)
{
	for (size_t i = 0; i < from->nr; i++)
		opens_add(to, opens_key(&from->items[i]), from->items[i]);
}

/* --------------------------------------------------------------------------- handles --- */

struct slice_use *slice_use_of(struct slice *slice, uint32_t handle, uint32_t process)
{
	const uint32_t index = measure_map_intern(
		&slice->use_ids, measure_key_pair(handle, process), (uint32_t)slice->nr_uses);

	if (index == slice->nr_uses)
		*measure_append(slice, uses) = (struct slice_use){.handle = handle,
			.process = process,
			.location = MEASURE_NONE,
			.is_open = slice->definitions->io_handles[handle].flags &
				   OTF2_IO_HANDLE_FLAG_PRE_CREATED};
	slice->has_used[handle] = true;
	return &slice->uses[index];
}

static struct slice_use *use_of(struct slice_state *state, uint32_t handle)
{
	return slice_use_of(state->slice, handle, state->process);
}

static void open_handle(
	struct slice_state *state, uint32_t location, uint32_t handle, uint8_t access)
{
	struct slice_use *use = use_of(state, handle);

	use->is_open = true;
	use->nr_begun++;
	use->location = location;
	use->access = access;
}

static void close_handle(struct slice_state *state, uint32_t location, uint32_t handle)
{
	struct slice_use *use = use_of(state, handle);

	use->nr_ended += use->nr_ended < use->nr_begun;
	use->is_open = false;
	use->location = location;
}

static void duplicate_handle(
	struct slice_state *state, uint32_t location, const struct measure_event *event)
{
	const uint8_t access = use_of(state, event->ref)->access;

	if (event->number < state->slice->definitions->nr_io_handles)
		open_handle(state, location, (uint32_t)event->number, access);
}

/* -------------------------------------------------------------------------- handlers --- */

static void task_event(struct slice_state *state, const struct slice_local *local,
	const struct measure_event *event)
{
	const struct slice_open open = {.kind = MEASURE_EVENT_THREAD_TASK_CREATE,
		.location = local->location,
		.parent = local->frames.task,
		.serial = local->frames.nr_opened,
		.ref = event->ref,
		.a = event->peer,
		.b = event->tag};

	if (event->tag == 0 || event->ref == MEASURE_NONE)
		return;
	if (event->kind == MEASURE_EVENT_THREAD_TASK_CREATE)
		opens_add(&state->tasks, opens_key(&open), open);
	else if (event->kind == MEASURE_EVENT_THREAD_TASK_COMPLETE)
		opens_remove(&state->tasks, opens_key(&open));
}

static void window_event(
	struct slice_state *state, uint32_t location, const struct measure_event *event)
{
	const struct slice_open open = {
		.kind = MEASURE_EVENT_RMA_WIN_CREATE, .location = location, .ref = event->ref};

	if (event->ref == MEASURE_NONE)
		return;
	if (event->kind == MEASURE_EVENT_RMA_WIN_CREATE)
		opens_add(&state->windows, opens_key(&open), open);
	else
		opens_remove(&state->windows, opens_key(&open));
}

/* is_done: it has ended. Threads stay, as one may wait for them at any time after that. */
static void thread_event(
	struct slice_state *state, uint32_t location, const struct measure_event *event)
{
	struct slice *slice = state->slice;
	const struct slice_open open = {.kind = MEASURE_EVENT_THREAD_CREATE,
		.location = location,
		.ref = event->ref,
		.b = event->number};
	struct slice_open *found;

	if (event->ref == MEASURE_NONE || event->number == OTF2_UNDEFINED_UINT64)
		return;
	found = opens_find(&state->threads, opens_key(&open));
	if (event->kind == MEASURE_EVENT_THREAD_CREATE && !found)
		opens_add(&state->threads, opens_key(&open), open);
	else if (event->kind == MEASURE_EVENT_THREAD_END && found && event->time < slice->from)
		found->is_done = true;
	else if (event->kind == MEASURE_EVENT_THREAD_WAIT && found && found->is_done &&
		 slice->is_deciding && slice_is_inside(slice, event->time))
		slice_remove(slice, location, event->position);
}

/* All that is done with a file by a part of its processes. */
static void handle_event(
	struct slice_state *state, uint32_t location, const struct measure_event *event)
{
	struct slice *slice = state->slice;

	if (event->ref == MEASURE_NONE)
		return;
	if (slice->is_deciding) {
		if (slice->has_lost_members[event->ref] && slice_is_inside(slice, event->time))
			slice_remove(slice, location, event->position);
		return;
	}
	if (event->kind == MEASURE_EVENT_IO_CREATE_HANDLE)
		open_handle(state, location, event->ref, event->op);
	else if (event->kind == MEASURE_EVENT_IO_DESTROY_HANDLE)
		close_handle(state, location, event->ref);
	else if (event->kind == MEASURE_EVENT_IO_DUPLICATE_HANDLE)
		duplicate_handle(state, location, event);
}

void slice_state_event(struct slice_state *state, const struct slice_local *local,
	const struct measure_event *event)
{
	const uint32_t location = local->location;

	if (event->time > state->slice->until)
		return;
	switch (event->kind) {
	case MEASURE_EVENT_THREAD_TASK_CREATE:
	case MEASURE_EVENT_THREAD_TASK_COMPLETE:
		task_event(state, local, event);
		break;
	case MEASURE_EVENT_RMA_WIN_CREATE:
	case MEASURE_EVENT_RMA_WIN_DESTROY:
		window_event(state, location, event);
		break;
	case MEASURE_EVENT_THREAD_CREATE:
	case MEASURE_EVENT_THREAD_BEGIN:
	case MEASURE_EVENT_THREAD_WAIT:
	case MEASURE_EVENT_THREAD_END:
		thread_event(state, location, event);
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
		handle_event(state, location, event);
		break;
	}
}

/* ------------------------------------------------------------------------------ cuts --- */

static bool has_life_records(const struct slice *slice, uint32_t window)
{
	return slice->definitions->windows[window].flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS;
}

static void keep_windows(struct slice_state *state, struct slice_opens *to)
{
	for (size_t i = 0; i < state->windows.nr; i++)
		if (has_life_records(state->slice, state->windows.items[i].ref))
			opens_add(to, (struct measure_key){UINT64_MAX, i}, state->windows.items[i]);
}

/* `kind`: of the record where the handle is not as it was at the start of the process. */
static void keep_handles(
	struct slice_state *state, struct slice_opens *to, enum measure_event_kind kind)
{
	const struct slice *slice = state->slice;

	for (size_t i = 0; i < slice->nr_uses; i++) {
		const struct slice_use *use = &slice->uses[i];
		const bool is_always = slice->definitions->io_handles[use->handle].flags &
				       OTF2_IO_HANDLE_FLAG_PRE_CREATED;

		if (use->process != state->process || use->is_open == is_always ||
			(is_always && kind == MEASURE_EVENT_IO_DESTROY_HANDLE) ||
			slice->has_lost_members[use->handle])
			continue;
		opens_add(to, (struct measure_key){UINT64_MAX - 1, i},
			(struct slice_open){
				.kind = is_always ? MEASURE_EVENT_IO_DESTROY_HANDLE : kind,
				.location = use->location,
				.ref = use->handle,
				.a = use->access});
	}
}

void slice_state_from(struct slice_state *state)
{
	struct slice *slice = state->slice;
	struct slice_opens *to = &slice->processes[state->process].at_from;

	if (slice->is_deciding || state->has_from)
		return;
	state->has_from = true;
	opens_copy(to, &state->tasks);
	keep_windows(state, to);
	keep_handles(state, to, MEASURE_EVENT_IO_CREATE_HANDLE);
	for (size_t i = 0; i < state->threads.nr; i++)
		if (!state->threads.items[i].is_done)
			opens_add(to, (struct measure_key){UINT64_MAX - 2, i},
				state->threads.items[i]);
	for (size_t i = 0; i < slice->nr_uses; i++)
		if (slice->uses[i].process == state->process)
			slice->uses[i].before = slice->uses[i].nr_ended;
}

void slice_state_until(struct slice_state *state)
{
	struct slice *slice = state->slice;
	struct slice_opens *to = &slice->processes[state->process].at_until;

	if (slice->is_deciding)
		return;
	opens_copy(to, &state->tasks);
	keep_windows(state, to);
	keep_handles(state, to, MEASURE_EVENT_IO_DESTROY_HANDLE);
	for (size_t i = 0; i < slice->nr_uses; i++)
		if (slice->uses[i].process == state->process)
			slice->uses[i].until = slice->uses[i].nr_begun;
}
