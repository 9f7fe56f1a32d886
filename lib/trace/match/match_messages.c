/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point messages: the k-th send of a lane (communicator, sender, receiver, tag)
 * belongs to the k-th receive posted in it. That is MPI's own rule, wildcards included: of
 * two receives that match two messages of one lane, the one posted first gets the first. Of calls
 * that several threads make at the same time MPI says nothing: where lengths tell that their times
 * are not the order that it took, nothing is known of the lane. */
#include "config.h"

#include "match_internal.h"

static struct measure_key key_of(const struct message_lane *lane)
{
	return (struct measure_key){(uint64_t)lane->comm << 32 | lane->tag,
		(uint64_t)lane->sender << 32 | lane->receiver};
}

static uint32_t lane_of(struct messages *messages, struct message_lane lane)
{
	uint32_t index =
		measure_map_intern(&messages->ids[lane.is_send], key_of(&lane), messages->nr_lanes);

	if (index != messages->nr_lanes)
		return index;
	*measure_append(messages, lanes) = lane;
	return index;
}

static void report_rank(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, uint32_t own_side)
{
	const char *comm = match->definitions->comms[event->ref].label;

	if (own_side == MEASURE_NONE)
		measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(point),
			"%s on %s, which does not contain its process",
			measure_event_names[event->kind], comm);
	else
		measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(point),
			"%s names rank %u, which does not exist in %s",
			measure_event_names[event->kind], event->peer, comm);
}

/* The lane of a message that the process being read has sent or received; MEASURE_NONE: reported. */
static uint32_t find_lane(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, bool is_send)
{
	const uint32_t own = match->process;
	const uint32_t peer =
		measure_ranks_peer(&match->ranks, event->ref, own, event->peer);

	if (peer == MEASURE_NONE) {
		report_rank(
			match, event, point, measure_ranks_side(&match->ranks, event->ref, own));
		return MEASURE_NONE;
	}
	return lane_of(&match->messages, (struct message_lane){.comm = event->ref,
						 .sender = is_send ? own : peer,
						 .receiver = is_send ? peer : own,
						 .tag = event->tag,
						 .is_send = is_send});
}

static uint32_t recent_lane(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, bool is_send)
{
	const size_t hash = event->ref * 31 + event->peer * 5 + event->tag * 2 + is_send;
	struct recent_lane *recent = &match->messages.recent[hash % NR_RECENT_LANES];

	if (recent->process != match->process + 1 || recent->comm != event->ref ||
		recent->rank != event->peer || recent->tag != event->tag ||
		recent->is_send != is_send) {
		const uint32_t lane = find_lane(match, event, point, is_send);

		if (lane == MEASURE_NONE)
			return MEASURE_NONE;
		*recent = (struct recent_lane){
			match->process + 1, event->ref, event->peer, event->tag, is_send, lane};
	}
	return recent->lane;
}

size_t messages_add(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const struct measure_point *post, bool is_send,
	bool is_nonblocking)
{
	struct messages *messages = &match->messages;
	const uint32_t lane = event->ref == MEASURE_NONE
				      ? MEASURE_NONE
				      : recent_lane(match, event, point, is_send);
	uint32_t mark;

	if (lane == MEASURE_NONE)
		return SIZE_MAX;
	mark = mark_of(match, point);
	measure_mark_at(&match->marks, mark)->is_nonblocking = is_nonblocking;
	*measure_append(messages, halves) =
		(struct message_half){.posting = {post->time, post->position, point->location,
					      lane - (uint32_t)messages->first_lane},
			.length = is_send ? event->sent : event->received,
			.mark = mark,
			.is_nonblocking = is_nonblocking};
	return messages->nr_halves - 1;
}

void messages_cancel(struct measure_match *match, size_t send)
{
	if (send != SIZE_MAX)
		match->messages.halves[send].posting.lane = MEASURE_NONE;
}

static void messages_append(struct messages *messages, uint32_t mark, uint64_t length)
{
	messages->marks = measure_grow(
		messages->marks, messages->nr, &messages->room_marks, sizeof(*messages->marks));
	messages->lengths = measure_grow(messages->lengths, messages->nr, &messages->room_lengths,
		sizeof(*messages->lengths));
	messages->marks[messages->nr] = mark;
	messages->lengths[messages->nr++] = length;
}

static void messages_keep(
	struct measure_match *match, const struct message_half *half, bool is_send)
{
	struct messages *messages = &match->messages;

	messages_append(messages, half->mark, half->length);
	messages->counts[is_send].nr++;
	messages->counts[is_send].bytes += half->length;
}

