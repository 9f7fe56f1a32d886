/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packs are made of entries: a kind, then what is of it, in the order in which a match that is
 * joined has it. */
#include "config.h"

#include "match_pack.h"

#include <string.h>

#include "match_internal.h"

enum entry {
	ENTRY_MATCH, /* the next one begins */
	ENTRY_PROCESS,
	ENTRY_MESSAGES,
	ENTRY_COLLECTIVES,
	ENTRY_RMA,
	ENTRY_EPOCH,
	ENTRY_IO,
	ENTRY_FILE,
	ENTRY_PIPE,
	ENTRY_SPAWN
};

/* ------------------------------------------------------------------------ packing --- */

static void pack_put(struct measure_pack *pack, const void *data, size_t size)
{
	while (pack->room - pack->size < size)
		pack->data = measure_grow(pack->data, pack->room, &pack->room, 1);
	memcpy(pack->data + pack->size, data, size);
	pack->size += size;
}

static void put_number(struct measure_pack *pack, uint32_t number)
{
	pack_put(pack, &number, sizeof(number));
}

void measure_packing_start(struct measure_packing *packing, const struct measure_trace *trace,
	const uint32_t *readers, uint32_t own, uint32_t nr_readers)
{
	const struct measure_definitions *definitions = &trace->definitions;

	*packing = (struct measure_packing){.trace = trace,
		.own = own,
		.nr_readers = nr_readers,
		.readers =
			measure_zeroed(definitions->nr_location_groups, sizeof(*packing->readers)),
		.packs = measure_zeroed(nr_readers, sizeof(*packing->packs)),
		.members = measure_zeroed(definitions->nr_comms, sizeof(*packing->members))};
	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		if (definitions->locations[i].group != MEASURE_NONE)
			packing->readers[definitions->locations[i].group] = readers[i];
}

void measure_packing_start_whole(struct measure_packing *packing, const struct measure_trace *trace)
{
	const struct measure_definitions *definitions = &trace->definitions;

	*packing = (struct measure_packing){.trace = trace,
		.own = MEASURE_NONE,
		.nr_readers = 1,
		.readers =
			measure_zeroed(definitions->nr_location_groups, sizeof(*packing->readers)),
		.packs = measure_zeroed(1, sizeof(*packing->packs)),
		.members = measure_zeroed(definitions->nr_comms, sizeof(*packing->members))};
	packing->packs->is_whole = true;
}

void measure_packing_free(struct measure_packing *packing)
{
	for (uint32_t r = 0; r < packing->nr_readers; r++)
		measure_free(packing->packs[r].data);
	for (size_t i = 0; i < packing->trace->definitions.nr_comms; i++)
		measure_free(packing->members[i]);
	measure_free(packing->packs);
	measure_free(packing->members);
	measure_free(packing->readers);
}

/* Which readers have a member of a communicator. */
static const bool *members_of(struct measure_packing *packing, uint32_t comm)
{
	const struct measure_definitions *definitions = &packing->trace->definitions;
	bool **members = &packing->members[comm];

	if (*members)
		return *members;
	*members = measure_zeroed(packing->nr_readers, sizeof(**members));
	(*members)[0] = packing->packs->is_whole;
	for (uint32_t side = 0; side <= definitions->comms[comm].is_inter; side++) {
		const uint32_t group = definitions->comms[comm].groups[side];

		for (uint32_t i = 0;
			group < definitions->nr_groups && i < definitions->groups[group].nr_members;
			i++) {
			const uint32_t location = measure_group_location(definitions, group,
				measure_group_rank(&definitions->groups[group], i));
			const uint32_t process = location == MEASURE_NONE
							 ? MEASURE_NONE
							 : definitions->locations[location].group;

			if (process != MEASURE_NONE)
				(*members)[packing->readers[process]] = true;
		}
	}
	return *members;
}

