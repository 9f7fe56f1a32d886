/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the segments of a run to a roll-call; see live_rollcall.h. */
#include "config.h"

#include "live_rollcall.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/procfs.h"
#include "trace/stream/record.h"

#define BETWEEN_LOOKS 1 /* seconds */

static uint32_t process_index(
	const struct live_rollcall *rollcall, const struct live_process *process)
{
	return (uint32_t)(process->place - rollcall->run->job.processes.items);
}

static const char *intern_text(struct live_rollcall *rollcall, const char *text)
{
	uint32_t id = 0;

	if (measure_intern_put(&rollcall->texts, text, strlen(text) + 1, &id, NULL) != MEASURE_OK)
		return "";
	return measure_intern_key(&rollcall->texts, id);
}

/* -------------------------------------------------------------------- communicators --- */

uint32_t live_rollcall_comm(
	const struct live_rollcall *rollcall, const struct live_process *process, uint32_t local)
{
	const size_t index = process_index(rollcall, process);
	const measure_id_map_t *map = &rollcall->run->unified.locals.items[index].comms;

	if (local >= map->nr || map->items[local] >= rollcall->call.comms.nr)
		return UINT32_MAX;
	return rollcall->call.comms.items[map->items[local]].members.nr > 0 ? map->items[local]
									    : UINT32_MAX;
}

uint32_t live_rollcall_member(const struct live_rollcall *rollcall, uint32_t comm, uint32_t rank)
{
	const struct measure_roll_comm *known;

	if (comm >= rollcall->call.comms.nr)
		return MEASURE_ROLL_ANY;
	known = &rollcall->call.comms.items[comm];
	return rank < known->members.nr ? known->members.items[rank] : MEASURE_ROLL_ANY;
}

/* Of others than intracommunicators of MPI nothing is known. */
static measure_status_t add_comm(
	struct live_rollcall *rollcall, const struct measure_otf2_comm *definition)
{
	const struct measure_archive_definitions *definitions = &rollcall->run->unified.definitions;
	const struct measure_otf2_group *group = &definitions->groups.items[definition->group];
	struct measure_roll_comm comm = {.name = live_string(rollcall->run, definition->name)};
	measure_status_t status = MEASURE_OK;
	const bool is_known = !definition->is_inter && group->paradigm == OTF2_PARADIGM_MPI &&
			      group->type == OTF2_GROUP_TYPE_COMM_GROUP;

	for (uint32_t i = 0; is_known && i < group->nr_members && status == MEASURE_OK; i++) {
		const uint64_t member = group->members[i];
		if (member >= rollcall->run->job.processes.nr)
			break;
		status = measure_array_push(&comm.members, (uint32_t)member);
		if (status == MEASURE_OK)
			status = measure_array_push(&comm.begun, UINT32_MAX);
	}
	if (status == MEASURE_OK)
		status = measure_array_push(&rollcall->call.comms, comm);
	return status;
}

static void count_begun(struct live_rollcall *rollcall, const struct live_process *process)
{
	const struct measure_segment_header *header = process->live.segment.header;
	const uint32_t self = process_index(rollcall, process);

	for (uint32_t local = 0; local < MEASURE_COUNTED_COMMS; local++) {
		const uint32_t index = live_rollcall_comm(rollcall, process, local);
		const uint32_t begun = atomic_load(&header->collectives[local]);
		struct measure_roll_comm *comm;

		if (index == UINT32_MAX)
			continue;
		comm = &rollcall->call.comms.items[index];
		for (size_t i = 0; i < comm->members.nr; i++)
			if (comm->members.items[i] == self && !(begun & MEASURE_COUNT_DOUBTFUL))
				comm->begun.items[i] = begun;
	}
}

static measure_status_t add_collectives(
	struct live_rollcall *rollcall, const struct live_process *process)
{
	const struct measure_segment_header *header = process->live.segment.header;
	const uint32_t nr = atomic_load(&header->nr_begun);
	measure_status_t status = MEASURE_OK;

	for (uint32_t i = 0; i < MEASURE_BEGUN_COLLECTIVES && i < nr && status == MEASURE_OK; i++) {
		const struct measure_segment_collective begun = header->begun[i];
		const uint32_t comm = live_rollcall_comm(rollcall, process, begun.comm);
		const struct measure_roll_collective collective = {
			.process = process_index(rollcall, process),
			.comm = comm,
			.ordinal = begun.number,
			.root = live_rollcall_member(rollcall, comm, begun.root),
			.operation = (uint8_t)begun.operation};

		if (comm != UINT32_MAX &&
			!(atomic_load(&header->collectives[begun.comm]) & MEASURE_COUNT_DOUBTFUL))
			status = measure_array_push(&rollcall->call.collectives, collective);
	}
	return status;
}

/* --------------------------------------------------------------------------- threads --- */

