/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with collective operations, and the begin and end of the job. An operation is simulated
 * in two rounds: all members begin, then each ends when those that it waits for have begun. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

enum shape {
	SHAPE_BARRIER,
	SHAPE_FROM_ROOT,
	SHAPE_TO_ROOT,
	SHAPE_EXCHANGE,
	SHAPE_SCATTERED,
	SHAPE_PREFIX,
	SHAPE_SINGLES
};

/* What waiting is called, by shape and is_nonblocking; and staying on. */
static const char *const patterns[][2] = {
	[SHAPE_BARRIER] = {"mpi_barrier", "nonblocking_barrier"},
	[SHAPE_FROM_ROOT] = {"late_broadcast", "nonblocking_broadcast"},
	[SHAPE_TO_ROOT] = {"early_reduce", "nonblocking_reduce"},
	[SHAPE_EXCHANGE] = {"n_to_n", "nonblocking_n_to_n"},
	[SHAPE_SCATTERED] = {"n_to_n", "nonblocking_n_to_n"},
	[SHAPE_PREFIX] = {"early_scan", "nonblocking_scan"},
	[SHAPE_SINGLES] = {"n_to_n", "nonblocking_n_to_n"},
};
static const char *const completions[SHAPE_SINGLES + 1] = {
	[SHAPE_BARRIER] = "mpi_barrier_completion",
	[SHAPE_EXCHANGE] = "n_to_n_completion",
	[SHAPE_SCATTERED] = "n_to_n_completion",
};

enum sizes { SIZES_SAME, SIZES_OWN };