static void pack_processes(const struct measure_match *match, struct measure_packing *packing)
{
	for (uint32_t i = 0; i < match->definitions->nr_location_groups; i++) {
		const struct process *process = &match->processes[i];

		for (uint32_t r = 0; r < packing->nr_readers; r++) {
			if (r == packing->own || (!process->has_events && !process->is_damaged))
				continue;
			put_number(&packing->packs[r], ENTRY_PROCESS);
			put_number(&packing->packs[r], i);
			pack_put(&packing->packs[r], process, sizeof(*process));
		}
	}
}

static void put_mark(struct measure_pack *pack, const struct measure_match *match, uint32_t number)
{
	const struct measure_sync_point *mark = measure_mark_at(&match->marks, number);

	const uint64_t times[] = {mark->raw, mark->position};

	put_number(pack, mark->location);
	put_number(pack, mark->is_nonblocking);
	if (pack->is_whole)
		pack_put(pack, times, sizeof(times));
}

/* What else is known of a message, if anything. */
static void put_answer(
	struct measure_pack *pack, const struct measure_match *match, bool is_send, uint32_t mark)
{
	const struct answered_send *send = is_send ? rendezvous_send_of(match, mark) : NULL;
	const struct answering_receive *receive =
		is_send ? NULL : rendezvous_receive_of(match, mark);

	put_number(pack, send || receive);
	if (send)
		pack_put(pack, send, sizeof(*send));
	if (receive)
		pack_put(pack, receive, sizeof(*receive));
	if (receive && receive->has_marks) {
		put_mark(pack, match, receive->ticks);
		put_mark(pack, match, receive->ticks + 1);
	}
}

static void pack_messages(const struct measure_match *match, struct measure_packing *packing)
{
	const struct messages *messages = &match->messages;

	for (size_t i = 0; i < messages->nr_lanes; i++) {
		const struct message_lane *lane = &messages->lanes[i];
		const uint32_t reader =
			packing->readers[lane->is_send ? lane->receiver : lane->sender];
		struct measure_pack *pack = &packing->packs[reader];

		if (reader == packing->own)
			continue;
		put_number(pack, ENTRY_MESSAGES);
		pack_put(pack, lane, sizeof(*lane));
		pack_put(pack, messages->lengths + lane->first,
			lane->nr * sizeof(*messages->lengths));
		for (size_t k = 0; k < lane->nr; k++) {
			const uint32_t mark = messages->marks[lane->first + k];

			put_mark(pack, match, mark);
			put_answer(pack, match, lane->is_send, mark);
		}
	}
}

static void put_collectives(struct measure_pack *pack, const struct measure_match *match,
	const struct collectives *collectives, const struct collective_lane *lane)
{
	put_number(pack, collectives->is_rma ? ENTRY_RMA : ENTRY_COLLECTIVES);
	pack_put(pack, lane, sizeof(*lane));
	for (size_t k = 0; k < lane->nr; k++) {
		const struct collective *item = &collectives->items[lane->first + k];

		pack_put(pack, item, sizeof(*item));
		put_mark(pack, match, item->begin);
		put_mark(pack, match, item->end);
	}
}

static void pack_collectives(const struct measure_match *match,
	const struct collectives *collectives, struct measure_packing *packing)
{
	for (size_t i = 0; i < collectives->nr_lanes; i++) {
		const struct collective_lane *lane = &collectives->lanes[i];
		const bool *members = members_of(
			packing, collectives->is_rma ? match->definitions->windows[lane->space].comm
						     : lane->space);

		for (uint32_t r = 0; r < packing->nr_readers; r++)
			if (r != packing->own && members[r])
				put_collectives(&packing->packs[r], match, collectives, lane);
	}
}

static struct epoch_halves *halves_of(struct epochs *epochs, uint32_t which)
{
	struct epoch_halves *const halves[] = {&epochs->posts, &epochs->completes, &epochs->waits};

	return halves[which];
}

