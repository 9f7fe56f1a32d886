/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps that make communicators: halves of the world (even and odd ranks), and an
 * intercommunicator between them. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

enum { TAG_INTER = 20, MAX_COMMS = 64 }; /* made at most: they are definitions */

uint32_t gen_new_comm(struct gen *gen, uint32_t group, uint32_t other_group, uint32_t parent)
{
	if (gen->nr_comms == gen->room_comms) {
		gen->room_comms = 2 * gen->room_comms + 16;
		gen->comms = realloc(gen->comms, gen->room_comms * sizeof(*gen->comms));
		if (!gen->comms)
			gen_fail("no memory", "");
	}
	gen->comms[gen->nr_comms] = (struct gen_comm){group, other_group, parent};
	return gen_team_comm(gen, gen->options.nr_ranks, 0) + gen->nr_comms++;
}

static struct gen_members half(const struct gen *gen, uint32_t comm, uint32_t odd)
{
	const uint32_t nr = (uint32_t)gen->options.nr_ranks;

	return (struct gen_members){comm, odd, 2, (nr + 1 - odd) / 2};
}

/* The latest begins of even and odd ranks. */
struct begins {
	struct gen_moment last[2];
};

static struct begins begin_all(struct gen *gen, uint32_t region)
{
	struct begins begins = {.last = {{.time = 0}, {.time = 0}}};

	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_work(gen, location, gen->options.work / 2);
		gen_enter(gen, location, region);
		OTF2_EvtWriter_MpiCollectiveBegin(
			location->writer, NULL, gen_stamp_message(gen, location));
		location->begun[0] = gen_entered(gen, location);
		gen_later(gen, &begins.last[rank % 2], location->begun[0]);
	}
	return begins;
}

static struct gen_moment last_of(const struct gen *gen, const struct begins *begins)
{
	struct gen_moment last = begins->last[0];

	gen_later(gen, &last, begins->last[1]);
	return last;
}

static void end_one(struct gen *gen, struct gen_location *location, uint32_t region, uint32_t comm,
	OTF2_CollectiveOp op)
{
	OTF2_EvtWriter_MpiCollectiveEnd(location->writer, NULL, gen_stamp_message(gen, location),
		op, comm, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	gen_leave(gen, location, region);
}

/* comms: for even and odd ranks. on: the communicator of the operation; that of the rank where it
 * is one of these. */
static void make(struct gen *gen, uint32_t region, const uint32_t comms[2], bool is_on_world)
{
	const struct begins begins = begin_all(gen, region);
	const struct gen_moment last = last_of(gen, &begins);

	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);
		const uint32_t comm = comms[rank % 2];

		gen_await_ranks(gen, location, is_on_world ? 0 : 1 - rank % 2, is_on_world ? 1 : 2);
		gen_wait(gen, location, last.time, gen_lmin_all(gen));
		gen_expect(gen, location, "communicator",
			is_on_world ? last : begins.last[1 - rank % 2]);
		OTF2_EvtWriter_CommCreate(location->writer, NULL, gen_stamp(gen, location), comm);
		end_one(gen, location, region, is_on_world ? 0 : comm,
			OTF2_COLLECTIVE_OP_CREATE_HANDLE);
	}
}

/* Freeing need not wait for anybody. */
static void unmake(struct gen *gen, const uint32_t comms[2])
{
	const struct begins begins = begin_all(gen, GEN_COMM_FREE);
	const uint64_t last = last_of(gen, &begins).time;

	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		if (gen->options.is_free_waiting)
			gen_await_ranks(gen, location, 0, 1);
		if (!gen->options.is_exact || !gen->options.is_free_waiting)
			gen_pass(gen, location);
		if (gen->options.is_free_waiting)
			gen_wait(gen, location, last, gen_lmin_all(gen));
		OTF2_EvtWriter_CommDestroy(
			location->writer, NULL, gen_stamp(gen, location), comms[rank % 2]);
		end_one(gen, location, GEN_COMM_FREE, comms[rank % 2],
			OTF2_COLLECTIVE_OP_DESTROY_HANDLE);
	}
}

void gen_comms(struct gen *gen)
{
	uint32_t comms[2];

	if (gen->nr_comms >= MAX_COMMS) {
		gen_collectives(gen);
		return;
	}
	comms[0] = gen_new_comm(gen, GEN_GROUP_EVEN, GEN_GROUP_EVEN, 0);
	comms[1] = gen_new_comm(gen, GEN_GROUP_ODD, GEN_GROUP_ODD, 0);
	make(gen, GEN_COMM_SPLIT, comms, true);
	for (uint32_t odd = 0; odd < 2; odd++) {
		const struct gen_members members = half(gen, comms[odd], odd);
		/* drawn first: compilers differ in the order in which they evaluate arguments */
		const bool is_nonblocking = gen_below(&gen->random, 2);

		gen_collective(gen, &members, gen_below(&gen->random, gen_nr_collectives()),
			is_nonblocking);
	}
	unmake(gen, comms);
}

