/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What goes back from a receive to its send, and what is seen of a message before it is received: a
 * synchronous send is over when its receive has begun, a ready send begins when that has been
 * posted, and a matched probe sees a message that has been sent. Known by the calls that records lie
 * in; kept only where a trace has such calls. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>
#include <string.h>

enum region_kind rendezvous_kind(const char *name)
{
	static const struct {
		const char *name;
		enum region_kind kind;
	} kinds[] = {
		{"MPI_Send", REGION_SEND},
		{"MPI_Isend", REGION_SEND},
		{"MPI_Ssend", REGION_SYNCHRONOUS_SEND},
		{"MPI_Issend", REGION_SYNCHRONOUS_SEND},
		{"MPI_Rsend", REGION_READY_SEND},
		{"MPI_Irsend", REGION_READY_SEND},
		{"MPI_Mprobe", REGION_MATCHED_PROBE},
		{"MPI_Improbe", REGION_MATCHED_PROBE},
		{"MPI_Recv", REGION_RECEIVE},
		{"MPI_Irecv", REGION_RECEIVE},
		{"MPI_Mrecv", REGION_RECEIVE},
		{"MPI_Imrecv", REGION_RECEIVE},
		{"MPI_Sendrecv", REGION_RECEIVE},
		{"MPI_Sendrecv_replace", REGION_RECEIVE},
		{"MPI_Isendrecv", REGION_RECEIVE},
		{"MPI_Isendrecv_replace", REGION_RECEIVE},
		{"MPI_Start", REGION_RECEIVE},
		{"MPI_Startall", REGION_RECEIVE},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return kinds[i].kind;
	return REGION_PLAIN;
}

bool rendezvous_is_told(const struct measure_match *match, uint8_t kind)
{
	const bool *is_on = match->selection.is_on;

	switch (kind) {
	case REGION_SYNCHRONOUS_SEND:
		return is_on[MEASURE_RELATION_SYNCHRONOUS];
	case REGION_READY_SEND:
		return is_on[MEASURE_RELATION_READY];
	case REGION_SEND:
		return is_on[MEASURE_RELATION_RENDEZVOUS];
	case REGION_MATCHED_PROBE:
		return is_on[MEASURE_RELATION_PROBE];
	default:
		return false;
	}
}

/* Sends that need not be synchronous count only if the user says from which length on they are. */
static enum measure_relation relation_of(
	const struct measure_match *match, uint8_t call, uint64_t length)
{
	switch (call) {
	case REGION_SYNCHRONOUS_SEND:
		return MEASURE_RELATION_SYNCHRONOUS;
	case REGION_READY_SEND:
		return MEASURE_RELATION_READY;
	case REGION_SEND:
		return length >= match->selection.rendezvous ? MEASURE_RELATION_RENDEZVOUS
							     : MEASURE_RELATION_NONE;
	default:
		return MEASURE_RELATION_NONE;
	}
}

/* ------------------------------------------------------------------- a location --- */

void rendezvous_begin_location(struct measure_match *match)
{
	match->rendezvous.call.kind = REGION_PLAIN;
	match->rendezvous.blocking = SIZE_MAX;
}

void rendezvous_enter(struct measure_match *match, const struct measure_event *event, uint8_t kind)
{
	match->rendezvous.call = (struct message_call){kind, point_of(match, event)};
}

void rendezvous_leave(struct measure_match *match, const struct measure_event *event)
{
	struct rendezvous *rendezvous = &match->rendezvous;

	if (rendezvous->blocking != SIZE_MAX) {
		rendezvous->sends[rendezvous->blocking].over = point_of(match, event);
		rendezvous->sends[rendezvous->blocking].is_over = true;
	}
	rendezvous_begin_location(match);
}

/* A request is started; its turn comes when all threads have been read. */
void rendezvous_post(struct measure_match *match, const struct measure_event *event)
{
	struct rendezvous *rendezvous = &match->rendezvous;

	if (rendezvous->call.kind == REGION_PLAIN)
		return;
	measure_map_set(&rendezvous->posted_ids,
		measure_key_pair(match->location, event->position), (uint32_t)rendezvous->nr_posted);
	rendezvous->posted = measure_grow(rendezvous->posted, rendezvous->nr_posted,
		&rendezvous->room_posted, sizeof(*rendezvous->posted));
	rendezvous->posted[rendezvous->nr_posted++] = rendezvous->call;
}

static const struct message_call *posted_in(
	const struct rendezvous *rendezvous, const struct measure_point *post)
{
	uint32_t index = measure_map_get(
		&rendezvous->posted_ids, measure_key_pair(post->location, post->position));

	return index == MEASURE_NONE ? NULL : &rendezvous->posted[index];
}

/* --------------------------------------------------------------------- a process --- */

static size_t add_send(struct measure_match *match, size_t half, const struct message_call *call)
{
	struct rendezvous *rendezvous = &match->rendezvous;
	const struct message_half *send = &match->messages.halves[half];
	enum measure_relation relation = relation_of(match, call->kind, send->length);

	if (relation == MEASURE_RELATION_NONE)
		return SIZE_MAX;
	rendezvous->sends = measure_grow(rendezvous->sends, rendezvous->nr_sends,
		&rendezvous->room_sends, sizeof(*rendezvous->sends));
	rendezvous->sends[rendezvous->nr_sends] = (struct answered_send){
		.mark = send->mark, .relation = (uint8_t)relation};
	return rendezvous->nr_sends++;
}

static void add_receive(struct measure_match *match, size_t half, const struct message_call *call,
	const struct measure_point *post)
{
	struct rendezvous *rendezvous = &match->rendezvous;

	rendezvous->receives = measure_grow(rendezvous->receives, rendezvous->nr_receives,
		&rendezvous->room_receives, sizeof(*rendezvous->receives));
	rendezvous->receives[rendezvous->nr_receives++] = (struct answering_receive){
		.mark = match->messages.halves[half].mark,
		.is_nonblocking = match->messages.halves[half].is_nonblocking,
		.is_probed = call->kind == REGION_MATCHED_PROBE,
		.enter = call->enter,
		.post = *post};
}

void rendezvous_blocking(
	struct measure_match *match, size_t half, const struct measure_point *point, bool is_send)
{
	struct rendezvous *rendezvous = &match->rendezvous;

