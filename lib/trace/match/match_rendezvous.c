/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What goes back from a receive to its send, and what is seen of a message before it is received: a
 * synchronous send is over when its receive has begun, a ready send begins when that has been
 * posted, and a matched probe sees a message that has been sent. Known by the calls that records
 * lie in; kept only where a trace has such calls. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>
#include <string.h>

/* Of answering_receive.records. */
#define MOST_RECORDS ((UINT32_C(1) << 30) - 1)

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
		{"MPI_Sendrecv", REGION_SEND_RECEIVE},
		{"MPI_Sendrecv_replace", REGION_SEND_RECEIVE},
		{"MPI_Isendrecv", REGION_SEND_RECEIVE},
		{"MPI_Isendrecv_replace", REGION_SEND_RECEIVE},
		{"MPI_Start", REGION_SEND_RECEIVE},
		{"MPI_Startall", REGION_SEND_RECEIVE},
		{"MPI_Request_free", REGION_REQUEST_FREE},
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
	case REGION_SEND_RECEIVE:
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
	case REGION_SEND_RECEIVE:
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
	match->rendezvous.call = (struct message_call){kind, event->raw, event->position};
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

/* --------------------------------------------------------------------- a process --- */

void rendezvous_add_send(struct rendezvous *rendezvous, const struct answered_send *send)
{
	*measure_append(rendezvous, sends) = *send;
}

void rendezvous_add_receive(struct rendezvous *rendezvous, const struct answering_receive *receive)
{
	*measure_append(rendezvous, receives) = *receive;
	rendezvous->has_posted |= receive->has_marks;
}

static size_t add_send(struct measure_match *match, size_t half, const struct message_call *call)
{
	struct rendezvous *rendezvous = &match->rendezvous;
	const struct message_half *send = &match->messages.halves[half];
	enum measure_relation relation = relation_of(match, call->kind, send->length);

	if (relation == MEASURE_RELATION_NONE)
		return SIZE_MAX;
	rendezvous_add_send(rendezvous,
		&(struct answered_send){.mark = send->mark, .relation = (uint8_t)relation});
	return rendezvous->nr_sends - 1;
}

/* Nobody asks where it was posted, and its call was entered not long before. */
static bool is_near(const struct measure_match *match, const struct message_half *half,
	const struct message_call *call, const struct measure_point *post)
{
	const struct measure_sync_point *receive = measure_mark_at(&match->marks, half->mark);

	return call->kind != REGION_MATCHED_PROBE &&
	       !(half->is_nonblocking && match->selection.is_on[MEASURE_RELATION_READY]) &&
	       post->location == receive->location && call->raw <= receive->raw &&
	       receive->raw - call->raw <= UINT32_MAX && call->position <= receive->position &&
	       receive->position - call->position <= MOST_RECORDS;
}

void rendezvous_receive(struct measure_match *match, size_t half, const struct message_call *call,
	const struct measure_point *post)
{
	struct answering_receive receive = {.is_probed = call->kind == REGION_MATCHED_PROBE};
	const struct message_half *added;
	const struct measure_sync_point *mark;

	if (half == SIZE_MAX || call->kind == REGION_PLAIN)
		return;
	added = &match->messages.halves[half];
	mark = measure_mark_at(&match->marks, added->mark);
	receive.mark = added->mark;
	if (is_near(match, added, call, post)) {
		receive.records = (uint32_t)(mark->position - call->position);
		receive.ticks = (uint32_t)(mark->raw - call->raw);
	} else {
		receive.has_marks = true;
		receive.ticks = measure_sync_points_add(
			&match->marks, call->raw, call->position, post->location);
		mark_of(match, post);
	}
	rendezvous_add_receive(&match->rendezvous, &receive);
}

