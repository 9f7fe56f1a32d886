/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective operations: the k-th one that a process issues on a communicator belongs to the
 * k-th one of every other member, and so on a window. Once two members disagree on what the k-th
 * operation is, nothing can be said about the rest of that communicator or window. */
#include "config.h"

#include "match_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum shape { SHAPE_NONE, SHAPE_BARRIER, SHAPE_ONE_TO_ALL, SHAPE_ALL_TO_ONE, SHAPE_ALL_TO_ALL };

static const struct collective_kind {
	const char *word;
	enum shape shape;
	enum measure_relation relation;
} kinds[] = {
#define COLLECTIVE(OP, word, SHAPE, RELATION)                                                      \
	[OTF2_COLLECTIVE_OP_##OP] = {word, SHAPE_##SHAPE, MEASURE_RELATION_##RELATION},
#include "trace/relations/collectives.def"
#undef COLLECTIVE
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The members that have a k-th operation on one communicator or window, for one k. */
struct gathering {
	const struct collectives *of;
	uint32_t space; /* communicator or window */
	uint32_t comm;  /* the communicator, or that of the window */
	uint64_t ordinal;
	const struct collective **members;
	size_t nr_members;
};

/* The lanes of one communicator or window, longest first. */
struct lane_span {
	uint32_t lane;
	size_t start, length;
};

/* "operation 77" where unknown; storage of the thread. */
static const char *word_of(uint8_t op)
{
	static _Thread_local char unknown[32];

	if (op < NR_KINDS && kinds[op].word)
		return kinds[op].word;
	snprintf(unknown, sizeof(unknown), "operation %u", op);
	return unknown;
}

static uint32_t lane_of(struct collectives *collectives, uint32_t space, uint32_t process)
{
	uint32_t index = measure_map_intern(
		&collectives->ids, measure_key_pair(space, process), collectives->nr_lanes);

	if (index != collectives->nr_lanes)
		return index;
	*measure_append(collectives, lanes) =
		(struct collective_lane){.space = space, .process = process};
	return index;
}

/* NULL: alone, or no member. Valid until the next one is added. */
static struct collective *collectives_add_new(struct measure_match *match,
	struct collectives *collectives, const struct measure_event *event, uint32_t comm,
	const struct measure_point *begin, const struct measure_point *end)
{
	struct collective_half *half;
	uint32_t side, group;

	side = measure_ranks_side(&match->ranks, comm, match->process);
	if (side == MEASURE_NONE) {
		measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(end),
			"%s on %s, which does not contain its process", word_of(event->op),
			match->definitions->comms[comm].label);
		return NULL;
	}
	group = match->definitions->comms[comm].groups[side];
	if (measure_group_is_self(match->definitions, group))
		return NULL; /* alone: nothing to match */
	half = measure_append(collectives, halves);
	half->collective = (struct collective){.sent = event->sent,
		.received = event->received,
		.begin = mark_of(match, begin),
		.end = mark_of(match, end),
		.root = event->peer,
		.rank = measure_ranks_rank(&match->ranks, group, match->process),
		.lane = lane_of(collectives, event->ref, match->process),
		.op = event->op,
		.side = side};
	half->posting = (struct posting){begin->time, begin->position, end->location,
		half->collective.lane - (uint32_t)collectives->first_lane};
	return &half->collective;
}

void collectives_add(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *begin, const struct measure_point *end, bool is_nonblocking)
{
	struct collective *added = NULL;

	if (event->ref != MEASURE_NONE)
		added = collectives_add_new(
			match, &match->collectives, event, event->ref, begin, end);
	if (!added)
		return;
	added->is_nonblocking = is_nonblocking;
	added->is_free = event->op == OTF2_COLLECTIVE_OP_CREATE_HANDLE && !is_nonblocking &&
			 match->are_creations_recorded && !match->has_created;
}

void collectives_add_rma(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *begin, const struct measure_point *end)
{
	struct collective *added = NULL;
	uint32_t comm = MEASURE_NONE;

	if (event->ref != MEASURE_NONE)
		comm = match->definitions->windows[event->ref].comm;
	if (comm != MEASURE_NONE)
		added = collectives_add_new(
			match, &match->rma_collectives, event, comm, begin, end);
	if (added)
		added->is_free = !(event->tag & OTF2_RMA_SYNC_LEVEL_PROCESS);
}

static void collectives_keep(struct collectives *collectives, const struct collective *collective)
{
	*measure_append_item(collectives) = *collective;
}

void collectives_end_process(struct collectives *collectives)
{
	size_t nr_lanes = collectives->nr_lanes - collectives->first_lane, *starts;
	uint32_t *order = lanes_sort(collectives->halves, collectives->nr_halves,
		sizeof(*collectives->halves), nr_lanes, &starts);

	for (size_t i = 0; i < nr_lanes; i++) {
		struct collective_lane *lane = &collectives->lanes[collectives->first_lane + i];

		lane->first = collectives->nr;
		lane->nr = starts[i + 1] - starts[i];
		for (size_t k = starts[i]; k < starts[i + 1]; k++)
			collectives_keep(collectives, &collectives->halves[order[k]].collective);
	}
	collectives->first_lane = collectives->nr_lanes;
	collectives->nr_halves = 0;
	measure_free(order);
	measure_free(starts);
}

void collectives_end_reading(struct collectives *collectives)
{
	begins_free(&collectives->begins);
	measure_free(collectives->halves);
	collectives->begins = (struct begins){.nr = 0};
	collectives->halves = NULL;
	collectives->room_halves = 0;
}

void collectives_join(struct collectives *collectives, struct collectives *others, uint32_t base)
{
	const uint32_t nr_lanes = (uint32_t)collectives->nr_lanes;
	const size_t nr = collectives->nr;

	for (size_t i = 0; i < others->nr_lanes; i++) {
		const struct collective_lane *other = &others->lanes[i];
		uint32_t lane = lane_of(collectives, other->space, other->process);

		collectives->lanes[lane].first = nr + other->first;
		collectives->lanes[lane].nr = other->nr;
	}
	for (size_t i = 0; i < others->nr; i++) {
		struct collective *item = &others->items[i];

		item->begin += base;
		item->end += base;
		item->lane += nr_lanes;
		collectives_keep(collectives, item);
	}
}

/* ---------------------------------------------------------------------- matching --- */

static bool is_root(const struct collective *member)
{
	return member->root == OTF2_COLLECTIVE_ROOT_SELF || member->root == member->rank;
}

static bool sends(enum shape shape, const struct collective *member, bool is_inter)
{
	switch (shape) {
	case SHAPE_ONE_TO_ALL:
		return is_inter ? member->root == OTF2_COLLECTIVE_ROOT_SELF : is_root(member);
	case SHAPE_BARRIER:
		return true;
	default:
		return member->sent > 0;
	}
}

static bool receives(enum shape shape, const struct collective *member, bool is_inter)
{
	bool root = is_inter ? member->root == OTF2_COLLECTIVE_ROOT_SELF : is_root(member);

	switch (shape) {
	case SHAPE_ONE_TO_ALL:
		return !root && member->received > 0;
	case SHAPE_ALL_TO_ONE:
		return root && member->received > 0;
	case SHAPE_BARRIER:
		return true;
	default:
		return member->received > 0;
	}
}

/* A communicator that nobody gets, as from MPI_Graph_create of no nodes, needs no agreement. */
static bool is_free_for_all(const struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->nr_members; i++)
		if (!gathering->members[i]->is_free)
			return false;
	return true;
}

