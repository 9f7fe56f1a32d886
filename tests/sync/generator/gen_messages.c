/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with messages. In each, all processes come to the point where they wait before the
 * first one goes on: so all times to wait for are known. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

enum { TAG_RING = 1, TAG_HALO, TAG_RESULT, TAG_WORK, TAG_REQUEST, TAG_NEVER };

static uint32_t nr_ranks(const struct gen *gen)
{
	return (uint32_t)gen->options.nr_ranks;
}

static void send_around(struct gen *gen, uint32_t rank, uint32_t region)
{
	struct gen_location *location = gen_master(gen, rank);

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, region);
	gen->processes[rank].begin = location->now;
	gen_send(gen, location, (rank + 1) % nr_ranks(gen), 0, TAG_RING);
	if (region == GEN_SENDRECV)
		return;
	gen_pass(gen, location);
	gen_leave(gen, location, region);
}

static void receive_around(struct gen *gen, uint32_t rank, uint32_t region)
{
	struct gen_location *location = gen_master(gen, rank);
	const uint32_t left = (rank + nr_ranks(gen) - 1) % nr_ranks(gen);

	if (region != GEN_SENDRECV) {
		gen_pass(gen, location);
		gen_enter(gen, location, region);
	}
	gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, rank));
	gen_receive(gen, location, left, 0, TAG_RING);
	gen_leave(gen, location, region);
}

void gen_ring(struct gen *gen)
{
	const bool is_both = gen_below(&gen->random, 2);

	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		send_around(gen, rank, is_both ? GEN_SENDRECV : GEN_SEND);
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		receive_around(gen, rank, is_both ? GEN_SENDRECV : GEN_RECV);
}

/* Up to two neighbours, on a line. */
static uint32_t neighbours_of(const struct gen *gen, uint32_t rank, uint32_t neighbours[2])
{
	uint32_t nr = 0;

	if (rank > 0)
		neighbours[nr++] = rank - 1;
	if (rank + 1 < nr_ranks(gen))
		neighbours[nr++] = rank + 1;
	return nr;
}

static void start_halo(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);
	struct gen_process *process = &gen->processes[rank];
	uint32_t neighbours[2], nr = neighbours_of(gen, rank, neighbours);

	gen_work(gen, location, gen->options.work);
	for (uint32_t i = 0; i < nr; i++) {
		gen_enter(gen, location, GEN_IRECV);
		process->requests[i] = gen_irecv(gen, location);
		gen_pass(gen, location);
		gen_leave(gen, location, GEN_IRECV);
	}
	for (uint32_t i = 0; i < nr; i++) {
		gen_enter(gen, location, GEN_ISEND);
		process->requests[2 + i] = gen_isend(gen, location, neighbours[i], 0, TAG_HALO);
		process->begin = location->now; /* of the last one: late for the first */
		gen_pass(gen, location);
		gen_leave(gen, location, GEN_ISEND);
	}
}

static void end_halo(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);
	struct gen_process *process = &gen->processes[rank];
	uint32_t neighbours[2], nr = neighbours_of(gen, rank, neighbours);

	gen_work(gen, location, gen->options.work / 2);
	gen_enter(gen, location, GEN_WAITALL);
	for (uint32_t i = 0; i < nr; i++)
		gen_wait(gen, location, gen->processes[neighbours[i]].begin,
			gen_lmin(gen, neighbours[i], rank));
	for (uint32_t i = 0; i < nr; i++)
		gen_irecv_complete(gen, location, neighbours[i], 0, TAG_HALO, process->requests[i]);
	for (uint32_t i = 0; i < nr; i++)
		gen_isend_complete(gen, location, process->requests[2 + i]);
	gen_leave(gen, location, GEN_WAITALL);
}

void gen_halo(struct gen *gen)
{
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		start_halo(gen, rank);
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		end_halo(gen, rank);
}

/* ------------------------------------------------------------------ master, worker --- */

struct arrival {
	uint64_t time;
	uint32_t rank;
};

static int compare_arrivals(const void *left, const void *right)
{
	const struct arrival *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static void send_result(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_SEND);
	gen->processes[rank].begin = location->now;
	gen_send(gen, location, 0, 0, TAG_RESULT);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_SEND);
}