static const struct operation {
	OTF2_CollectiveOp op;
	const char *names[2]; /* by is_nonblocking */
	OTF2_RegionRole role;
	enum shape shape;
	enum sizes sizes;
} operations[] = {
#define COLLECTIVE(OP, name, nonblocking_name, ROLE, SHAPE, SIZES)                                 \
	{OTF2_COLLECTIVE_OP_##OP, {name, nonblocking_name}, OTF2_REGION_ROLE_##ROLE,               \
		SHAPE_##SHAPE, SIZES_##SIZES},
#include "gen_collectives.def"
#undef COLLECTIVE
};
#define NR_OPERATIONS (sizeof(operations) / sizeof(operations[0]))

enum { OPERATION_BARRIER, OPERATION_BCAST };

/* One operation while it is simulated. */
struct performance {
	const struct operation *operation;
	const struct gen_members *members;
	bool is_nonblocking;
	uint32_t root; /* rank among the members, or OTF2_COLLECTIVE_ROOT_NONE */
	struct gen_moment last; /* begin of one that sends; for a prefix, of those already passed */
};

unsigned gen_nr_collectives(void)
{
	return NR_OPERATIONS;
}

uint32_t gen_collective_region(unsigned op, bool is_nonblocking)
{
	return GEN_NR_REGIONS + 2 * op + is_nonblocking;
}

const char *gen_collective_name(unsigned op, bool is_nonblocking)
{
	return operations[op].names[is_nonblocking];
}

OTF2_RegionRole gen_collective_role(unsigned op)
{
	return operations[op].role;
}

static uint32_t process_of(const struct gen_members *members, uint32_t rank)
{
	return members->first + rank * members->stride;
}

static struct gen_process *member(
	const struct gen *gen, const struct performance *performance, uint32_t rank)
{
	return &gen->processes[process_of(performance->members, rank)];
}

/* ---------------------------------------------------------------------------- sizes --- */

/* What each rank contributes: the same for all, at times nothing, or its own, for many nothing. */
static uint64_t draw_size(struct gen *gen, const struct operation *operation)
{
	if (operation->shape == SHAPE_BARRIER)
		return 0;
	return gen_below(&gen->random, operation->sizes == SIZES_OWN ? 2 : 4)
		       ? 8 * (1 + gen_below(&gen->random, 64))
		       : 0;
}

/* All that a rank sends goes to one, which may be itself. */
static void send_to_one(struct gen *gen, const struct performance *performance, uint32_t rank)
{
	struct gen_process *process = member(gen, performance, rank);

	process->target = gen_below(&gen->random, performance->members->nr);
	member(gen, performance, process->target)->received += process->sent;
}

static void set_sizes(struct gen *gen, const struct performance *performance)
{
	const struct operation *operation = performance->operation;
	const uint32_t nr = performance->members->nr;
	uint64_t size = draw_size(gen, operation), sum = 0;

	for (uint32_t rank = 0; rank < nr; rank++) {
		if (operation->sizes == SIZES_OWN)
			size = draw_size(gen, operation);
		member(gen, performance, rank)->sent = size;
		member(gen, performance, rank)->received =
			operation->shape == SHAPE_SINGLES ? 0 : size;
		sum += size;
	}
	for (uint32_t rank = 0; rank < nr; rank++) {
		struct gen_process *process = member(gen, performance, rank);
		const bool is_root = rank == performance->root;

		if (operation->shape == SHAPE_FROM_ROOT)
			process->sent = is_root ? sum : 0;
		else if (operation->shape == SHAPE_TO_ROOT)
			process->received = is_root ? sum : 0;
		else if (operation->shape == SHAPE_EXCHANGE)
			process->received = sum;
		else if (operation->shape == SHAPE_SCATTERED)
			process->sent = sum;
		else if (operation->shape == SHAPE_SINGLES)
			send_to_one(gen, performance, rank);
		else if (operation->op == OTF2_COLLECTIVE_OP_EXSCAN && rank == 0)
			process->received = 0;
	}
}

/* --------------------------------------------------------------------------- rounds --- */

static void begin(struct gen *gen, const struct performance *performance, uint32_t rank)
{
	const uint32_t index = process_of(performance->members, rank);
	const uint32_t region = gen_collective_region(
		performance->operation - operations, performance->is_nonblocking);
	struct gen_location *location = gen_master(gen, index);
	struct gen_process *process = &gen->processes[index];

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, region);
	process->begin = location->now;
	location->begun[0] = gen_entered(gen, location);
	if (!performance->is_nonblocking) {
		OTF2_EvtWriter_MpiCollectiveBegin(
			location->writer, NULL, gen_stamp_message(gen, location));
		return;
	}
	process->requests[0] = process->next_request++;
	OTF2_EvtWriter_NonBlockingCollectiveRequest(
		location->writer, NULL, gen_stamp_message(gen, location), process->requests[0]);
	gen_pass(gen, location);
	gen_leave(gen, location, region);
	gen_work(gen, location, gen->options.work);
}

static bool has_sent(const struct gen *gen, const struct performance *performance, uint32_t rank)
{
	switch (performance->operation->shape) {
	case SHAPE_BARRIER:
		return true;
	case SHAPE_FROM_ROOT:
		return rank == performance->root;
	case SHAPE_SINGLES:
		return false; /* not to all */
	default:
		return member(gen, performance, rank)->sent > 0;
	}
}

static bool has_to_wait(const struct gen *gen, const struct performance *performance, uint32_t rank)
{
	switch (performance->operation->shape) {
	case SHAPE_BARRIER:
		return true;
	case SHAPE_FROM_ROOT:
		return rank != performance->root && member(gen, performance, rank)->received > 0;
	case SHAPE_TO_ROOT:
		return rank == performance->root;
	default:
		return member(gen, performance, rank)->received > 0;
	}
}

/* Latest begin of those that sent to this rank alone. */
static uint64_t last_for(const struct gen *gen, const struct performance *performance, uint32_t rank)
{
	uint64_t last = 0;

	if (performance->operation->shape != SHAPE_SINGLES)
		return performance->last.time;
	for (uint32_t i = 0; i < performance->members->nr; i++) {
		const struct gen_process *process = member(gen, performance, i);

		if (process->target == rank && process->sent > 0 && process->begin > last)
			last = process->begin;
	}
	return last;
}

/* The last one whose bytes this rank must have got some of, as the records tell: it got more than
 * all but that one and itself have sent. */