static void pack_epochs(const struct measure_match *match, struct measure_packing *packing)
{
	const struct epochs *epochs = &match->epochs;

	for (uint32_t which = 0; which < 3; which++) {
		const struct epoch_halves *halves = halves_of((struct epochs *)epochs, which);

		for (size_t i = 0; i < halves->nr; i++) {
			const struct epoch_half *half = &halves->items[i];
			const struct epoch_lane *lane = &epochs->lanes[half->posting.lane];
			const uint32_t origin = packing->readers[lane->origin];
			const uint32_t reader =
				origin == packing->own ? packing->readers[lane->target] : origin;
			struct measure_pack *pack = &packing->packs[reader];

			if (reader == packing->own)
				continue;
			put_number(pack, ENTRY_EPOCH);
			put_number(pack, which);
			pack_put(pack, lane, sizeof(*lane));
			pack_put(pack, &half->posting, sizeof(half->posting));
			put_mark(pack, match, half->begin);
			put_mark(pack, match, half->end);
		}
	}
}

static void pack_io(const struct measure_match *match, struct measure_packing *packing)
{
	for (size_t i = 0; i < match->io.nr_uses; i++)
		for (uint32_t r = 0; r < packing->nr_readers; r++) {
			if (r == packing->own)
				continue;
			put_number(&packing->packs[r], ENTRY_IO);
			pack_put(&packing->packs[r], &match->io.uses[i], sizeof(*match->io.uses));
		}
}

static void pack_files(const struct measure_match *match, struct measure_packing *packing)
{
	for (size_t i = 0; i < match->files.nr; i++)
		for (uint32_t r = 0; r < packing->nr_readers; r++) {
			const struct file_step *step = &match->files.items[i];

			if (r == packing->own)
				continue;
			put_number(&packing->packs[r], ENTRY_FILE);
			pack_put(&packing->packs[r], step, sizeof(*step));
			put_mark(&packing->packs[r], match, step->begin);
			if (step->end != MEASURE_NONE)
				put_mark(&packing->packs[r], match, step->end);
		}
}

static void pack_pipes(const struct measure_match *match, struct measure_packing *packing)
{
	for (size_t i = 0; i < match->pipes.nr; i++)
		for (uint32_t r = 0; r < packing->nr_readers; r++) {
			const struct pipe_step *step = &match->pipes.items[i];

			if (r == packing->own)
				continue;
			put_number(&packing->packs[r], ENTRY_PIPE);
			pack_put(&packing->packs[r], step, sizeof(*step));
			put_mark(&packing->packs[r], match, step->begin);
			put_mark(&packing->packs[r], match, step->end);
		}
}

static void pack_spawns(const struct measure_match *match, struct measure_packing *packing)
{
	for (size_t i = 0; i < match->spawns.nr; i++)
		for (uint32_t r = 0; r < packing->nr_readers; r++) {
			if (r == packing->own)
				continue;
			put_number(&packing->packs[r], ENTRY_SPAWN);
			pack_put(&packing->packs[r], &match->spawns.items[i],
				sizeof(*match->spawns.items));
		}
}

static void pack_place(uint64_t place, struct measure_packing *packing)
{
	for (uint32_t r = 0; r < packing->nr_readers; r++) {
		if (r == packing->own)
			continue;
		put_number(&packing->packs[r], ENTRY_MATCH);
		pack_put(&packing->packs[r], &place, sizeof(place));
	}
}

void measure_match_pack(
	const struct measure_match *match, size_t place, struct measure_packing *packing)
{
	pack_place(place, packing);
	pack_processes(match, packing);
	pack_messages(match, packing);
	pack_collectives(match, &match->collectives, packing);
	pack_collectives(match, &match->rma_collectives, packing);
	pack_epochs(match, packing);
	pack_io(match, packing);
	pack_files(match, packing);
	pack_pipes(match, packing);
	pack_spawns(match, packing);
}

/* ---------------------------------------------------------------------- unpacking --- */

struct unpacking {
	struct measure_match *match;
	struct measure_unpacking *from;
};

static void pack_take(struct unpacking *unpacking, void *data, size_t size)
{
	memcpy(data, unpacking->from->data, size);
	unpacking->from->data += size;
}