static void receive_result(struct gen *gen, uint32_t rank)
{
	struct gen_location *master = gen_master(gen, 0);

	gen_pass(gen, master);
	gen_enter(gen, master, GEN_RECV);
	gen_wait(gen, master, gen->processes[rank].begin, gen_lmin(gen, rank, 0));
	gen_receive(gen, master, rank, 0, TAG_RESULT);
	gen_leave(gen, master, GEN_RECV);
	gen_enter(gen, master, GEN_SEND);
	gen->processes[rank].begin = master->now;
	gen_send(gen, master, rank, 0, TAG_WORK);
	gen_pass(gen, master);
	gen_leave(gen, master, GEN_SEND);
}

static void receive_work(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);

	gen_pass(gen, location);
	gen_enter(gen, location, GEN_RECV);
	gen_wait(gen, location, gen->processes[rank].begin, gen_lmin(gen, 0, rank));
	gen_receive(gen, location, 0, 0, TAG_WORK);
	gen_leave(gen, location, GEN_RECV);
}

void gen_master_worker(struct gen *gen)
{
	struct arrival *arrivals = gen_zeroed(nr_ranks(gen), sizeof(*arrivals));

	gen_work(gen, gen_master(gen, 0), gen->options.work / 4);
	for (uint32_t rank = 1; rank < nr_ranks(gen); rank++) {
		send_result(gen, rank);
		arrivals[rank] = (struct arrival){gen->processes[rank].begin, rank};
	}
	qsort(arrivals + 1, nr_ranks(gen) - 1, sizeof(*arrivals), compare_arrivals);
	for (uint32_t i = 1; i < nr_ranks(gen); i++)
		receive_result(gen, arrivals[i].rank);
	for (uint32_t rank = 1; rank < nr_ranks(gen); rank++)
		receive_work(gen, rank);
	free(arrivals);
}

/* ------------------------------------------------------------------------ requests --- */

static void cancel(struct gen *gen, struct gen_location *location, uint64_t request)
{
	gen_pass(gen, location);
	gen_enter(gen, location, GEN_CANCEL);
	gen_leave(gen, location, GEN_CANCEL);
	gen_pass(gen, location);
	gen_enter(gen, location, GEN_WAIT);
	gen_cancelled(gen, location, request);
	gen_leave(gen, location, GEN_WAIT);
}

/* Two receives posted in a lane that a third one, cancelled, and a cancelled send share. */
static void start_requests(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);
	const uint32_t right = (rank + 1) % nr_ranks(gen);
	uint64_t *requests = gen->processes[rank].requests;

	gen_work(gen, location, gen->options.work);
	for (int i = 0; i < 3; i++) {
		gen_enter(gen, location, GEN_IRECV);
		requests[i] = gen_irecv(gen, location);
		gen_leave(gen, location, GEN_IRECV);
	}
	cancel(gen, location, requests[2]);
	gen_enter(gen, location, GEN_ISEND);
	requests[3] = gen_isend(gen, location, right, 0, TAG_REQUEST);
	gen_leave(gen, location, GEN_ISEND);
	cancel(gen, location, requests[3]);
	for (int i = 0; i < 2; i++) {
		gen_pass(gen, location);
		gen_enter(gen, location, GEN_SEND);
		gen->processes[rank].begin = location->now;
		gen_send(gen, location, right, 0, TAG_REQUEST);
		gen_leave(gen, location, GEN_SEND);
		gen_work(gen, location, gen->options.work / 4);
	}
}

/* The second request is waited for first. */
static void end_requests(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);
	const uint32_t left = (rank + nr_ranks(gen) - 1) % nr_ranks(gen);

	for (int i = 1; i >= 0; i--) {
		gen_enter(gen, location, GEN_WAIT);
		gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, rank));
		gen_irecv_complete(
			gen, location, left, 0, TAG_REQUEST, gen->processes[rank].requests[i]);
		gen_leave(gen, location, GEN_WAIT);
	}
}

void gen_requests(struct gen *gen)
{
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		start_requests(gen, rank);
	for (uint32_t rank = 0; rank < nr_ranks(gen); rank++)
		end_requests(gen, rank);
}

void gen_unmatched(struct gen *gen)
{
	const uint32_t rank = gen_below(&gen->random, nr_ranks(gen));
	const uint32_t region = gen_below(&gen->random, 2) ? GEN_SEND : GEN_RECV;
	struct gen_location *location = gen_master(gen, rank);

	gen_ring(gen);
	gen_enter(gen, location, region);
	if (region == GEN_SEND)
		gen_send(gen, location, (rank + 1) % nr_ranks(gen), 0, TAG_NEVER);
	gen_pass(gen, location);
	if (region == GEN_RECV) /* of a tag that nobody sends */
		gen_receive(gen, location, (rank + 1) % nr_ranks(gen), 0, TAG_NEVER + 1);
	gen_leave(gen, location, region);
}