static enum measure_relation relation_on_window(const struct gathering *gathering)
{
	uint8_t op = gathering->members[0]->op;

	for (size_t i = 0; i < gathering->nr_members; i++)
		if (gathering->members[i]->is_free)
			return MEASURE_RELATION_NONE;
	if (op == OTF2_COLLECTIVE_OP_BARRIER)
		return MEASURE_RELATION_RMA_FENCE;
	if (op >= OTF2_COLLECTIVE_OP_CREATE_HANDLE &&
		op <= OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE)
		return MEASURE_RELATION_RMA_WINDOW;
	return kinds[op].relation;
}

/* MPI_Ibarrier of an intercommunicator should keep everybody until the other group has come, but
 * Open MPI 4.1 lets go of some before that. */
static enum measure_relation relation_of(const struct gathering *gathering, bool is_inter)
{
	const struct collective *member = gathering->members[0];
	enum measure_relation relation = kinds[member->op].relation;

	if (gathering->of->is_rma)
		return relation_on_window(gathering);
	if (is_free_for_all(gathering))
		return MEASURE_RELATION_NONE;
	if (relation == MEASURE_RELATION_NONE || !member->is_nonblocking)
		return relation;
	if (relation == MEASURE_RELATION_BARRIER && is_inter)
		return MEASURE_RELATION_NONE;
	return relation == MEASURE_RELATION_SCAN ? MEASURE_RELATION_NONBLOCKING_SCAN
						 : MEASURE_RELATION_NONBLOCKING_COLLECTIVE;
}

