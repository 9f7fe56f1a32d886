/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point messages: the k-th send of a lane (communicator, sender, receiver, tag)
 * belongs to the k-th receive posted in it. That is MPI's own rule, wildcards included: of
 * two receives that match two messages of one lane, the one posted first gets the first. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

static uint32_t lane_of(struct messages *messages, struct message_lane lane)
{
	struct measure_key key = {
		(uint64_t)lane.comm << 32 | lane.tag, (uint64_t)lane.sender << 32 | lane.receiver};
	uint32_t index = measure_map_intern(&messages->ids, key, messages->nr_lanes);

	if (index != messages->nr_lanes)
		return index;
	messages->lanes = measure_grow(messages->lanes, messages->nr_lanes, &messages->room_lanes,
		sizeof(*messages->lanes));
	messages->lanes[messages->nr_lanes++] = lane;
	return index;
}

static void report_rank(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, uint32_t own_side)
{
	const char *comm = match->definitions->comms[event->ref].label;

	if (own_side == MEASURE_NONE)
		measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(point),
			"%s on %s, of which its process is no member",
			measure_event_names[event->kind], comm);
	else
		measure_report(match->findings, MEASURE_CHECK_COMM_RANK, place_of(point),
			"%s names rank %u, which %s does not have", measure_event_names[event->kind],
			event->peer, comm);
}

size_t messages_add(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const struct measure_point *post, bool is_send,
	bool is_nonblocking)
{
	struct halves *halves = is_send ? &match->messages.sends : &match->messages.receives;
	uint32_t own = match->process, peer;
	struct message_lane lane;

	if (event->ref == MEASURE_NONE)
		return SIZE_MAX;
	peer = measure_ranks_peer(&match->ranks, event->ref, own, event->peer);
	if (peer == MEASURE_NONE) {
		report_rank(
			match, event, point, measure_ranks_side(&match->ranks, event->ref, own));
		return SIZE_MAX;
	}
	lane = (struct message_lane){
		event->ref, is_send ? own : peer, is_send ? peer : own, event->tag};
	halves->items =
		measure_grow(halves->items, halves->nr, &halves->room, sizeof(*halves->items));
	halves->items[halves->nr] = (struct half){*point, post->time, post->position,
		is_send ? event->sent : event->received, lane_of(&match->messages, lane),
		is_nonblocking};
	return halves->nr++;
}

void messages_cancel(struct measure_match *match, size_t send)
{
	if (send != SIZE_MAX)
		match->messages.sends.items[send].lane = MEASURE_NONE;
}

static uint32_t rank_of(struct measure_match *match, uint32_t comm, uint32_t process)
{
	uint32_t side = measure_ranks_side(&match->ranks, comm, process);

	if (side == MEASURE_NONE)
		return MEASURE_NONE;
	return measure_ranks_rank(
		&match->ranks, match->definitions->comms[comm].groups[side], process);
}

static void report_unmatched(struct measure_match *match, const struct half *half, bool is_send)
{
	const struct message_lane *lane = &match->messages.lanes[half->lane];
	const struct measure_comm *comm = &match->definitions->comms[lane->comm];
	uint32_t peer = is_send ? lane->receiver : lane->sender;
	bool is_excused = measure_match_is_cut(match, lane->sender) ||
			  measure_match_is_cut(match, lane->receiver);

	measure_report_excused(match->findings, MEASURE_CHECK_MESSAGE_UNMATCHED, is_excused,
		place_of(&half->point),
		"%s rank %u, tag %u, %llu bytes, %s: %s%s",
		is_send ? "send to" : "receive from", rank_of(match, lane->comm, peer), lane->tag,
		(unsigned long long)half->length, comm->label, is_send ? "no receive" : "no send",
		measure_match_is_cut(match, peer) ? "; the partner was cut short" : "");
}

static void report_length(
	struct measure_match *match, const struct half *send, const struct half *receive)
{
	measure_report(match->findings, MEASURE_CHECK_MESSAGE_LENGTH, place_of(&receive->point),
		"%llu bytes received of a message of %llu bytes sent by %s",
		(unsigned long long)receive->length, (unsigned long long)send->length,
		measure_name_of_location(match->definitions, send->point.location));
}

static void match_pair(struct measure_match *match, const struct half *send,
	const struct half *receive, uint64_t ordinal)
{
	const struct message_lane *lane = &match->messages.lanes[send->lane];
	bool is_nonblocking = send->is_nonblocking || receive->is_nonblocking;

	if (send->length != receive->length)
		report_length(match, send, receive);
	instance_add_send(match, &send->point);
	instance_add_receive(match, &receive->point);
	instance_hand_out(match,
		is_nonblocking ? MEASURE_RELATION_MESSAGE_NONBLOCKING : MEASURE_RELATION_MESSAGE,
		lane->comm, lane->tag, ordinal);
}

void messages_finish(struct measure_match *match)
{
	struct messages *messages = &match->messages;
	const struct half *sends = messages->sends.items, *receives = messages->receives.items;
	size_t *send_starts, *receive_starts;
	uint32_t *send_order = lanes_sort(
		sends, messages->sends.nr, sizeof(*sends), messages->nr_lanes, &send_starts);
	uint32_t *receive_order = lanes_sort(receives, messages->receives.nr, sizeof(*receives),
		messages->nr_lanes, &receive_starts);

	for (size_t lane = 0; lane < messages->nr_lanes; lane++) {
		size_t s = send_starts[lane], r = receive_starts[lane], first = s;

		for (; s < send_starts[lane + 1] && r < receive_starts[lane + 1]; s++, r++)
			match_pair(match, &sends[send_order[s]], &receives[receive_order[r]],
				s - first);
		for (; s < send_starts[lane + 1]; s++)
			report_unmatched(match, &sends[send_order[s]], true);
		for (; r < receive_starts[lane + 1]; r++)
			report_unmatched(match, &receives[receive_order[r]], false);
	}
	free(send_order);
	free(send_starts);
	free(receive_order);
	free(receive_starts);
}

struct measure_message_counts measure_match_messages(
	const struct measure_match *match, bool is_send)
{
	const struct halves *halves = is_send ? &match->messages.sends : &match->messages.receives;
	struct measure_message_counts counts = {0, 0};

	for (size_t i = 0; i < halves->nr; i++) {
		if (halves->items[i].lane == MEASURE_NONE)
			continue;
		counts.nr++;
		counts.bytes += halves->items[i].length;
	}
	return counts;
}

void messages_free(struct messages *messages)
{
	measure_map_free(&messages->ids);
	free(messages->lanes);
	free(messages->sends.items);
	free(messages->receives.items);
}