static struct gen_moment last_single(
	const struct gen *gen, const struct performance *performance, uint32_t rank)
{
	const uint64_t received = member(gen, performance, rank)->received;
	struct gen_moment last = {.time = 0};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < performance->members->nr; i++)
		sum += member(gen, performance, i)->sent;
	for (uint32_t i = 0; i < performance->members->nr; i++)
		if (i != rank && received > sum - member(gen, performance, i)->sent)
			gen_later(gen, &last,
				gen_master(gen, process_of(performance->members, i))->begun[0]);
	return last;
}

static void expect(struct gen *gen, const struct performance *performance, uint32_t rank)
{
	const enum shape shape = performance->operation->shape;
	struct gen_location *location = gen_master(gen, process_of(performance->members, rank));
	const struct gen_moment last =
		shape == SHAPE_SINGLES ? last_single(gen, performance, rank) : performance->last;

	if (last.time && (shape == SHAPE_SINGLES || has_to_wait(gen, performance, rank)))
		gen_expect(gen, location, patterns[shape][performance->is_nonblocking], last);
}

/* With --exact: all that the records tell it must have waited for. */
static void await_all(struct gen *gen, const struct performance *performance, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, process_of(performance->members, rank));
	const enum shape shape = performance->operation->shape;
	const uint32_t nr = shape == SHAPE_PREFIX ? rank : performance->members->nr;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < performance->members->nr; i++)
		sum += member(gen, performance, i)->sent;
	for (uint32_t i = 0; gen->options.is_exact && i < nr; i++) {
		const struct gen_process *process = member(gen, performance, i);
		const bool is_sender =
			shape == SHAPE_SINGLES
				? member(gen, performance, rank)->received > sum - process->sent
				: has_sent(gen, performance, i);

		if (i != rank && is_sender)
			gen_await(gen, location, process_of(performance->members, i),
				gen_master(gen, process_of(performance->members, i))->begun[0]);
	}
}

static void end(struct gen *gen, const struct performance *performance, uint32_t rank)
{
	const struct operation *operation = performance->operation;
	const uint32_t index = process_of(performance->members, rank);
	const uint32_t region = performance->is_nonblocking
					? GEN_WAIT
					: gen_collective_region(operation - operations, false);
	struct gen_location *location = gen_master(gen, index);
	struct gen_process *process = &gen->processes[index];
	const uint64_t last = last_for(gen, performance, rank);

	if (performance->is_nonblocking)
		gen_enter(gen, location, region);
	if (has_to_wait(gen, performance, rank))
		await_all(gen, performance, rank);
	if (last && has_to_wait(gen, performance, rank))
		gen_wait(gen, location, last, gen_lmin_all(gen));
	else
		gen_pass(gen, location);
	expect(gen, performance, rank);
	if (performance->is_nonblocking)
		OTF2_EvtWriter_NonBlockingCollectiveComplete(location->writer, NULL,
			gen_stamp_message(gen, location), operation->op, performance->members->comm,
			performance->root, process->sent, process->received, process->requests[0]);
	else
		OTF2_EvtWriter_MpiCollectiveEnd(location->writer, NULL,
			gen_stamp_message(gen, location), operation->op, performance->members->comm,
			performance->root, process->sent, process->received);
	gen_leave(gen, location, region);
}

static void pass_begin(const struct gen *gen, struct performance *performance, uint32_t rank)
{
	if (has_sent(gen, performance, rank))
		gen_later(gen, &performance->last,
			gen_master(gen, process_of(performance->members, rank))->begun[0]);
}

static void complete(struct gen *gen, const struct performance *performance)
{
	const char *pattern = completions[performance->operation->shape];
	uint32_t *processes = gen_zeroed(performance->members->nr, sizeof(*processes));
	uint32_t nr = 0;

	for (uint32_t rank = 0; rank < performance->members->nr; rank++)
		if (has_to_wait(gen, performance, rank))
			processes[nr++] = process_of(performance->members, rank);
	if (pattern && performance->last.time && !performance->is_nonblocking)
		gen_completed(gen, processes, nr, pattern, performance->last);
	free(processes);
}

