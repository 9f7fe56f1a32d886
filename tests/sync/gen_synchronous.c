/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that wait for their receives, and messages that are seen before they are received. */
#include "config.h"

#include "generate.h"

enum { TAG_SYNCHRONOUS = 77 };

/* One message between two processes. */
struct passing {
	struct gen_location *sender, *receiver;
	uint64_t sent, begun; /* begin of the receive */
	uint64_t request;
	bool is_nonblocking;
};

static void begin_send(struct gen *gen, struct passing *passing)
{
	struct gen_location *location = passing->sender;
	const uint32_t peer = passing->receiver->process;

	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, passing->is_nonblocking ? GEN_ISSEND : GEN_SSEND);
	passing->sent = location->now;
	if (!passing->is_nonblocking) {
		gen_send(gen, location, peer, 0, TAG_SYNCHRONOUS);
		return;
	}
	passing->request = gen_isend(gen, location, peer, 0, TAG_SYNCHRONOUS);
	gen_pass(gen, location);
	gen_leave(gen, location, GEN_ISSEND);
	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_WAIT);
}

static void end_send(struct gen *gen, const struct passing *passing)
{
	struct gen_location *location = passing->sender;
	const uint64_t lmin = gen_lmin(gen, passing->receiver->process, location->process);

	gen_wait(gen, location, passing->begun, lmin);
	if (passing->is_nonblocking)
		gen_isend_complete(gen, location, passing->request);
	gen_leave(gen, location, passing->is_nonblocking ? GEN_WAIT : GEN_SSEND);
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
	passing->begun = location->now;
	gen_wait(gen, location, passing->sent, lmin);
	if (!is_probed) {
		gen_receive(gen, location, peer, 0, TAG_SYNCHRONOUS);
		gen_leave(gen, location, GEN_RECV);
		return;
	}
	request = gen_irecv(gen, location);
	gen_leave(gen, location, GEN_MPROBE);
	gen_work(gen, location, gen->options.work);
	gen_enter(gen, location, GEN_MRECV);
	gen_irecv_complete(gen, location, peer, 0, TAG_SYNCHRONOUS, request);
	gen_leave(gen, location, GEN_MRECV);
}

/* Neighbours, now one way, now the other. */
void gen_synchronous(struct gen *gen)
{
	for (uint32_t process = 0; process + 1 < gen->options.nr_ranks; process += 2) {
		const uint32_t turn = gen_below(&gen->random, 2);
		struct passing passing = {.sender = gen_master(gen, process + turn),
			.receiver = gen_master(gen, process + 1 - turn),
			.is_nonblocking = gen_below(&gen->random, 2)};

		begin_send(gen, &passing);
		receive(gen, &passing);
		end_send(gen, &passing);
	}
}