void messages_end_process(struct measure_match *match)
{
	struct messages *messages = &match->messages;
	size_t nr_lanes = messages->nr_lanes - messages->first_lane, *starts;
	uint32_t *order = lanes_sort(messages->halves, messages->nr_halves,
		sizeof(*messages->halves), nr_lanes, &starts);

	for (size_t i = 0; i < nr_lanes; i++) {
		struct message_lane *lane = &messages->lanes[messages->first_lane + i];

		lane->first = messages->nr;
		lane->nr = starts[i + 1] - starts[i];
		lane->nr_sure = 0;
		for (size_t k = starts[i]; k < starts[i + 1]; k++) {
			const struct message_half *half = &messages->halves[order[k]];

			lane->nr_sure += half->posting.time < match->whole_until;
			lane->is_shared |= half->posting.location !=
					   messages->halves[order[starts[i]]].posting.location;
			messages_keep(match, half, lane->is_send);
		}
	}
	messages->first_lane = messages->nr_lanes;
	messages->nr_halves = 0;
	measure_free(order);
	measure_free(starts);
}

void messages_end_reading(struct messages *messages)
{
	measure_free(messages->halves);
	messages->halves = NULL;
	messages->room_halves = 0;
}

void messages_join(struct messages *messages, struct messages *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr_lanes; i++) {
		struct message_lane *lane = measure_append(messages, lanes);

		*lane = others->lanes[i];
		lane->first += messages->nr;
	}
	for (size_t i = 0; i < others->nr; i++)
		messages_append(messages, others->marks[i] + base, others->lengths[i]);
	for (int side = 0; side < 2; side++) {
		messages->counts[side].nr += others->counts[side].nr;
		messages->counts[side].bytes += others->counts[side].bytes;
	}
}

/* ---------------------------------------------------------------------- matching --- */

/* Both sides of a lane; one of them may be missing. */
struct messages_channel {
	const struct message_lane *sends, *receives;
};

static uint32_t rank_of(struct measure_match *match, uint32_t comm, uint32_t process)
{
	uint32_t side = measure_ranks_side(&match->ranks, comm, process);

	if (side == MEASURE_NONE)
		return MEASURE_NONE;
	return measure_ranks_rank(
		&match->ranks, match->definitions->comms[comm].groups[side], process);
}

static void report_unmatched(struct measure_match *match, const struct message_lane *lane, size_t k)
{
	const struct measure_comm *comm = &match->definitions->comms[lane->comm];
	uint32_t peer = lane->is_send ? lane->receiver : lane->sender;
	bool is_excused = measure_match_is_cut(match, lane->sender) ||
			  measure_match_is_cut(match, lane->receiver);

	measure_report_excused(match->findings, MEASURE_CHECK_MESSAGE_UNMATCHED, is_excused,
		place_of_mark(match, match->messages.marks[lane->first + k]),
		"%s rank %u, tag %u, %llu bytes, %s: %s%s",
		lane->is_send ? "send to" : "receive from", rank_of(match, lane->comm, peer),
		lane->tag, (unsigned long long)match->messages.lengths[lane->first + k],
		comm->label, lane->is_send ? "no receive" : "no send",
		measure_match_is_cut(match, peer) ? "; the partner was cut short" : "");
}

static void report_length(struct measure_match *match, size_t send, size_t receive)
{
	const struct messages *messages = &match->messages;
	const struct measure_sync_point *sent =
		measure_mark_at(&match->marks, messages->marks[send]);

	measure_report(match->findings, MEASURE_CHECK_MESSAGE_LENGTH,
		place_of_mark(match, messages->marks[receive]),
		"%llu bytes received of a message of %llu bytes sent by %s",
		(unsigned long long)messages->lengths[receive],
		(unsigned long long)messages->lengths[send],
		measure_name_of_location(match->definitions, sent->location));
}

static void hand_out_pair(struct measure_match *match, uint32_t send, uint32_t receive,
	const struct message_place *place)
{
	const struct measure_point points[2] = {
		point_of_mark(match, send, 0), point_of_mark(match, receive, 0)};
	const bool is_nonblocking = measure_mark_at(&match->marks, send)->is_nonblocking ||
				    measure_mark_at(&match->marks, receive)->is_nonblocking;

	instance_add_send(match, &points[0]);
	instance_add_receive(match, &points[1]);
	match->length = place->length;
	instance_hand_out(match,
		is_nonblocking ? MEASURE_RELATION_MESSAGE_NONBLOCKING : MEASURE_RELATION_MESSAGE,
		place->comm, place->tag, place->ordinal);
}

static void hand_out_answers(
	struct measure_match *match, const struct measure_pairs *pairs, const uint64_t *lengths)
{
	if (!rendezvous_has_answers(&match->rendezvous))
		return;
	for (size_t k = 0; k < pairs->nr; k++) {
		const struct message_place place = {pairs->comm, pairs->tag, k, lengths[k]};

		rendezvous_pair(match, &place, pairs->sends[k], pairs->receives[k]);
	}
}