/* from: side of an intercommunicator whose members send, or MEASURE_NONE for all to all. */
static void hand_out_side(
	struct measure_match *match, const struct gathering *gathering, uint32_t from)
{
	const struct collective *first = gathering->members[0];
	bool is_inter = from != MEASURE_NONE;
	enum shape shape = kinds[first->op].shape;

	for (size_t i = 0; i < gathering->nr_members; i++) {
		const struct collective *member = gathering->members[i];
		const struct measure_point begin =
			point_of_mark(match, member->begin, member->rank);
		const struct measure_point end = point_of_mark(match, member->end, member->rank);

		if (sends(shape, member, is_inter) && (!is_inter || member->side == from))
			instance_add_send(match, &begin);
		if (receives(shape, member, is_inter) && (!is_inter || member->side != from))
			instance_add_receive(match, &end);
	}
	instance_hand_out(
		match, relation_of(gathering, is_inter), gathering->comm, 0, gathering->ordinal);
}

/* "communicator 3 (halo)" */
static const char *label_of(const struct measure_match *match, const struct gathering *gathering)
{
	return gathering->of->is_rma ? match->definitions->windows[gathering->space].label
				     : match->definitions->comms[gathering->space].label;
}

/* What is wrong with windows is one check. */
static enum measure_check check_of(const struct gathering *gathering, enum measure_check check)
{
	return gathering->of->is_rma ? MEASURE_CHECK_RMA_COLLECTIVE : check;
}

/* A call that MPI refuses on one rank leaves no record of its communicator there, so whatever
 * that rank lacks may be it. */
static bool has_refused(const struct measure_match *match, uint32_t process)
{
	return match->processes[process].has_refused_collective;
}

static bool is_difference_excused(
	const struct measure_match *match, const struct gathering *gathering)
{
	for (size_t i = 0; i < gathering->nr_members; i++) {
		const uint32_t lane = gathering->members[i]->lane;

		if (has_refused(match, gathering->of->lanes[lane].process))
			return true;
	}
	return false;
}

static void report_difference(struct measure_match *match, const struct gathering *gathering,
	const struct collective *member)
{
	const struct collective *first = gathering->members[0];
	const bool is_excused = is_difference_excused(match, gathering);
	char word[32];

	snprintf(word, sizeof(word), "%s", word_of(member->op));
	measure_report_excused(match->findings,
		check_of(gathering, MEASURE_CHECK_COLLECTIVE_OPERATION), is_excused,
		place_of_mark(match, member->end),
		"collective %llu on %s is %s%s on rank %u, but %s%s on rank %u; later operations "
		"on it are not matched%s",
		(unsigned long long)gathering->ordinal, label_of(match, gathering),
		member->is_nonblocking ? "nonblocking " : "", word, member->rank,
		first->is_nonblocking ? "nonblocking " : "", word_of(first->op), first->rank,
		is_excused ? "; a collective call failed on one of the ranks" : "");
}

static bool is_same_operation(struct measure_match *match, const struct gathering *gathering)
{
	for (size_t i = 1; i < gathering->nr_members; i++) {
		const struct collective *member = gathering->members[i];

		if (member->op == gathering->members[0]->op &&
			member->is_nonblocking == gathering->members[0]->is_nonblocking)
			continue;
		report_difference(match, gathering, member);
		return false;
	}
	return true;
}

static void report_root(struct measure_match *match, const struct gathering *gathering,
	const struct collective *member, const struct collective *first)
{

	measure_report(match->findings, check_of(gathering, MEASURE_CHECK_COLLECTIVE_ROOT),
		place_of_mark(match, member->end),
		"%s %llu on %s: rank %u says root %d, rank %u says root %d", word_of(member->op),
		(unsigned long long)gathering->ordinal, label_of(match, gathering), member->rank,
		(int)member->root, first->rank, (int)first->root);
}