void gen_collective(
	struct gen *gen, const struct gen_members *members, unsigned op, bool is_nonblocking)
{
	struct performance performance = {
		&operations[op], members, is_nonblocking, OTF2_COLLECTIVE_ROOT_NONE, {.time = 0}};
	const bool is_prefix = operations[op].shape == SHAPE_PREFIX;

	if (operations[op].shape == SHAPE_FROM_ROOT || operations[op].shape == SHAPE_TO_ROOT)
		performance.root = gen_below(&gen->random, members->nr);
	set_sizes(gen, &performance);
	for (uint32_t rank = 0; rank < members->nr; rank++)
		begin(gen, &performance, rank);
	for (uint32_t rank = 0; rank < members->nr && !is_prefix; rank++)
		pass_begin(gen, &performance, rank);
	for (uint32_t rank = 0; rank < members->nr; rank++) {
		end(gen, &performance, rank);
		if (is_prefix)
			pass_begin(gen, &performance, rank);
	}
	complete(gen, &performance);
}

static struct gen_members world(const struct gen *gen)
{
	return (struct gen_members){0, 0, 1, gen->options.nr_ranks};
}

void gen_collectives(struct gen *gen)
{
	const struct gen_members members = world(gen);

	gen_collective(gen, &members, gen_below(&gen->random, NR_OPERATIONS), false);
}

void gen_nonblocking(struct gen *gen)
{
	const struct gen_members members = world(gen);

	gen_collective(gen, &members, gen_below(&gen->random, NR_OPERATIONS), true);
}

/* ---------------------------------------------------------------------- the job --- */

void gen_meet(struct gen *gen, const struct gen_members *members, uint32_t region)
{
	struct gen_moment last = {.time = 0};

	for (uint32_t rank = 0; rank < members->nr; rank++) {
		struct gen_location *location = gen_master(gen, process_of(members, rank));

		gen_work(gen, location, gen->options.work);
		gen_enter(gen, location, region);
		location->begun[0] = gen_entered(gen, location);
		gen_later(gen, &last, location->begun[0]);
	}
	for (uint32_t rank = 0; rank < members->nr; rank++) {
		struct gen_location *location = gen_master(gen, process_of(members, rank));

		gen_await_ranks(gen, location, 0, 1);
		gen_wait(gen, location, last.time, gen_lmin_all(gen));
		if (region == GEN_FINALIZE)
			gen_expect(gen, location, "mpi_finalize", last);
		gen_leave(gen, location, region);
	}
}

void gen_begin_job(struct gen *gen)
{
	const struct gen_members members = world(gen);

	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		location->now += gen_below(&gen->random, 10000);
		if (gen_creator(gen, rank) == 0)
			location->now += gen_master(gen, 0)->now - GEN_START + gen_lmin_all(gen);
		OTF2_EvtWriter_ProgramBegin(
			location->writer, NULL, gen_stamp(gen, location), 0, 0, NULL);
	}
	gen_meet(gen, &members, GEN_INIT);
	gen->first_sample = gen_master(gen, 0)->now;
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++)
		gen_enter(gen, gen_master(gen, rank), GEN_MAIN);
	gen_begin_children(gen);
}

void gen_end_job(struct gen *gen)
{
	const struct gen_members members = world(gen);

	gen_end_threads(gen);
	gen_end_children(gen);
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		gen_pass(gen, gen_master(gen, rank));
		gen_leave(gen, gen_master(gen, rank), GEN_MAIN);
	}
	gen_meet(gen, &members, GEN_FINALIZE);
	gen->last_sample = gen_master(gen, 0)->now;
	for (uint32_t rank = 0; rank < gen->options.nr_ranks; rank++) {
		struct gen_location *location = gen_master(gen, rank);

		gen_pass(gen, location);
		OTF2_EvtWriter_ProgramEnd(location->writer, NULL, gen_stamp(gen, location), 0);
	}
}