static uint32_t take_number(struct unpacking *unpacking)
{
	uint32_t number;

	pack_take(unpacking, &number, sizeof(number));
	return number;
}

/* Without its mark; and where one has only a part of the others, its time is nobody's business. */
static struct measure_point bare(
	const struct unpacking *unpacking, const struct measure_point *point)
{
	struct measure_point taken = {.location = point->location};

	if (unpacking->from->is_whole)
		taken = *point;
	taken.mark = 0;
	return taken;
}

static uint32_t take_mark(struct unpacking *unpacking)
{
	struct measure_sync_points *marks = &unpacking->match->marks;
	const uint32_t location = take_number(unpacking);
	const uint32_t is_nonblocking = take_number(unpacking);
	uint64_t times[2] = {0, 0};
	uint32_t number;

	if (unpacking->from->is_whole)
		pack_take(unpacking, times, sizeof(times));
	number = measure_sync_points_add(marks, times[0], times[1], location);
	measure_mark_at(marks, number)->is_nonblocking = is_nonblocking & 1;
	return number;
}

static void unpack_process(struct unpacking *unpacking)
{
	struct process *process = &unpacking->match->processes[take_number(unpacking)];
	struct measure_point *points[] = {&process->init_enter, &process->init_leave,
		&process->finalize_enter, &process->finalize_leave, &process->first,
		&process->program_begin};

	pack_take(unpacking, process, sizeof(*process));
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		const bool has_mark = points[i]->mark;

		*points[i] = bare(unpacking, points[i]);
		if (has_mark)
			points[i]->mark =
				measure_sync_points_add(&unpacking->match->marks, points[i]->raw,
					points[i]->position, points[i]->location) +
				1;
	}
}

static void take_answered(struct unpacking *unpacking, uint32_t mark)
{
	struct answered_send send;

	pack_take(unpacking, &send, sizeof(send));
	send.mark = mark;
	send.over = bare(unpacking, &send.over);
	rendezvous_add_send(&unpacking->match->rendezvous, &send);
}

static void take_answering(struct unpacking *unpacking, uint32_t mark)
{
	struct answering_receive receive;
	const bool is_whole = unpacking->from->is_whole;

	pack_take(unpacking, &receive, sizeof(receive));
	receive.mark = mark;
	receive.ticks = is_whole ? receive.ticks : 0;
	receive.records = is_whole ? receive.records : 0;
	if (receive.has_marks) {
		receive.ticks = take_mark(unpacking);
		take_mark(unpacking);
	}
	rendezvous_add_receive(&unpacking->match->rendezvous, &receive);
}

/* Marks that are unpacked increase, so these are in order. */
static void take_answer(struct unpacking *unpacking, bool is_send, uint32_t mark)
{
	if (!take_number(unpacking))
		return;
	if (is_send)
		take_answered(unpacking, mark);
	else
		take_answering(unpacking, mark);
}

static void unpack_messages(struct unpacking *unpacking)
{
	struct messages *messages = &unpacking->match->messages;
	struct message_lane lane;

	pack_take(unpacking, &lane, sizeof(lane));
	lane.first = messages->nr;
	*measure_append(messages, lanes) = lane;
	for (size_t k = 0; k < lane.nr; k++) {
		messages->lengths = measure_grow(messages->lengths, messages->nr + k,
			&messages->room_lengths, sizeof(*messages->lengths));
		pack_take(unpacking, &messages->lengths[messages->nr + k],
			sizeof(*messages->lengths));
	}
	for (size_t k = 0; k < lane.nr; k++) {
		messages->marks = measure_grow(messages->marks, messages->nr, &messages->room_marks,
			sizeof(*messages->marks));
		messages->marks[messages->nr] = take_mark(unpacking);
		take_answer(unpacking, lane.is_send, messages->marks[messages->nr]);
		messages->nr++;
	}
}