/* What it was about to wait for in the innermost region; false: nothing is known of that. */
static bool read_pending(const struct live_process *process, uint32_t location,
	const struct measure_live_stack *stack, struct measure_segment_pending *pending)
{
	const struct measure_segment_pending *shared =
		&process->live.segment.locations[location].pending;
	const struct measure_live_frame *top =
		stack->frames.nr ? &stack->frames.items[stack->frames.nr - 1] : NULL;
	/* both pair with the stores in measure_pending_note() */
	const uint32_t before = atomic_load_explicit(&shared->sequence, memory_order_acquire);

	memcpy(pending, shared, sizeof(*pending));
	atomic_thread_fence(memory_order_acquire);
	return top && !stack->is_moving && !top->is_older && before != 0 && before % 2 == 0 &&
	       before == atomic_load_explicit(&shared->sequence, memory_order_relaxed) &&
	       pending->depth == stack->frames.nr && pending->time == top->time;
}

static struct measure_roll_need make_need(const struct live_rollcall *rollcall,
	const struct live_process *process, const struct measure_pending_item *item)
{
	struct measure_roll_need need = {.kind = item->kind,
		.operation = item->operation,
		.number = item->number,
		.comm = item->comm,
		.peer = item->peer,
		.value = item->value};

	if (item->kind >= MEASURE_PENDING_LOCK) {
		need.object = measure_pending_object_of(item);
		return need;
	}
	need.comm = live_rollcall_comm(rollcall, process, item->comm);
	if (need.comm == UINT32_MAX)
		need.kind = MEASURE_PENDING_OTHER;
	else if (item->peer != MEASURE_PENDING_ANY)
		need.peer = live_rollcall_member(rollcall, need.comm, item->peer);
	/* a rank that there is not */
	if (item->kind != MEASURE_PENDING_COLLECTIVE && item->peer != MEASURE_PENDING_ANY &&
		need.peer == MEASURE_ROLL_ANY)
		need.kind = MEASURE_PENDING_OTHER;
	return need;
}

static void take_pending(const struct live_rollcall *rollcall, const struct live_process *process,
	const struct measure_segment_pending *pending, struct measure_roll_thread *thread)
{
	thread->is_any = pending->is_any != 0;
	thread->is_partial = pending->nr_items > MEASURE_PENDING_ITEMS;
	thread->nr_needs = thread->is_partial ? MEASURE_PENDING_ITEMS : pending->nr_items;
	for (uint32_t i = 0; i < thread->nr_needs; i++)
		thread->needs[i] = make_need(rollcall, process, &pending->items[i]);
	if (thread->nr_needs > 0)
		thread->state = MEASURE_ROLL_BLOCKED;
}

static bool is_resting(const struct measure_segment_location *location)
{
	const uint64_t resting = atomic_load(&location->resting);

	return resting != 0 && resting == atomic_load(&location->committed);
}

static enum measure_roll_state find_state(const struct live_process *process, uint32_t location,
	const struct measure_live_stack *stack, enum measure_roll_state state)
{
	const struct measure_segment_location *shared = &process->live.segment.locations[location];

	if (stack->has_ended)
		return MEASURE_ROLL_ENDED;
	if (process->is_stopped || stack->is_moving || atomic_load(&shared->drop_since) != 0)
		return MEASURE_ROLL_RUNNING;
	return is_resting(shared) ? MEASURE_ROLL_RESTING : state;
}

/* Its thread is running or ready to. */
static bool is_busy(const struct live_process *process, uint32_t location)
{
	const long long pid = (long long)process->place->part->process.pid;
	const int tid = process->live.segment.locations[location].tid;
	char path[64], text[512];
	const char *state;

	snprintf(path, sizeof(path), "/proc/%lld/task/%d/stat", pid, tid);
	if (measure_text_read(path, text, sizeof(text)) <= 0)
		return false;
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'R';
}

static const char *make_path(struct live_rollcall *rollcall, const struct live_process *process,
	const struct measure_live_stack *stack)
{
	const char *path = "";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return "";
	for (size_t i = 0; i < stack->frames.nr; i++) {
		const struct measure_otf2_region *region =
			live_region(rollcall->run, process, &stack->frames.items[i]);
		fprintf(out, "%s%s", i ? " > " : "",
			region ? live_string(rollcall->run, region->name) : "?");
	}
	fclose(out);
	path = intern_text(rollcall, text);
	free(text);
	return path;
}

static measure_status_t add_thread(
	struct live_rollcall *rollcall, struct live_process *process, uint32_t location)
{
	const struct measure_live_stack *stack = &process->stacks.items[location];
	const struct measure_segment_location *shared = &process->live.segment.locations[location];
	struct measure_roll_thread thread = {.process = process_index(rollcall, process),
		.index = location,
		.number = shared->thread_handle,
		.is_busy = is_busy(process, location),
		.path = make_path(rollcall, process, stack)};
	struct measure_segment_pending pending;
	struct live_seen seen = {process, location, atomic_load(&shared->committed),
		atomic_load(&shared->pending.sequence)};
	const struct measure_live_frame *top =
		stack->frames.nr ? &stack->frames.items[stack->frames.nr - 1] : NULL;
	const struct measure_otf2_region *region =
		top ? live_region(rollcall->run, process, top) : NULL;
	measure_status_t status;

