/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that others make. With --spawned: all ranks together call MPI_Comm_spawn; the processes
 * made are a world of their own, and exchange messages with ranks by the intercommunicator. Their
 * threads have no events. With --created: ranks that the first one has made by other means. */
#include "config.h"

#include "generate.h"

enum { TAG_SPAWN = 30, LATEST_BEGIN = 10000 };

static uint32_t nr_ranks(const struct gen *gen)
{
	return (uint32_t)gen->options.nr_ranks;
}

static uint32_t child_of(const struct gen *gen, uint32_t index)
{
	return nr_ranks(gen) + index;
}

uint32_t gen_nr_processes(const struct gen *gen)
{
	return nr_ranks(gen) + (uint32_t)gen->options.nr_spawned;
}

uint32_t gen_node(const struct gen *gen, uint32_t process)
{
	const uint32_t size = (uint32_t)(gen->options.nr_ranks / gen->options.nr_nodes);

	if (process < nr_ranks(gen))
		return process / size;
	return (process - nr_ranks(gen)) % (uint32_t)gen->options.nr_nodes;
}

uint32_t gen_creator(const struct gen *gen, uint32_t process)
{
	const bool is_created = process < nr_ranks(gen) &&
				process + gen->options.nr_created >= nr_ranks(gen) && process > 0;

	return is_created ? 0 : OTF2_UNDEFINED_LOCATION_GROUP;
}

/* ----------------------------------------------------------------------------- calls --- */

static uint64_t begin_spawn(struct gen *gen)
{
	uint64_t last = 0;

	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_work(gen, location, gen->options.work);
		if (location->now > last)
			last = location->now;
		gen_enter(gen, location, GEN_COMM_SPAWN);
		OTF2_EvtWriter_MpiCollectiveBegin(
			location->writer, NULL, gen_stamp_message(gen, location));
	}
	return last;
}

/* They are made when all have called. Latest MPI_Init. */
static struct gen_moment begin_children(struct gen *gen, uint64_t called)
{
	struct gen_moment last = {.time = 0};

	for (uint32_t i = 0; i < gen->options.nr_spawned; i++) {
		struct gen_location *location = gen_master(gen, child_of(gen, i));

		gen_wait(gen, location, called, gen_lmin_all(gen));
		location->now += gen_below(&gen->random, LATEST_BEGIN);
		OTF2_EvtWriter_ProgramBegin(
			location->writer, NULL, gen_stamp(gen, location), 0, 0, NULL);
		gen_pass(gen, location);
		gen_enter(gen, location, GEN_INIT);
		gen_later(gen, &last, gen_entered(gen, location));
	}
	return last;
}

static void end_spawn(struct gen *gen, struct gen_moment initialised)
{
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_wait(gen, location, initialised.time, gen_lmin_all(gen));
		gen_expect(gen, location, "spawn", initialised);
		OTF2_EvtWriter_CommCreate(
			location->writer, NULL, gen_stamp(gen, location), gen->family);
		OTF2_EvtWriter_MpiCollectiveEnd(location->writer, NULL,
			gen_stamp_message(gen, location), OTF2_COLLECTIVE_OP_CREATE_HANDLE,
			GEN_COMM_WORLD, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
		gen_leave(gen, location, GEN_COMM_SPAWN);
	}
	for (uint32_t i = 0; i < gen->options.nr_spawned; i++) {
		struct gen_location *location = gen_master(gen, child_of(gen, i));

		gen_wait(gen, location, initialised.time, gen_lmin_all(gen));
		gen_leave(gen, location, GEN_INIT);
		gen_enter(gen, location, GEN_MAIN);
	}
}

/* -------------------------------------------------------------------------- messages --- */

/* `from` and `to`: processes; ranks of their sides. */
static void pass(struct gen *gen, uint32_t from, uint32_t to)
{
	struct gen_location *sender = gen_master(gen, from), *receiver = gen_master(gen, to);
	struct gen_moment sent;

	gen_work(gen, sender, gen->options.work / 2);
	gen_enter(gen, sender, GEN_SEND);
	sent = gen_entered(gen, sender);
	gen_send(gen, sender, to % nr_ranks(gen), gen->family, TAG_SPAWN);
	gen_leave(gen, sender, GEN_SEND);
	gen_work(gen, receiver, gen->options.work / 2);
	gen_enter(gen, receiver, GEN_RECV);
	gen_wait(gen, receiver, sent.time, gen_lmin(gen, from, to));
	gen_arrive(gen, receiver, sent);
	gen_receive(gen, receiver, from % nr_ranks(gen), gen->family, TAG_SPAWN);
	gen_leave(gen, receiver, GEN_RECV);
}

/* Each child and one rank send each other a message. */
static void exchange(struct gen *gen)
{
	for (uint32_t i = 0; i < gen->options.nr_spawned; i++) {
		pass(gen, i, child_of(gen, i));
		pass(gen, child_of(gen, i), i);
	}
}

/* ------------------------------------------------------------------------------ job --- */

void gen_begin_children(struct gen *gen)
{
	if (!gen->options.nr_spawned)
		return;
	gen->family = gen_new_comm(gen, GEN_GROUP_WORLD, GEN_GROUP_CHILDREN, OTF2_UNDEFINED_UINT32);
	gen_new_comm(gen, GEN_GROUP_CHILDREN, GEN_GROUP_CHILDREN, OTF2_UNDEFINED_UINT32);
	end_spawn(gen, begin_children(gen, begin_spawn(gen)));
	exchange(gen);
}

void gen_end_children(struct gen *gen)
{
	const struct gen_members children = {
		0, child_of(gen, 0), 1, (uint32_t)gen->options.nr_spawned};

	if (!gen->options.nr_spawned)
		return;
	exchange(gen);
	for (uint32_t i = 0; i < children.nr; i++)
		gen_leave(gen, gen_master(gen, child_of(gen, i)), GEN_MAIN);
	gen_meet(gen, &children, GEN_FINALIZE);
	for (uint32_t i = 0; i < children.nr; i++) {
		struct gen_location *location = gen_master(gen, child_of(gen, i));

		gen_pass(gen, location);
		OTF2_EvtWriter_ProgramEnd(location->writer, NULL, gen_stamp(gen, location), 0);
	}
}