void rendezvous_send(struct measure_match *match, size_t half, const struct message_call *call)
{
	if (half != SIZE_MAX)
		add_send(match, half, call);
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
		rendezvous_receive(match, half, &rendezvous->call, point);
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

void rendezvous_complete(
	struct measure_match *match, size_t half, const struct measure_point *point)
{
	struct answered_send *send = NULL;

	if (half != SIZE_MAX)
		send = find_send(&match->rendezvous, match->messages.halves[half].mark);
	if (!send)
		return;
	send->over = *point;
	send->is_over = true;
}

/* ---------------------------------------------------------------------- matching --- */

void rendezvous_join(struct rendezvous *rendezvous, const struct rendezvous *others, uint32_t base)
{
	for (size_t i = 0; i < others->nr_sends; i++) {
		struct answered_send send = others->sends[i];

		send.mark += base;
		rendezvous_add_send(rendezvous, &send);
	}
	for (size_t i = 0; i < others->nr_receives; i++) {
		struct answering_receive receive = others->receives[i];

		receive.mark += base;
		receive.ticks += receive.has_marks ? base : 0;
		rendezvous_add_receive(rendezvous, &receive);
	}
}

static void hand_out(struct measure_match *match, enum measure_relation relation,
	const struct message_place *place, const struct measure_point *send,
	const struct measure_point *receive)
{
	instance_add_send(match, send);
	instance_add_receive(match, receive);
	match->length = place->length;
	instance_hand_out(match, relation, place->comm, place->tag, place->ordinal);
}

/* The mark of the message's send belongs to the message. */
static struct measure_point sent_at(const struct measure_match *match, uint32_t mark)
{
	struct measure_point point = point_of_mark(match, mark, 0);

	point.mark = 0;
	return point;
}

static struct measure_point entered_at(
	const struct measure_match *match, const struct answering_receive *receive)
{
	struct measure_sync_point mark = *measure_mark_at(&match->marks, receive->mark);

	if (receive->has_marks)
		return point_of_mark(match, receive->ticks, 0);
	mark.raw -= receive->ticks;
	mark.position -= receive->records;
	return (struct measure_point){
		.time = measure_event_time(match->trace, mark.location, mark.raw, mark.position),
		.raw = mark.raw,
		.position = mark.position,
		.location = mark.location};
}

const struct answered_send *rendezvous_send_of(const struct measure_match *match, uint32_t mark)
{
	return find_send(&match->rendezvous, mark);
}

const struct answering_receive *rendezvous_receive_of(
	const struct measure_match *match, uint32_t mark)
{
	const struct rendezvous *rendezvous = &match->rendezvous;

	return rendezvous->nr_receives
		       ? bsearch(&mark, rendezvous->receives, rendezvous->nr_receives,
				 sizeof(*rendezvous->receives), compare_marks)
		       : NULL;
}

/* Of a receive that has marks, as all have that may be asked for where they were posted. */
static void hand_out_posted(struct measure_match *match, const struct message_place *place,
	const struct answering_receive *receive, const struct measure_point *sent, bool is_ready)
{
	const struct measure_point post = point_of_mark(match, receive->ticks + 1, 0);

	if (receive->is_probed)
		hand_out(match, MEASURE_RELATION_PROBE, place, sent, &post);
	if (is_ready && measure_mark_at(&match->marks, receive->mark)->is_nonblocking)
		hand_out(match, MEASURE_RELATION_READY, place, &post, sent);
}

/* Where a mark is, or would be: messages of a lane come in order of marks, so that the search goes
 * on where the last one ended, with steps that double. Items begin with their marks. */
static size_t find_from(size_t hint, uint32_t mark, const void *items, size_t nr, size_t size)
{
	const char *first = items;
	size_t low = 0, high = nr, step = 1;

#define MARK_AT(index) (*(const uint32_t *)(first + (index)*size))
	if (hint < nr && MARK_AT(hint) <= mark) {
		low = hint;
		for (; low + step < nr && MARK_AT(low + step) <= mark; step *= 2)
			low += step;
		high = low + step < nr ? low + step : nr;
	}
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (MARK_AT(middle) <= mark)
			low = middle;
		else
			high = middle;
	}
	return low;
#undef MARK_AT
}

static const struct answered_send *next_send(struct rendezvous *rendezvous, uint32_t mark)
{
	size_t *hint = &rendezvous->last_send;

	*hint = find_from(
		*hint, mark, rendezvous->sends, rendezvous->nr_sends, sizeof(*rendezvous->sends));
	return *hint < rendezvous->nr_sends && rendezvous->sends[*hint].mark == mark
		       ? &rendezvous->sends[*hint]
		       : NULL;
}

static const struct answering_receive *next_receive(struct rendezvous *rendezvous, uint32_t mark)
{
	size_t *hint = &rendezvous->last_receive;

	*hint = find_from(*hint, mark, rendezvous->receives, rendezvous->nr_receives,
		sizeof(*rendezvous->receives));
	return *hint < rendezvous->nr_receives && rendezvous->receives[*hint].mark == mark
		       ? &rendezvous->receives[*hint]
		       : NULL;
}

bool rendezvous_has_answers(const struct rendezvous *rendezvous)
{
	return rendezvous->nr_sends > 0 || rendezvous->has_posted;
}

void rendezvous_pair(struct measure_match *match, const struct message_place *place, uint32_t send,
	uint32_t receive)
{
	const struct measure_point sent = sent_at(match, send);
	const struct answered_send *answered = next_send(&match->rendezvous, send);
	const struct answering_receive *answering = next_receive(&match->rendezvous, receive);
	const bool is_ready = answered && answered->relation == MEASURE_RELATION_READY;
	struct measure_point enter;

	if (!answering)
		return;
	if (answering->has_marks)
		hand_out_posted(match, place, answering, &sent, is_ready);
	if (!answered || is_ready || !answered->is_over)
		return;
	enter = entered_at(match, answering);
	hand_out(match, (enum measure_relation)answered->relation, place, &enter, &answered->over);
}

void rendezvous_free(struct rendezvous *rendezvous)
{
	measure_free(rendezvous->sends);
	measure_free(rendezvous->receives);
}
