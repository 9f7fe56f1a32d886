/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Steps with messages. In each, all processes come to the point where they wait before the
 * first one goes on: so all times to wait for are known. */
#include "config.h"

#include "generate.h"

#include <stdlib.h>

enum {
	TAG_RING = 1,
	TAG_HALO,
	TAG_RESULT,
	TAG_WORK,
	TAG_REQUEST,
	TAG_NEVER,
	TAG_ORDER = 10, /* and the next one */
	TAG_ANY = 12    /* the same */
};

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
	location->begun[0] = gen_entered(gen, location);
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
	gen_await(gen, location, left, gen_master(gen, left)->begun[0]);
	gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, rank));
	gen_arrive(gen, location, gen_master(gen, left)->begun[0]);
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
		location->begun[i] = gen_entered(gen, location);
		process->requests[2 + i] = gen_isend(gen, location, neighbours[i], 0, TAG_HALO);
		process->begin = location->now; /* of the last one: late for the first */
		gen_pass(gen, location);
		gen_leave(gen, location, GEN_ISEND);
	}
}

/* What a neighbour has sent to a rank. */
static const struct gen_moment *sent_by(const struct gen *gen, uint32_t neighbour, uint32_t rank)
{
	return &gen_master(gen, neighbour)->begun[neighbour < rank && neighbour > 0];
}

static void end_halo(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);
	struct gen_process *process = &gen->processes[rank];
	uint32_t neighbours[2], nr = neighbours_of(gen, rank, neighbours);

	gen_work(gen, location, gen->options.work / 2);
	gen_enter(gen, location, GEN_WAITALL);
	for (uint32_t i = 0; i < nr; i++)
		gen_await(gen, location, neighbours[i], *sent_by(gen, neighbours[i], rank));
	for (uint32_t i = 0; i < nr; i++)
		gen_wait(gen, location, gen->processes[neighbours[i]].begin,
			gen_lmin(gen, neighbours[i], rank));
	for (uint32_t i = 0; i < nr; i++) {
		gen_arrive(gen, location, *sent_by(gen, neighbours[i], rank));
		gen_irecv_complete(gen, location, neighbours[i], 0, TAG_HALO, process->requests[i]);
	}
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
	location->begun[0] = gen_entered(gen, location);
	gen_send(gen, location, 0, 0, TAG_RESULT);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_SEND);
}

static void receive_result(struct gen *gen, uint32_t rank)
{
	struct gen_location *master = gen_master(gen, 0);

	gen_pass(gen, master);
	gen_enter(gen, master, GEN_RECV);
	gen_await(gen, master, rank, gen_master(gen, rank)->begun[0]);
	gen_wait(gen, master, gen->processes[rank].begin, gen_lmin(gen, rank, 0));
	gen_arrive(gen, master, gen_master(gen, rank)->begun[0]);
	gen_receive(gen, master, rank, 0, TAG_RESULT);
	gen_leave(gen, master, GEN_RECV);
	gen_enter(gen, master, GEN_SEND);
	gen->processes[rank].begin = master->now;
	gen_master(gen, rank)->begun[1] = gen_entered(gen, master);
	gen_send(gen, master, rank, 0, TAG_WORK);
	gen_pass(gen, master);
	gen_leave(gen, master, GEN_SEND);
}

static void receive_work(struct gen *gen, uint32_t rank)
{
	struct gen_location *location = gen_master(gen, rank);

	gen_pass(gen, location);
	gen_enter(gen, location, GEN_RECV);
	gen_await(gen, location, 0, location->begun[1]);
	gen_wait(gen, location, gen->processes[rank].begin, gen_lmin(gen, 0, rank));
	gen_arrive(gen, location, location->begun[1]);
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
		location->begun[i] = gen_entered(gen, location);
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
		gen_await(gen, location, left, gen_master(gen, left)->begun[i]);
		gen_wait(gen, location, gen->processes[left].begin, gen_lmin(gen, left, rank));
		gen_arrive(gen, location, gen_master(gen, left)->begun[i]);
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

/* --------------------------------------------------------------- two to one receiver --- */

/* Two messages with different tags, from two ranks where there are three. */
struct pair {
	struct gen_location *receiver, *senders[2];
	struct gen_moment sent[2];
};

static struct pair draw_pair(struct gen *gen)
{
	const uint32_t nr = nr_ranks(gen), receiver = gen_below(&gen->random, nr);
	struct pair pair = {.receiver = gen_master(gen, receiver)};

	for (uint32_t i = 0; i < 2; i++)
		pair.senders[i] = gen_master(gen, (receiver + 1 + (nr > 2 ? i : 0)) % nr);
	return pair;
}

static void send_one(struct gen *gen, struct pair *pair, int index, uint32_t tag)
{
	struct gen_location *location = pair->senders[index];

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_SEND);
	pair->sent[index] = gen_entered(gen, location);
	gen_send(gen, location, pair->receiver->process, 0, tag + (uint32_t)index);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_SEND);
}