/* --------------------------------------------------------------- intercommunicator --- */

static uint32_t partner_of(const struct gen *gen, uint32_t rank)
{
	const uint32_t partner = rank ^ 1;

	return partner < gen->options.nr_ranks ? partner : UINT32_MAX;
}

/* Each even rank and the odd one behind it send each other a message. */
static void exchange(struct gen *gen, uint32_t comm)
{
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		if (partner_of(gen, rank) == UINT32_MAX)
			continue;
		gen_work(gen, location, gen->options.work / 2);
		gen_enter(gen, location, GEN_SEND);
		gen->processes[rank].begin = location->now;
		location->begun[0] = gen_entered(gen, location);
		gen_send(gen, location, rank / 2, comm, TAG_INTER);
		gen_leave(gen, location, GEN_SEND);
	}
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);
		const uint32_t partner = partner_of(gen, rank);

		if (partner == UINT32_MAX)
			continue;
		gen_enter(gen, location, GEN_RECV);
		gen_await(gen, location, partner, gen_master(gen, partner)->begun[0]);
		gen_wait(
			gen, location, gen->processes[partner].begin, gen_lmin(gen, partner, rank));
		gen_arrive(gen, location, gen_master(gen, partner)->begun[0]);
		gen_receive(gen, location, rank / 2, comm, TAG_INTER);
		gen_leave(gen, location, GEN_RECV);
	}
}

/* Rank 0 of the even side sends to all of the odd side. */
static void broadcast(struct gen *gen, uint32_t comm, uint32_t region)
{
	const struct gen_members odd = half(gen, comm, 1);
	struct gen_moment sent;

	begin_all(gen, region);
	sent = gen_entered(gen, gen_master(gen, 0));
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);
		const uint32_t root = rank == 0  ? OTF2_COLLECTIVE_ROOT_SELF
				      : rank % 2 ? 0
						 : OTF2_COLLECTIVE_ROOT_THIS_GROUP;

		if (rank % 2)
			gen_await(gen, location, 0, sent);
		if (rank % 2)
			gen_wait(gen, location, sent.time, gen_lmin_all(gen));
		else
			gen_pass(gen, location);
		if (rank % 2)
			gen_expect(gen, location, "late_broadcast", sent);
		OTF2_EvtWriter_MpiCollectiveEnd(location->writer, NULL,
			gen_stamp_message(gen, location), OTF2_COLLECTIVE_OP_BCAST, comm, root,
			rank == 0 ? 64 * odd.nr : 0, rank % 2 ? 64 : 0);
		gen_leave(gen, location, region);
	}
}

static void meet(struct gen *gen, uint32_t comm, uint32_t region)
{
	const struct begins begins = begin_all(gen, region);
	uint32_t *processes = gen_zeroed(gen->options.nr_ranks, sizeof(*processes));

	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		gen_await_ranks(gen, gen_master(gen, rank), 1 - rank % 2, 2);
		gen_wait(gen, gen_master(gen, rank), last_of(gen, &begins).time, gen_lmin_all(gen));
		gen_expect(gen, gen_master(gen, rank), "mpi_barrier", begins.last[1 - rank % 2]);
		end_one(gen, gen_master(gen, rank), region, comm, OTF2_COLLECTIVE_OP_BARRIER);
	}
	for (uint32_t side = 0; side < 2; side++) {
		size_t nr = 0;

		for (uint32_t rank = side; rank < gen->options.nr_ranks; rank += 2)
			processes[nr++] = rank;
		gen_completed(gen, processes, nr, "mpi_barrier_completion", begins.last[1 - side]);
	}
	free(processes);
}

void gen_inter(struct gen *gen)
{
	uint32_t comms[2];

	if (gen->nr_comms >= MAX_COMMS) {
		gen_collectives(gen);
		return;
	}
	comms[0] = gen_new_comm(gen, GEN_GROUP_EVEN, GEN_GROUP_ODD, OTF2_UNDEFINED_UINT32);
	comms[1] = comms[0];
	make(gen, GEN_INTERCOMM_CREATE, comms, false);
	exchange(gen, comms[0]);
	broadcast(gen, comms[0], gen_collective_region(1, false));
	meet(gen, comms[0], gen_collective_region(0, false));
	unmake(gen, comms);
}
