/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits for whom: from what threads are blocked in to edges; see rollcall.h. */
#include "config.h"

#include <stdlib.h>

#include "rollcall.h"
#include "trace/stream/record.h"

#define NOBODY UINT32_MAX

enum roll_shape { SHAPE_BARRIER, SHAPE_ONE_TO_ALL, SHAPE_ALL_TO_ONE, SHAPE_ALL_TO_ALL };

static const uint8_t shapes[UINT8_MAX + 1] = {
#define COLLECTIVE(operation, word, shape, relation)                                               \
	[OTF2_COLLECTIVE_OP_##operation] = SHAPE_##shape,
#include "trace/relations/collectives.def"
#undef COLLECTIVE
};

enum { NONE, POSSIBLE, CERTAIN };

static const uint8_t certainties[] = {
#define KIND(NAME, certainty, ends, words) certainty,
#include "pending_kinds.def"
#undef KIND
};

/* ------------------------------------------------------------------------ building --- */

struct roll_builder {
	const struct measure_rollcall *call;
	struct measure_roll_graph *graph;
	const struct measure_roll_thread *thread;
	uint32_t index; /* of it */
	struct measure_roll_edges edges;
	measure_status_t status;
};

static void add_target(struct roll_builder *builder, uint32_t process, uint32_t thread)
{
	if (builder->status == MEASURE_OK)
		builder->status = measure_array_push(
			&builder->graph->targets, (struct measure_roll_target){process, thread});
	builder->edges.nr += builder->status == MEASURE_OK;
}

static uint32_t first_thread(const struct measure_roll_graph *graph, uint32_t process)
{
	return graph->threads.items[process];
}

static uint32_t end_thread(const struct measure_roll_graph *graph, uint32_t process)
{
	return graph->threads.items[process + 1];
}

static bool has_process(const struct roll_builder *builder, uint32_t process)
{
	return process < builder->call->processes.nr;
}

/* ------------------------------------------------------------------------ messages --- */

static bool is_equal_or_any(uint32_t wanted, uint32_t given)
{
	return wanted == MEASURE_ROLL_ANY || wanted == given;
}

/* A thread of `process` is blocked in a call with a counterpart of `need`, which `other` has. */
static bool has_counterpart(const struct roll_builder *builder, uint32_t process, uint32_t other,
	const struct measure_roll_need *need, bool is_receive)
{
	const struct measure_rollcall *call = builder->call;

	for (uint32_t i = first_thread(builder->graph, process);
		i < end_thread(builder->graph, process); i++) {
		const struct measure_roll_thread *thread = &call->threads.items[i];
		for (uint32_t k = 0; thread->state == MEASURE_ROLL_BLOCKED && k < thread->nr_needs;
			k++) {
			const struct measure_roll_need *theirs = &thread->needs[k];
			const bool is_theirs = theirs->kind == MEASURE_PENDING_RECEIVE;
			if (theirs->comm != need->comm || is_theirs == is_receive ||
				(!is_theirs && theirs->kind != MEASURE_PENDING_SEND &&
					theirs->kind != MEASURE_PENDING_SSEND))
				continue;
			if (is_equal_or_any(theirs->peer, other) &&
				(is_receive ? is_equal_or_any(need->value, theirs->value)
					    : is_equal_or_any(theirs->value, need->value)))
				return true;
		}
	}
	return false;
}

static bool is_under_way(
	const struct roll_builder *builder, uint32_t from, const struct measure_roll_need *need)
{
	const struct measure_rollcall *call = builder->call;
	const uint32_t to = builder->thread->process;

	for (size_t i = 0; i < call->messages.nr; i++) {
		const struct measure_roll_message *message = &call->messages.items[i];
		if (message->nr > 0 && message->from == from && message->to == to &&
			message->comm == need->comm && is_equal_or_any(need->value, message->tag))
			return true;
	}
	return false;
}

/* False: what is needed is there. */
static bool need_sender(
	struct roll_builder *builder, const struct measure_roll_need *need, uint32_t from)
{
	if (!has_process(builder, from) || is_under_way(builder, from, need) ||
		has_counterpart(builder, from, builder->thread->process, need, true))
		return false;
	add_target(builder, from, NOBODY);
	return true;
}

static bool need_message(struct roll_builder *builder, const struct measure_roll_need *need)
{
	const struct measure_roll_comm *comm = &builder->call->comms.items[need->comm];

	builder->edges.is_any = true;
	if (builder->call->is_incomplete)
		builder->edges.is_certain = false;
	if (need->peer != MEASURE_ROLL_ANY)
		return need_sender(builder, need, need->peer);
	for (size_t i = 0; i < comm->members.nr; i++)
		if (!need_sender(builder, need, comm->members.items[i]))
			return false;
	return true;
}

static bool need_receiver(struct roll_builder *builder, const struct measure_roll_need *need)
{
	if (!has_process(builder, need->peer) ||
		builder->call->processes.items[need->peer].nr_open_receives > 0 ||
		has_counterpart(builder, need->peer, builder->thread->process, need, false))
		return false;
	if (builder->call->is_incomplete)
		builder->edges.is_certain = false;
	add_target(builder, need->peer, NOBODY);
	return true;
}

/* --------------------------------------------------------------------- collectives --- */

/* Whether a rank in the call cannot go on without that member. */
static bool is_needed(
	const struct measure_roll_need *need, uint32_t self, uint32_t member, bool is_before)
{
	if (need->operation == OTF2_COLLECTIVE_OP_SCAN ||
		need->operation == OTF2_COLLECTIVE_OP_EXSCAN)
		return is_before;
	switch (shapes[need->operation]) {
	case SHAPE_ONE_TO_ALL:
		return member == need->peer;
	case SHAPE_ALL_TO_ONE:
		return self == need->peer;
	default:
		return true;
	}
}

/* Or, of one that nobody can look at, may not have come. */
static bool has_not_come(const struct roll_builder *builder, uint32_t member, uint32_t begun,
	const struct measure_roll_need *need)
{
	return begun == UINT32_MAX ? builder->call->processes.items[member].is_unknown
				   : begun < need->value;
}

/* Members that have not come: those that are needed in any case, or the others. */
static void need_members(
	struct roll_builder *builder, const struct measure_roll_need *need, bool is_certain)
{
	const struct measure_roll_comm *comm = &builder->call->comms.items[need->comm];
	const uint32_t self = builder->thread->process;
	bool is_before = true;

	for (size_t i = 0; i < comm->members.nr && i < comm->begun.nr; i++) {
		const uint32_t member = comm->members.items[i];
		is_before &= member != self;
		if (member != self && has_not_come(builder, member, comm->begun.items[i], need) &&
			is_needed(need, self, member, is_before) == is_certain)
			add_target(builder, member, NOBODY);
	}
}

/* ------------------------------------------------------------------ threads, locks --- */

/* Any other thread of the process, but those `skip` names. */
static void need_others(struct roll_builder *builder, const struct measure_roll_need *at)
{
	const uint32_t process = builder->thread->process;

	builder->edges.is_any = true;
	for (uint32_t i = first_thread(builder->graph, process);
		i < end_thread(builder->graph, process); i++) {
		const struct measure_roll_thread *other = &builder->call->threads.items[i];
		const bool is_here = at && other->nr_needs > 0 &&
				     other->needs[0].kind == MEASURE_PENDING_GATHER &&
				     other->needs[0].object == at->object &&
				     other->needs[0].number == at->number &&
				     other->needs[0].operation == at->operation;
		if (i != builder->index && other->state != MEASURE_ROLL_ENDED && !is_here)
			add_target(builder, process, i);
	}
}

/* Of two one has given it back in code that is not recorded: then nobody is known to have it. */
static uint32_t find_owner(const struct roll_builder *builder, const struct measure_roll_need *need)
{
	const uint64_t word = (uint64_t)need->comm << 32 | ((uint32_t)need->object + 1);
	const uint32_t process = builder->thread->process;
	uint32_t owner = NOBODY;

	for (uint32_t i = first_thread(builder->graph, process);
		i < end_thread(builder->graph, process); i++)
		for (int k = 0; k < MEASURE_ROLL_LOCKS; k++)
			if (builder->call->threads.items[i].locks[k] == word) {
				if (owner != NOBODY && owner != i)
					return NOBODY;
				owner = i;
			}
	return owner;
}

static uint32_t find_number(const struct roll_builder *builder, uint64_t number)
{
	const uint32_t process = builder->thread->process;

	for (uint32_t i = first_thread(builder->graph, process);
		i < end_thread(builder->graph, process); i++)
		if (number != 0 && builder->call->threads.items[i].number == number &&
			builder->call->threads.items[i].state != MEASURE_ROLL_ENDED)
			return i;
	return NOBODY;
}

static bool need_thread(struct roll_builder *builder, uint32_t thread)
{
	if (thread != NOBODY)
		add_target(builder, builder->thread->process, thread);
	return thread != NOBODY;
}

/* A team is at its end, but its threads have not all met the same barriers. */
static bool is_short(const struct roll_builder *builder, const struct measure_roll_need *need)
{
	const struct measure_rollcall *call = builder->call;

	for (size_t i = 0; i < call->mismatches.nr; i++)
		if (call->mismatches.items[i].comm == NOBODY &&
			call->mismatches.items[i].process == builder->thread->process &&
			call->mismatches.items[i].object == need->object)
			return true;
	return false;
}

/* -------------------------------------------------------------------------- needs --- */

static void put_edges(struct roll_builder *builder)
{
	if (builder->status == MEASURE_OK)
		builder->status = measure_array_push(&builder->graph->edges, builder->edges);
}

static void begin_edges(struct roll_builder *builder, uint32_t need, bool is_certain)
{
	builder->edges = (struct measure_roll_edges){.need = need,
		.is_certain = is_certain,
		.first = (uint32_t)builder->graph->targets.nr};
}

static bool is_known_comm(const struct roll_builder *builder, const struct measure_roll_need *need)
{
	return need->comm < builder->call->comms.nr;
}

static void add_collective(
	struct roll_builder *builder, const struct measure_roll_need *need, uint32_t index)
{
	begin_edges(builder, index, true);
	builder->edges.is_hopeless =
		measure_roll_is_mismatched(builder->call, need->comm, need->value);
	need_members(builder, need, true);
	put_edges(builder);
	begin_edges(builder, index, false);
	need_members(builder, need, false);
	put_edges(builder);
}

/* False: it is there, or nobody can tell. */
static bool make_edges(struct roll_builder *builder, const struct measure_roll_need *need)
{
	switch (need->kind) {
	case MEASURE_PENDING_SEND:
	case MEASURE_PENDING_SSEND:
		return is_known_comm(builder, need) && need_receiver(builder, need);
	case MEASURE_PENDING_RECEIVE:
		return is_known_comm(builder, need) && need_message(builder, need);
	case MEASURE_PENDING_LOCK:
		return need_thread(builder, find_owner(builder, need));
	case MEASURE_PENDING_THREAD:
		return need_thread(builder, find_number(builder, need->object));
	case MEASURE_PENDING_GATHER:
		builder->edges.is_hopeless = is_short(builder, need);
		need_others(builder, need);
		return builder->edges.nr > 0 || builder->edges.is_hopeless;
	case MEASURE_PENDING_SIGNAL:
		need_others(builder, NULL);
		return builder->edges.nr > 0;
	default:
		return false;
	}
}

/* What is there makes an edge to nobody: all of them have come, and so has any. */
static void add_need(
	struct roll_builder *builder, const struct measure_roll_need *need, uint32_t index)
{
	if (need->kind == MEASURE_PENDING_COLLECTIVE && is_known_comm(builder, need)) {
		add_collective(builder, need, index);
		return;
	}
	begin_edges(builder, index,
		need->kind <= MEASURE_PENDING_SIGNAL && certainties[need->kind] == CERTAIN);
	if (!make_edges(builder, need)) {
		builder->edges.nr = 0;
		builder->edges.is_any = false;
		builder->graph->targets.nr = builder->edges.first;
	}
	put_edges(builder);
}

static void add_thread(struct roll_builder *builder)
{
	const struct measure_roll_thread *thread = builder->thread;

	if (thread->state == MEASURE_ROLL_RESTING) {
		begin_edges(builder, NOBODY, true);
		need_others(builder, NULL);
		put_edges(builder);
	}
	for (uint32_t i = 0; thread->state == MEASURE_ROLL_BLOCKED && i < thread->nr_needs; i++)
		add_need(builder, &thread->needs[i], i);
}

/* Threads lie by process. */
static measure_status_t list_threads(
	const struct measure_rollcall *call, struct measure_roll_graph *graph)
{
	measure_status_t status = MEASURE_OK;
	uint32_t thread = 0;

	for (uint32_t i = 0; i <= call->processes.nr && status == MEASURE_OK; i++) {
		while (thread < call->threads.nr && call->threads.items[thread].process < i)
			thread++;
		status = measure_array_push(&graph->threads, thread);
	}
	return status;
}

measure_status_t measure_roll_graph_make(
	const struct measure_rollcall *call, struct measure_roll_graph *graph)
{
	struct roll_builder builder = {.call = call, .graph = graph};

	*graph = (struct measure_roll_graph){.edges = {0}};
	builder.status = list_threads(call, graph);
	for (uint32_t i = 0; i < call->threads.nr && builder.status == MEASURE_OK; i++) {
		builder.status = measure_array_push(&graph->begins, (uint32_t)graph->edges.nr);
		builder.thread = &call->threads.items[i];
		builder.index = i;
		if (builder.status == MEASURE_OK)
			add_thread(&builder);
	}
	if (builder.status == MEASURE_OK)
		builder.status = measure_array_push(&graph->begins, (uint32_t)graph->edges.nr);
	return builder.status;
}

void measure_roll_graph_free(struct measure_roll_graph *graph)
{
	free(graph->edges.items);
	free(graph->begins.items);
	free(graph->targets.items);
	free(graph->threads.items);
}