/* In an intercommunicator the sides name the root differently: only ranks are compared. */
static bool has_same_root(struct measure_match *match, const struct gathering *gathering)
{
	const struct collective *first = NULL;

	for (size_t i = 0; i < gathering->nr_members; i++) {
		const struct collective *member = gathering->members[i];

		if (member->root == OTF2_COLLECTIVE_ROOT_SELF ||
			member->root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
			continue;
		if (!first)
			first = member;
		if (member->root == first->root)
			continue;
		report_root(match, gathering, member, first);
		return false;
	}
	return true;
}

/* A rooted operation needs a root that the communicator has. */
static bool has_root(struct measure_match *match, const struct gathering *gathering)
{
	const struct collective *first = gathering->members[0];
	const struct measure_comm *comm = &match->definitions->comms[gathering->comm];
	enum shape shape = kinds[first->op].shape;

	if ((shape != SHAPE_ONE_TO_ALL && shape != SHAPE_ALL_TO_ONE) || comm->is_inter ||
		first->root == OTF2_COLLECTIVE_ROOT_SELF ||
		first->root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		return true;
	if (measure_group_location(match->definitions, comm->groups[0], first->root) !=
		MEASURE_NONE)
		return true;
	measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of_mark(match, first->end),
		"%s names root %d, which does not exist in %s", word_of(first->op),
		(int)first->root, comm->label);
	return false;
}

static void hand_out(struct measure_match *match, const struct gathering *gathering)
{
	uint8_t op = gathering->members[0]->op;

	if (op >= NR_KINDS || kinds[op].shape == SHAPE_NONE || !has_same_root(match, gathering) ||
		!has_root(match, gathering))
		return;
	if (kinds[op].relation == MEASURE_RELATION_ALLTOALLV) {
		if (!match->definitions->comms[gathering->comm].is_inter && !gathering->of->is_rma)
			exchange_hand_out(match, gathering->members, gathering->nr_members,
				gathering->comm, gathering->ordinal);
		return;
	}
	if (!match->definitions->comms[gathering->comm].is_inter) {
		hand_out_side(match, gathering, MEASURE_NONE);
		return;
	}
	hand_out_side(match, gathering, 0);
	hand_out_side(match, gathering, 1);
}

static bool has_root_member(const struct gathering *gathering)
{
	const uint8_t op = gathering->members[0]->op;

	return op < NR_KINDS &&
	       (kinds[op].shape == SHAPE_ONE_TO_ALL || kinds[op].shape == SHAPE_ALL_TO_ONE);
}

/* To who wants to see all members: also of operations that give no order. */
static void hand_out_members(struct measure_match *match, const struct gathering *gathering)
{
	const struct collective *first = gathering->members[0];
	struct measure_collective collective = {.ordinal = gathering->ordinal,
		.comm = gathering->comm,
		.root = MEASURE_NONE,
		.op = first->op,
		.is_nonblocking = first->is_nonblocking,
		.nr_members = gathering->nr_members};

	if (!match->deliver_collective)
		return;
	for (size_t i = 0; i < gathering->nr_members; i++) {
		const struct collective *member = gathering->members[i];
		const struct measure_point begin =
			point_of_mark(match, member->begin, member->rank);
		const struct measure_point end = point_of_mark(match, member->end, member->rank);

		instance_add_send(match, &begin);
		instance_add_receive(match, &end);
		if (has_root_member(gathering) && is_root(member))
			collective.root = (uint32_t)i;
	}
	collective.begins = match->sends;
	collective.ends = match->receives;
	match->deliver_collective(match->data, &collective);
	match->nr_sends = 0;
	match->nr_receives = 0;
}

/* Members of a communicator that the gathering lacks. */
struct absence {
	size_t nr_missing;
	uint32_t first_rank;
	bool is_excused; /* all that are missing were cut short, or refused a collective */
};

static bool is_present(const struct gathering *gathering, uint32_t process)
{
	const struct collectives *collectives = gathering->of;
	uint32_t lane =
		measure_map_get(&collectives->ids, measure_key_pair(gathering->space, process));

	return lane != MEASURE_NONE && gathering->ordinal < collectives->lanes[lane].nr;
}

static void look_for(struct measure_match *match, const struct gathering *gathering, uint32_t group,
	uint32_t rank, struct absence *absence)
{
	const struct measure_definitions *definitions = match->definitions;
	uint32_t location = measure_group_location(definitions, group, rank);
	uint32_t process;

	if (location == MEASURE_NONE)
		return;
	process = definitions->locations[location].group;
	if (process == MEASURE_NONE || is_present(gathering, process))
		return;
	if (!absence->nr_missing++)
		absence->first_rank = rank;
	absence->is_excused &=
		measure_match_is_cut(match, process) || has_refused(match, process);
}

static struct absence find_absence(struct measure_match *match, const struct gathering *gathering)
{
	const struct measure_comm *comm = &match->definitions->comms[gathering->comm];
	struct absence absence = {.is_excused = true};

	for (uint32_t side = 0; side <= comm->is_inter; side++) {
		uint32_t index = comm->groups[side];
		const struct measure_group *group;

		if (index >= match->definitions->nr_groups)
			continue;
		group = &match->definitions->groups[index];
		for (uint32_t i = 0; i < group->nr_members; i++)
			look_for(match, gathering, index, measure_group_rank(group, i), &absence);
	}
	return absence;
}

static void report_absence(struct measure_match *match, const struct gathering *gathering,
	const struct absence *absence)
{
	const struct collective *first = gathering->members[0];

	if (!absence->nr_missing)
		return;
	measure_report_excused(match->findings,
		check_of(gathering, MEASURE_CHECK_COLLECTIVE_INCOMPLETE), absence->is_excused,
		place_of_mark(match, first->end), "%s %llu on %s: rank %u%s did not take part%s",
		word_of(first->op), (unsigned long long)gathering->ordinal,
		label_of(match, gathering), absence->first_rank,
		absence->nr_missing > 1 ? " and others" : "",
		absence->is_excused ? "; it was cut short, or its call failed" : "");
}

static int compare_spans(const void *left, const void *right)
{
	const struct lane_span *a = left, *b = right;

	if (a->length != b->length)
		return a->length > b->length ? -1 : 1;
	return a->lane < b->lane ? -1 : a->lane > b->lane;
}

/* All operations on one communicator or window. Lanes drop out as they end, so the ranks missing
 * are looked up only when their number changes. */
static void match_space(struct measure_match *match, const struct collectives *collectives,
	uint32_t space, struct lane_span *spans, size_t nr_spans)
{
	struct gathering gathering = {.of = collectives,
		.space = space,
		.comm = collectives->is_rma ? match->definitions->windows[space].comm : space,
		.members = measure_zeroed(nr_spans, sizeof(*gathering.members))};
	struct absence absence = {0};
	size_t nr_present = 0;

	qsort(spans, nr_spans, sizeof(*spans), compare_spans);
	for (uint64_t k = 0; k < spans[0].length; k++) {
		gathering.ordinal = k;
		for (gathering.nr_members = 0;
			gathering.nr_members < nr_spans && k < spans[gathering.nr_members].length;
			gathering.nr_members++)
			gathering.members[gathering.nr_members] =
				&collectives->items[spans[gathering.nr_members].start + k];
		if (gathering.nr_members != nr_present)
			absence = find_absence(match, &gathering);
		nr_present = gathering.nr_members;
		if (!is_same_operation(match, &gathering))
			break;
		report_absence(match, &gathering, &absence);
		hand_out_members(match, &gathering);
		hand_out(match, &gathering);
	}
	measure_free(gathering.members);
}

static int compare_lanes(const void *left, const void *right, void *data)
{
	const struct collective_lane *lanes = data;
	const struct lane_span *a = left, *b = right;

	if (lanes[a->lane].space != lanes[b->lane].space)
		return lanes[a->lane].space < lanes[b->lane].space ? -1 : 1;
	return a->lane < b->lane ? -1 : 1;
}

void collectives_finish(struct measure_match *match, struct collectives *collectives)
{
	struct lane_span *spans = measure_zeroed(collectives->nr_lanes, sizeof(*spans));

	for (size_t i = 0; i < collectives->nr_lanes; i++)
		spans[i] = (struct lane_span){
			i, collectives->lanes[i].first, collectives->lanes[i].nr};
	qsort_r(spans, collectives->nr_lanes, sizeof(*spans), compare_lanes, collectives->lanes);
	for (size_t i = 0, end; i < collectives->nr_lanes; i = end) {
		uint32_t space = collectives->lanes[spans[i].lane].space;

		for (end = i; end < collectives->nr_lanes; end++)
			if (collectives->lanes[spans[end].lane].space != space)
				break;
		match_space(match, collectives, space, spans + i, end - i);
	}
	measure_free(spans);
}

void collectives_free(struct collectives *collectives)
{
	begins_free(&collectives->begins);
	measure_map_free(&collectives->ids);
	measure_free(collectives->lanes);
	measure_free(collectives->halves);
	measure_free(collectives->items);
}