static void unpack_collectives(struct unpacking *unpacking, struct collectives *collectives)
{
	const uint32_t index = (uint32_t)collectives->nr_lanes;
	struct collective_lane lane;

	pack_take(unpacking, &lane, sizeof(lane));
	lane.first = collectives->nr;
	*measure_append(collectives, lanes) = lane;
	for (size_t k = 0; k < lane.nr; k++) {
		struct collective item;

		pack_take(unpacking, &item, sizeof(item));
		item.begin = take_mark(unpacking);
		item.end = take_mark(unpacking);
		item.lane = index;
		*measure_append_item(collectives) = item;
	}
}

static void unpack_epoch(struct unpacking *unpacking)
{
	struct epochs *epochs = &unpacking->match->epochs;
	struct epoch_halves *halves = halves_of(epochs, take_number(unpacking));
	struct epoch_lane lane;
	struct epoch_half half;

	pack_take(unpacking, &lane, sizeof(lane));
	pack_take(unpacking, &half.posting, sizeof(half.posting));
	half.begin = take_mark(unpacking);
	half.end = take_mark(unpacking);
	half.posting.lane = epochs_lane_of(epochs, lane);
	*measure_append_item(halves) = half;
}

static void unpack_io(struct unpacking *unpacking)
{
	struct io *io = &unpacking->match->io;

	pack_take(unpacking, measure_append(io, uses), sizeof(*io->uses));
}

static void unpack_file(struct unpacking *unpacking)
{
	struct files *files = &unpacking->match->files;
	struct file_step step;

	pack_take(unpacking, &step, sizeof(step));
	step.begin = take_mark(unpacking);
	if (step.end != MEASURE_NONE)
		step.end = take_mark(unpacking);
	*measure_append_item(files) = step;
}

static void unpack_pipe(struct unpacking *unpacking)
{
	struct pipes *pipes = &unpacking->match->pipes;
	struct pipe_step step;

	pack_take(unpacking, &step, sizeof(step));
	step.begin = take_mark(unpacking);
	step.end = take_mark(unpacking);
	*measure_append_item(pipes) = step;
}

static void unpack_spawn(struct unpacking *unpacking)
{
	struct spawns *spawns = &unpacking->match->spawns;
	struct spawn *spawn = measure_append_item(spawns);

	pack_take(unpacking, spawn, sizeof(*spawn));
	spawn->enter = bare(unpacking, &spawn->enter);
	spawn->leave = bare(unpacking, &spawn->leave);
}

static void unpack_entry(struct unpacking *unpacking)
{
	switch ((enum entry)take_number(unpacking)) {
	case ENTRY_MATCH:
		break; /* the caller has looked */
	case ENTRY_PROCESS:
		unpack_process(unpacking);
		break;
	case ENTRY_MESSAGES:
		unpack_messages(unpacking);
		break;
	case ENTRY_COLLECTIVES:
		unpack_collectives(unpacking, &unpacking->match->collectives);
		break;
	case ENTRY_RMA:
		unpack_collectives(unpacking, &unpacking->match->rma_collectives);
		break;
	case ENTRY_EPOCH:
		unpack_epoch(unpacking);
		break;
	case ENTRY_IO:
		unpack_io(unpacking);
		break;
	case ENTRY_FILE:
		unpack_file(unpacking);
		break;
	case ENTRY_PIPE:
		unpack_pipe(unpacking);
		break;
	case ENTRY_SPAWN:
		unpack_spawn(unpacking);
		break;
	}
}

static bool is_new_match(const struct measure_unpacking *from)
{
	uint32_t entry;

	memcpy(&entry, from->data, sizeof(entry));
	return entry == ENTRY_MATCH;
}

size_t measure_match_next(const struct measure_unpacking *unpacking)
{
	uint64_t place;

	if (unpacking->data == unpacking->end)
		return SIZE_MAX;
	memcpy(&place, unpacking->data + sizeof(uint32_t), sizeof(place));
	return place;
}

void measure_match_unpack(struct measure_match *match, struct measure_unpacking *from)
{
	struct unpacking unpacking = {match, from};

	from->data += sizeof(uint32_t) + sizeof(uint64_t);
	while (from->data < from->end && !is_new_match(from))
		unpack_entry(&unpacking);
}
