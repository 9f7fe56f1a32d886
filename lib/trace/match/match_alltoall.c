/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective operations in which each sends something else to each (alltoallv): records have sums
 * only. A receiver is after a sender without whom all others, and itself, have not sent enough
 * bytes. Who lacks more than half of all bytes without one sender is after that one; and only one
 * receiver can get more than half of all: so it is enough to look at who sent most and at who
 * received most. */
#include "config.h"

#include "match_internal.h"

struct exchange {
	const struct collective *const *members;
	size_t nr_members;
	uint64_t bytes;
	const struct collective *sender, *receiver; /* of most */
};

static bool is_needed(const struct exchange *exchange, const struct collective *sender,
	const struct collective *receiver)
{
	return sender != receiver && sender->sent > 0 &&
	       receiver->received > exchange->bytes - sender->sent;
}

/* False: what was sent is not what was received, so a member is missing, or bytes are counted in
 * another way. */
static bool sum_up(struct exchange *exchange)
{
	uint64_t received = 0;

	exchange->sender = exchange->receiver = exchange->members[0];
	for (size_t i = 0; i < exchange->nr_members; i++) {
		const struct collective *member = exchange->members[i];

		exchange->bytes += member->sent;
		received += member->received;
		if (member->sent > exchange->sender->sent)
			exchange->sender = member;
		if (member->received > exchange->receiver->received)
			exchange->receiver = member;
	}
	return exchange->bytes == received;
}

static void add_send(struct measure_match *match, const struct collective *member)
{
	const struct measure_point point = point_of_mark(match, member->begin, member->rank);

	instance_add_send(match, &point);
}

static void add_receive(struct measure_match *match, const struct collective *member)
{
	const struct measure_point point = point_of_mark(match, member->end, member->rank);

	instance_add_receive(match, &point);
}

static void hand_out(struct measure_match *match, const struct exchange *exchange,
	const struct collective *receiver, uint32_t comm, uint64_t ordinal)
{
	for (size_t i = 0; i < exchange->nr_members; i++)
		if (is_needed(exchange, exchange->members[i], receiver))
			add_send(match, exchange->members[i]);
	add_receive(match, receiver);
	instance_hand_out(match, MEASURE_RELATION_ALLTOALLV, comm, 0, ordinal);
}

/* As if each sent to each. */
static void hand_out_members(struct measure_match *match, const struct exchange *exchange,
	uint32_t comm, uint64_t ordinal)
{
	if (!match->deliver_exchange)
		return;
	for (size_t i = 0; i < exchange->nr_members; i++) {
		if (exchange->members[i]->sent > 0)
			add_send(match, exchange->members[i]);
		if (exchange->members[i]->received > 0)
			add_receive(match, exchange->members[i]);
	}
	instance_hand_out_to(
		match, match->deliver_exchange, MEASURE_RELATION_ALLTOALLV, comm, ordinal);
}

void exchange_hand_out(struct measure_match *match, const struct collective *const *members,
	size_t nr_members, uint32_t comm, uint64_t ordinal)
{
	struct exchange exchange = {members, nr_members, 0, NULL, NULL};

	hand_out_members(match, &exchange, comm, ordinal);
	if (!sum_up(&exchange))
		return;
	hand_out(match, &exchange, exchange.receiver, comm, ordinal);
	exchange.members = &exchange.sender;
	exchange.nr_members = 1;
	for (size_t i = 0; i < nr_members; i++)
		if (members[i] != exchange.receiver)
			hand_out(match, &exchange, members[i], comm, ordinal);
}