	if (region)
		thread.call = live_string(rollcall->run, region->name);
	thread.seconds = live_seconds(rollcall->run, process, top ? top->time : stack->last_time);
	for (int i = 0; i < MEASURE_HELD_LOCKS; i++)
		thread.locks[i] = atomic_load(&shared->locks[i]);
	if (read_pending(process, location, stack, &pending))
		take_pending(rollcall, process, &pending, &thread);
	thread.state = find_state(process, location, stack, thread.state);
	status = measure_array_push(&rollcall->call.threads, thread);
	return status == MEASURE_OK ? measure_array_push(&rollcall->seen, seen) : status;
}

static struct live_process *find_process(
	const struct live_run *run, const struct measure_process *place)
{
	for (size_t i = 0; i < run->processes.nr; i++)
		if (run->processes.items[i].place == place)
			return &run->processes.items[i];
	return NULL;
}

static measure_status_t add_process(struct live_rollcall *rollcall, uint32_t index)
{
	const struct measure_process *place = &rollcall->run->job.processes.items[index];
	struct live_process *process = find_process(rollcall->run, place);
	struct measure_roll_process made = {.rank = place->id};
	measure_status_t status;

	made.has_ended = process && process->state == LIVE_ENDED;
	made.is_unknown = !process || (process->state != LIVE_RUNNING && !made.has_ended);
	if (process && process->state == LIVE_RUNNING) {
		const struct measure_segment_header *header = process->live.segment.header;

		made.is_stopped = process->is_stopped;
		made.is_open = atomic_load(&header->counts[MEASURE_COUNT_FORKS]) > 0;
	}
	status = measure_array_push(&rollcall->call.processes, made);
	if (!process || process->state != LIVE_RUNNING)
		return status;
	for (uint32_t i = 0; i < process->stacks.nr && status == MEASURE_OK; i++)
		if (process->stacks.items[i].nr_events > 0)
			status = add_thread(rollcall, process, i);
	return status;
}

/* ----------------------------------------------------------------------------- looks --- */

static measure_status_t look_once(struct live_rollcall *rollcall)
{
	struct live_run *run = rollcall->run;
	measure_status_t status = MEASURE_OK;

	rollcall->call.word = run->job.worlds.nr > 0 ? "rank" : "process";
	for (size_t i = 0; i < run->unified.definitions.comms.nr && status == MEASURE_OK; i++)
		status = add_comm(rollcall, &run->unified.definitions.comms.items[i]);
	for (uint32_t i = 0; i < run->job.processes.nr && status == MEASURE_OK; i++)
		status = add_process(rollcall, i);
	for (size_t i = 0; i < run->processes.nr && status == MEASURE_OK; i++) {
		const struct live_process *process = &run->processes.items[i];
		if (process->state != LIVE_RUNNING || !process->place)
			continue;
		count_begun(rollcall, process);
		status = add_collectives(rollcall, process);
	}
	return status == MEASURE_OK ? measure_rollcall_judge(&rollcall->call) : status;
}

/* It is where it was, though it may have recorded something: samples, or calls inside. */
static bool is_same_call(const struct live_seen *seen)
{
	const struct measure_live_stack *before = &seen->process->stacks.items[seen->location];
	struct measure_live_stack now;
	const size_t top = before->frames.nr;
	bool is_same;

	if (measure_live_stack(&seen->process->live, seen->location, &now) != MEASURE_OK)
		return false;
	is_same = !now.is_moving && top > 0 && now.frames.nr == top &&
		  now.frames.items[top - 1].time == before->frames.items[top - 1].time &&
		  now.frames.items[top - 1].region == before->frames.items[top - 1].region;
	free(now.frames.items);
	return is_same;
}

/* Whoever has moved since then is not blocked. Nor is one that was stopped meanwhile. */
static void look_again(struct live_rollcall *rollcall)
{
	for (size_t i = 0; i < rollcall->seen.nr; i++) {
		const struct live_seen *seen = &rollcall->seen.items[i];
		const struct measure_segment_location *shared =
			&seen->process->live.segment.locations[seen->location];
		const struct measure_part *part = seen->process->place->part;

		if (atomic_load(&shared->pending.sequence) != seen->sequence ||
			(atomic_load(&shared->committed) != seen->committed &&
				!is_same_call(seen)) ||
			measure_process_is_stopped(
				(pid_t)part->process.pid, part->process.start_time))
			rollcall->call.threads.items[i].state = MEASURE_ROLL_RUNNING;
	}
}

measure_status_t live_rollcall_take(struct live_rollcall *rollcall, struct live_run *run)
{
	const struct timespec pause = {BETWEEN_LOOKS, 0};
	measure_status_t status;

	*rollcall = (struct live_rollcall){.run = run};
	status = look_once(rollcall);
	if (status != MEASURE_OK || !measure_roll_is_deadlocked(&rollcall->call))
		return status;
	status = live_messages_find(rollcall);
	nanosleep(&pause, NULL);
	look_again(rollcall);
	return status == MEASURE_OK ? measure_rollcall_judge(&rollcall->call) : status;
}

void live_rollcall_release(struct live_rollcall *rollcall)
{
	measure_rollcall_free(&rollcall->call);
	measure_intern_free(&rollcall->texts);
	free(rollcall->seen.items);
}