static void match_pairs(
	struct measure_match *match, const struct messages_channel *channel, size_t nr)
{
	const struct messages *messages = &match->messages;
	const struct message_lane *lane = channel->sends;
	const size_t sends = channel->sends->first, receives = channel->receives->first;
	const struct measure_pairs pairs = {lane->comm, lane->sender, lane->receiver, lane->tag, nr,
		messages->marks + sends, messages->marks + receives, match->selection.is_on};

	/* those that take all messages at once take them all */
	const bool are_together = match->deliver_pairs &&
				  match->selection.is_on[MEASURE_RELATION_MESSAGE] &&
				  match->selection.is_on[MEASURE_RELATION_MESSAGE_NONBLOCKING];

	for (size_t k = 0; k < nr; k++) {
		if (messages->lengths[sends + k] != messages->lengths[receives + k])
			report_length(match, sends + k, receives + k);
		if (!are_together)
			hand_out_pair(match, pairs.sends[k], pairs.receives[k],
				&(struct message_place){
					lane->comm, lane->tag, k, messages->lengths[sends + k]});
	}
	hand_out_answers(match, &pairs, messages->lengths + sends);
	if (are_together)
		match->deliver_pairs(match->data, &pairs);
}

static size_t messages_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Where a thread's events break off others may go on, and what they sent or received after that may
 * follow something that is missing: the counts tell whether anything is. */
static size_t nr_pairs(const struct messages_channel *channel)
{
	if (!channel->sends || !channel->receives)
		return 0;
	if (channel->sends->nr == channel->receives->nr)
		return channel->sends->nr;
	return messages_least(messages_least(channel->sends->nr, channel->sends->nr_sure),
		messages_least(channel->receives->nr, channel->receives->nr_sure));
}

/* Else what one thread sent or received went before what another one had begun with earlier. */
static bool is_in_order(
	const struct messages *messages, const struct messages_channel *channel, size_t nr)
{
	if (!channel->sends->is_shared && !channel->receives->is_shared)
		return true;
	for (size_t k = 0; k < nr; k++)
		if (messages->lengths[channel->sends->first + k] !=
			messages->lengths[channel->receives->first + k])
			return false;
	return true;
}

static void report_order(
	struct measure_match *match, const struct messages_channel *channel, size_t nr)
{
	const struct message_lane *lane = channel->receives;

	measure_report(match->findings, MEASURE_CHECK_MESSAGE_ORDER,
		place_of_mark(match, match->messages.marks[lane->first]),
		"%zu messages from rank %u, tag %u, %s: several threads %s them", nr,
		rank_of(match, lane->comm, lane->sender), lane->tag,
		match->definitions->comms[lane->comm].label,
		lane->is_shared ? "receive" : "send");
}

static void match_channel(struct measure_match *match, const struct messages_channel *channel)
{
	const size_t nr_sends = channel->sends ? channel->sends->nr : 0;
	const size_t nr_receives = channel->receives ? channel->receives->nr : 0;
	const size_t nr = nr_pairs(channel);

	if (nr > 0 && is_in_order(&match->messages, channel, nr))
		match_pairs(match, channel, nr);
	else if (nr > 0)
		report_order(match, channel, nr);
	for (size_t k = nr; k < nr_sends; k++)
		report_unmatched(match, channel->sends, k);
	for (size_t k = nr; k < nr_receives; k++)
		report_unmatched(match, channel->receives, k);
}

/* In the order in which the archive comes to them. */
void messages_finish(struct measure_match *match)
{
	const struct messages *messages = &match->messages;
	struct messages_channel *channels = measure_zeroed(messages->nr_lanes, sizeof(*channels));
	struct measure_map ids = {0};
	uint32_t nr = 0;

	for (size_t i = 0; i < messages->nr_lanes; i++) {
		const struct message_lane *lane = &messages->lanes[i];
		uint32_t index = measure_map_intern(&ids, key_of(lane), nr);

		nr += index == nr;
		*(lane->is_send ? &channels[index].sends : &channels[index].receives) = lane;
	}
	measure_map_free(&ids);
	for (uint32_t i = 0; i < nr; i++)
		match_channel(match, &channels[i]);
	measure_free(channels);
}

struct measure_message_counts measure_match_messages(
	const struct measure_match *match, bool is_send)
{
	return match->messages.counts[is_send];
}

void messages_free(struct messages *messages)
{
	measure_map_free(&messages->ids[0]);
	measure_map_free(&messages->ids[1]);
	measure_free(messages->lanes);
	measure_free(messages->halves);
	measure_free(messages->marks);
	measure_free(messages->lengths);
}