/* Time of the message's arrival has come. */
static void wait_for(struct gen *gen, const struct pair *pair, int index)
{
	gen_await(gen, pair->receiver, pair->senders[index]->process, pair->sent[index]);
	gen_wait(gen, pair->receiver, pair->sent[index].time,
		gen_lmin(gen, pair->senders[index]->process, pair->receiver->process));
}

static void receive_one(struct gen *gen, const struct pair *pair, int index)
{
	gen_enter(gen, pair->receiver, GEN_RECV);
	wait_for(gen, pair, index);
	gen_arrive(gen, pair->receiver, pair->sent[index]);
	gen_receive(
		gen, pair->receiver, pair->senders[index]->process, 0, TAG_ORDER + (uint32_t)index);
	gen_leave(gen, pair->receiver, GEN_RECV);
}

/* The second message is received first. */
void gen_order(struct gen *gen)
{
	struct pair pair = draw_pair(gen);

	send_one(gen, &pair, 0, TAG_ORDER);
	send_one(gen, &pair, 1, TAG_ORDER);
	for (int i = 1; i >= 0; i--)
		receive_one(gen, &pair, i);
}

static void complete_one(
	struct gen *gen, const struct pair *pair, const uint64_t requests[2], int index)
{
	gen_arrive_unexpected(gen, pair->receiver, pair->sent[index]);
	gen_irecv_complete(gen, pair->receiver, pair->senders[index]->process, 0,
		TAG_ANY + (uint32_t)index, requests[index]);
}

/* The call returns at the first message; where that is late, it has the second one, too. */
static void receive_any(struct gen *gen, const struct pair *pair, const uint64_t requests[2])
{
	const int first = pair->sent[1].time < pair->sent[0].time;
	const bool is_some = gen_below(&gen->random, 2);
	struct gen_location *location = pair->receiver;

	gen_enter(gen, location, is_some ? GEN_WAITSOME : GEN_WAITANY);
	if (is_some)
		gen_await(gen, location, pair->senders[1 - first]->process, pair->sent[1 - first]);
	wait_for(gen, pair, first);
	if (is_some)
		wait_for(gen, pair, 1 - first);
	gen_expect(gen, location, "late_sender", pair->sent[first]);
	complete_one(gen, pair, requests, first);
	if (is_some)
		complete_one(gen, pair, requests, 1 - first);
	gen_leave(gen, location, is_some ? GEN_WAITSOME : GEN_WAITANY);
	if (is_some)
		return;
	gen_enter(gen, location, GEN_WAIT);
	wait_for(gen, pair, 1 - first);
	gen_expect(gen, location, "late_sender", pair->sent[1 - first]);
	complete_one(gen, pair, requests, 1 - first);
	gen_leave(gen, location, GEN_WAIT);
}

void gen_any(struct gen *gen)
{
	struct pair pair = draw_pair(gen);
	uint64_t requests[2];

	for (int i = 0; i < 2; i++) {
		gen_enter(gen, pair.receiver, GEN_IRECV);
		requests[i] = gen_irecv(gen, pair.receiver);
		gen_leave(gen, pair.receiver, GEN_IRECV);
	}
	send_one(gen, &pair, 0, TAG_ANY);
	send_one(gen, &pair, 1, TAG_ANY);
	receive_any(gen, &pair, requests);
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
