/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that wait for their receives, messages that are seen before they are received, and those
 * whose receives are there before them. */
#include "config.h"

#include "generate.h"

enum { TAG_SYNCHRONOUS = 77, TAG_READY };

/* One message between two processes. */
struct passing {
	struct gen_location *sender, *receiver;
	struct gen_moment sent, begun; /* begun: the receive */
	uint64_t request;
	bool is_nonblocking, is_long; /* long: by MPI_Send or MPI_Isend */
};

static uint32_t send_call(const struct passing *passing)
{
	if (passing->is_long)
		return passing->is_nonblocking ? GEN_ISEND : GEN_SEND;
	return passing->is_nonblocking ? GEN_ISSEND : GEN_SSEND;
}

static void begin_send(struct gen *gen, struct passing *passing)
{
	struct gen_location *location = passing->sender;
	const uint32_t peer = passing->receiver->process;

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, send_call(passing));
	passing->sent = gen_entered(gen, location);
	if (!passing->is_nonblocking) {
		gen_send(gen, location, peer, 0, TAG_SYNCHRONOUS);
		return;
	}
	passing->request = gen_isend(gen, location, peer, 0, TAG_SYNCHRONOUS);
	gen_pass(gen, location);
	gen_leave(gen, location, send_call(passing));
	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_WAIT);
}

static void end_send(struct gen *gen, const struct passing *passing)
{
	struct gen_location *location = passing->sender;
	const uint64_t lmin = gen_lmin(gen, passing->receiver->process, location->process);

	gen_await(gen, location, passing->receiver->process, passing->begun);
	gen_wait(gen, location, passing->begun.time, lmin);
	if (!passing->is_long)
		gen_expect(gen, location, "late_receiver", passing->begun);
	if (passing->is_nonblocking)
		gen_isend_complete(gen, location, passing->request);
	gen_leave(gen, location, passing->is_nonblocking ? GEN_WAIT : send_call(passing));
}

static void receive(struct gen *gen, struct passing *passing)
{
	struct gen_location *location = passing->receiver;
	const uint32_t peer = passing->sender->process;
	const uint64_t lmin = gen_lmin(gen, peer, location->process);
	const bool is_probed = gen_below(&gen->random, 3) == 0;
	uint64_t request;

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, is_probed ? GEN_MPROBE : GEN_RECV);
	passing->begun = gen_entered(gen, location);
	gen_await(gen, location, peer, passing->sent);
	gen_wait(gen, location, passing->sent.time, lmin);
	if (!is_probed) {
		gen_arrive(gen, location, passing->sent);
		gen_receive(gen, location, peer, 0, TAG_SYNCHRONOUS);
		gen_leave(gen, location, GEN_RECV);
		return;
	}
	gen_expect(gen, location, "late_sender", passing->sent);
	request = gen_irecv(gen, location);
	gen_leave(gen, location, GEN_MPROBE);
	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_MRECV);
	gen_arrive(gen, location, passing->sent);
	gen_irecv_complete(gen, location, peer, 0, TAG_SYNCHRONOUS, request);
	gen_leave(gen, location, GEN_MRECV);
}

/* Neighbours, now one way, now the other. */
static void pass_between_neighbours(struct gen *gen, bool is_long)
{
	for (uint32_t process = 0; process + 1 < gen->options.nr_ranks; process += 2) {
		const uint32_t turn = gen_below(&gen->random, 2);
		struct passing passing = {.sender = gen_master(gen, process + turn),
			.receiver = gen_master(gen, process + 1 - turn),
			.is_nonblocking = gen_below(&gen->random, 2),
			.is_long = is_long};

		begin_send(gen, &passing);
		receive(gen, &passing);
		end_send(gen, &passing);
	}
}

void gen_synchronous(struct gen *gen)
{
	pass_between_neighbours(gen, false);
}

/* --------------------------------------------------------------------------- assumed --- */

/* The receiver posts its receive, then tells the sender. */
static uint64_t post(
	struct gen *gen, struct gen_location *receiver, uint32_t sender, struct gen_moment *told)
{
	uint64_t request;

	gen_work(gen, receiver, gen->options.work);
	gen_enter(gen, receiver, GEN_IRECV);
	request = gen_irecv(gen, receiver);
	gen_leave(gen, receiver, GEN_IRECV);
	gen_pass(gen, receiver);
	gen_enter(gen, receiver, GEN_SEND);
	*told = gen_entered(gen, receiver);
	gen_send(gen, receiver, sender, 0, TAG_READY);
	gen_leave(gen, receiver, GEN_SEND);
	return request;
}

static struct gen_moment send_ready(
	struct gen *gen, struct gen_location *sender, uint32_t receiver, struct gen_moment told)
{
	const bool is_nonblocking = gen_below(&gen->random, 2);
	struct gen_moment sent;
	uint64_t request;

	gen_work(gen, sender, gen->options.work);
	gen_enter(gen, sender, GEN_RECV);
	gen_await(gen, sender, receiver, told);
	gen_wait(gen, sender, told.time, gen_lmin(gen, receiver, sender->process));
	gen_arrive(gen, sender, told);
	gen_receive(gen, sender, receiver, 0, TAG_READY);
	gen_leave(gen, sender, GEN_RECV);
	gen_pass(gen, sender);
	gen_enter(gen, sender, is_nonblocking ? GEN_IRSEND : GEN_RSEND);
	sent = gen_entered(gen, sender);
	if (!is_nonblocking) {
		gen_send(gen, sender, receiver, 0, TAG_SYNCHRONOUS);
		gen_leave(gen, sender, GEN_RSEND);
		return sent;
	}
	request = gen_isend(gen, sender, receiver, 0, TAG_SYNCHRONOUS);
	gen_leave(gen, sender, GEN_IRSEND);
	gen_pass(gen, sender);
	gen_enter(gen, sender, GEN_WAIT);
	gen_isend_complete(gen, sender, request);
	gen_leave(gen, sender, GEN_WAIT);
	return sent;
}

static void pass_ready(struct gen *gen)
{
	for (uint32_t process = 0; process + 1 < gen->options.nr_ranks; process += 2) {
		const uint32_t turn = gen_below(&gen->random, 2);
		struct gen_location *sender = gen_master(gen, process + turn);
		struct gen_location *receiver = gen_master(gen, process + 1 - turn);
		struct gen_moment told, sent;
		uint64_t request;

		request = post(gen, receiver, sender->process, &told);
		sent = send_ready(gen, sender, receiver->process, told);
		gen_enter(gen, receiver, GEN_WAIT);
		gen_await(gen, receiver, sender->process, sent);
		gen_wait(gen, receiver, sent.time,
			gen_lmin(gen, sender->process, receiver->process));
		gen_arrive(gen, receiver, sent);
		gen_irecv_complete(gen, receiver, sender->process, 0, TAG_SYNCHRONOUS, request);
		gen_leave(gen, receiver, GEN_WAIT);
	}
}

void gen_assumed(struct gen *gen)
{
	if (gen_below(&gen->random, 2)) {
		pass_ready(gen);
		return;
	}
	gen->message_bytes = GEN_LONG_BYTES;
	pass_between_neighbours(gen, true);
	gen->message_bytes = GEN_MESSAGE_BYTES;
}