	if (half == SIZE_MAX || rendezvous->call.kind == REGION_PLAIN)
		return;
	if (is_send)
		rendezvous->blocking = add_send(match, half, &rendezvous->call);
	else
		add_receive(match, half, &rendezvous->call, point);
}

void rendezvous_send(struct measure_match *match, size_t half, const struct measure_point *post)
{
	const struct message_call *call = posted_in(&match->rendezvous, post);

	if (call && half != SIZE_MAX)
		add_send(match, half, call);
}

void rendezvous_receive(struct measure_match *match, size_t half, const struct measure_point *post)
{
	const struct message_call *call = posted_in(&match->rendezvous, post);

	if (call && half != SIZE_MAX)
		add_receive(match, half, call, post);
}

static int compare_marks(const void *mark, const void *end)
{
	uint32_t a = *(const uint32_t *)mark, b = *(const uint32_t *)end;

	return (a > b) - (a < b);
}

static struct answered_send *find_send(const struct rendezvous *rendezvous, uint32_t mark)
{
	return rendezvous->nr_sends ? bsearch(&mark, rendezvous->sends, rendezvous->nr_sends,
					      sizeof(*rendezvous->sends), compare_marks)
				    : NULL;
}

void rendezvous_complete(struct measure_match *match, size_t half, const struct measure_point *point)
{
	struct answered_send *send = NULL;

	if (half != SIZE_MAX)
		send = find_send(&match->rendezvous, match->messages.halves[half].mark);
	if (!send)
		return;
	send->over = *point;
	send->is_over = true;
}

void rendezvous_end_process(struct measure_match *match)
{
	measure_map_clear(&match->rendezvous.posted_ids);
	match->rendezvous.nr_posted = 0;
}

/* ---------------------------------------------------------------------- matching --- */

void rendezvous_join(struct rendezvous *rendezvous, const struct rendezvous *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr_sends; i++) {
		rendezvous->sends = measure_grow(rendezvous->sends, rendezvous->nr_sends,
			&rendezvous->room_sends, sizeof(*rendezvous->sends));
		rendezvous->sends[rendezvous->nr_sends] = others->sends[i];
		rendezvous->sends[rendezvous->nr_sends++].mark += base;
	}
	for (size_t i = 0; i < others->nr_receives; i++) {
		rendezvous->receives = measure_grow(rendezvous->receives, rendezvous->nr_receives,
			&rendezvous->room_receives, sizeof(*rendezvous->receives));
		rendezvous->receives[rendezvous->nr_receives] = others->receives[i];
		rendezvous->receives[rendezvous->nr_receives++].mark += base;
	}
}

static void hand_out(struct measure_match *match, enum measure_relation relation,
	const struct message_place *place, const struct measure_point *send,
	const struct measure_point *receive)
{
	instance_add_send(match, send);
	instance_add_receive(match, receive);
	instance_hand_out(match, relation, place->comm, place->tag, place->ordinal);
}

/* The mark of the message's send belongs to the message. */
static struct measure_point sent_at(const struct measure_match *match, uint32_t mark)
{
	struct measure_point point = point_of_mark(match, mark, 0);

	point.mark = 0;
	return point;
}

void rendezvous_pair(struct measure_match *match, const struct message_place *place,
	uint32_t send, uint32_t receive)
{
	const struct rendezvous *rendezvous = &match->rendezvous;
	const struct measure_point sent = sent_at(match, send);
	const struct answered_send *answered = find_send(rendezvous, send);
	const struct answering_receive *answering = NULL;

	if (rendezvous->nr_receives)
		answering = bsearch(&receive, rendezvous->receives, rendezvous->nr_receives,
			sizeof(*rendezvous->receives), compare_marks);
	if (!answering)
		return;
	if (answering->is_probed)
		hand_out(match, MEASURE_RELATION_PROBE, place, &sent, &answering->post);
	if (!answered)
		return;
	if (answered->relation == MEASURE_RELATION_READY && answering->is_nonblocking)
		hand_out(match, MEASURE_RELATION_READY, place, &answering->post, &sent);
	else if (answered->relation != MEASURE_RELATION_READY && answered->is_over)
		hand_out(match, (enum measure_relation)answered->relation, place,
			&answering->enter, &answered->over);
}

void rendezvous_free(struct rendezvous *rendezvous)
{
	measure_map_free(&rendezvous->posted_ids);
	free(rendezvous->posted);
	free(rendezvous->sends);
	free(rendezvous->receives);
}
