/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of one process: what was started, what completes it. A request may be completed
 * by another thread than the one that started it; where several locations of a process have
 * such events, they are sorted by time first. So are those of one-sided operations and of files,
 * which are matched in match_rma.c and match_io.c. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

/* A few MiB. */
#define DELAYED_PER_SHRINK 65536

static struct request *request_start(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, enum request_kind kind)
{
	struct requests *requests = &match->requests;
	const uint32_t next = requests->first_free == MEASURE_NONE ? (uint32_t)requests->nr_slots
								   : requests->first_free;
	const uint32_t slot =
		measure_map_intern(&requests->live, measure_key_of(event->number), next);

	if (slot != next) {
		measure_report(match->findings, MEASURE_CHECK_REQUEST_DUPLICATE, place_of(point),
			"request %llu is started again by %s before it is complete",
			(unsigned long long)event->number, measure_event_names[event->kind]);
	} else if (slot == requests->first_free) {
		requests->first_free = requests->slots[slot].next_free;
	} else {
		(void)measure_append(requests, slots);
	}
	requests->slots[slot] = (struct request){.kind = kind,
		.next_free = MEASURE_NONE,
		.send = SIZE_MAX,
		.id = event->number,
		.start = *point};
	return &requests->slots[slot];
}

/* The live request of an event; reports where there is none of that kind. */
static struct request *request_find(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, enum request_kind kind)
{
	struct requests *requests = &match->requests;
	uint32_t slot = measure_map_get(&requests->live, measure_key_of(event->number));

	if (slot != MEASURE_NONE && (kind == REQUEST_NONE || requests->slots[slot].kind == kind))
		return &requests->slots[slot];
	measure_report(match->findings, MEASURE_CHECK_REQUEST_UNKNOWN, place_of(point),
		"%s of request %llu, which is not open", measure_event_names[event->kind],
		(unsigned long long)event->number);
	return NULL;
}

static void request_end(struct requests *requests, struct request *request)
{
	measure_map_remove(&requests->live, measure_key_of(request->id));
	request->kind = REQUEST_NONE;
	request->next_free = requests->first_free;
	requests->first_free = request - requests->slots;
}

static void cancel(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point)
{
	struct request *request = request_find(match, event, point, REQUEST_NONE);

	if (!request)
		return;
	if (request->kind == REQUEST_SEND)
		messages_cancel(match, request->send);
	else if (request->kind == REQUEST_COLLECTIVE)
		match->processes[match->process].has_refused_collective = true;
	request_end(&match->requests, request);
}

static void complete_receive(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const struct request *request)
{
	const struct measure_point *start = request ? &request->start : point;
	const size_t receive = messages_add(match, event, point, start, false, true);

	if (request)
		rendezvous_receive(match, receive, &request->call, start);
}

/* A send that is freed need not have been received. */
static void complete_send(struct measure_match *match, const struct measure_point *point,
	const struct request *request, const struct message_call *call)
{
	if (request && call->kind != REGION_REQUEST_FREE)
		rendezvous_complete(match, request->send, point);
}

static void requests_complete(struct measure_match *match, const struct measure_event *event,
	const struct measure_point *point, const struct message_call *call, enum request_kind kind)
{
	struct request *request = request_find(match, event, point, kind);

	if (kind == REQUEST_RECEIVE)
		complete_receive(match, event, point, request);
	else if (kind == REQUEST_SEND)
		complete_send(match, point, request, call);
	else if (kind == REQUEST_COLLECTIVE && request)
		collectives_add(match, event, &request->start, point, true);
	if (request)
		request_end(&match->requests, request);
}

/* Rows of otf2_records.def stand together by what they are about: windows, then files. */
_Static_assert((int)MEASURE_EVENT_RMA_OP_COMPLETE_REMOTE < (int)MEASURE_EVENT_IO_CREATE_HANDLE,
	"order of otf2_records.def");

static void handle(struct measure_match *match, const struct measure_event *event,
	uint32_t location, const struct message_call *call)
{
	struct measure_point point = {.time = event->time,
		.raw = event->raw,
		.position = event->position,
		.location = location};
	size_t send;

	switch (event->kind) {
	case MEASURE_EVENT_MPI_ISEND:
		send = messages_add(match, event, &point, &point, true, true);
		request_start(match, event, &point, REQUEST_SEND)->send = send;
		rendezvous_send(match, send, call);
		break;
	case MEASURE_EVENT_MPI_IRECV_REQUEST:
		request_start(match, event, &point, REQUEST_RECEIVE)->call = *call;
		break;
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_REQUEST:
		request_start(match, event, &point, REQUEST_COLLECTIVE);
		break;
	case MEASURE_EVENT_MPI_ISEND_COMPLETE:
		requests_complete(match, event, &point, call, REQUEST_SEND);
		break;
	case MEASURE_EVENT_MPI_IRECV:
		requests_complete(match, event, &point, call, REQUEST_RECEIVE);
		break;
	case MEASURE_EVENT_NON_BLOCKING_COLLECTIVE_COMPLETE:
		requests_complete(match, event, &point, call, REQUEST_COLLECTIVE);
		break;
	case MEASURE_EVENT_MPI_REQUEST_TEST:
		request_find(match, event, &point, REQUEST_NONE);
		break;
	case MEASURE_EVENT_MPI_REQUEST_CANCELLED:
		cancel(match, event, &point);
		break;
	default:
		if (event->kind >= MEASURE_EVENT_IO_CREATE_HANDLE)
			io_event(match, event, &point);
		else
			rma_event(match, event, &point);
		break;
	}
}

static bool is_asked_for_call(const struct measure_event *event, const struct message_call *call)
{
	if (event->kind == MEASURE_EVENT_MPI_ISEND_COMPLETE)
		return call->kind == REGION_REQUEST_FREE;
	return event->kind == MEASURE_EVENT_MPI_ISEND ||
	       event->kind == MEASURE_EVENT_MPI_IRECV_REQUEST;
}

/* The index of the call that the event lies in: of what starts a request, or frees it. */
static uint32_t keep_call(struct measure_match *match, const struct measure_event *event)
{
	struct requests *requests = &match->requests;
	const struct message_call *call = &match->rendezvous.call;

	if (call->kind == REGION_PLAIN || !is_asked_for_call(event, call))
		return MEASURE_NONE;
	*measure_append(requests, calls) = *call;
	return (uint32_t)requests->nr_calls - 1;
}

/* A process with one location needs no waiting. */
void requests_event(struct measure_match *match, const struct measure_event *event)
{
	struct requests *requests = &match->requests;

	if (match->definitions->location_groups[match->process].nr_locations == 1) {
		handle(match, event, match->location, &match->rendezvous.call);
		return;
	}
	if (requests->nr_delayed && requests->delayed[0].location != match->location)
		requests->has_many_locations = true;
	*measure_append(requests, delayed) =
		(struct delayed_event){*event, match->location, keep_call(match, event)};
}

/* The last one first, as they are taken from the end. */
static int compare_delayed(const void *left, const void *right)
{
	const struct delayed_event *b = left, *a = right;

	if (a->event.time != b->event.time)
		return a->event.time < b->event.time ? -1 : 1;
	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	return a->event.position < b->event.position ? -1 : 1;
}

static void reverse_delayed(struct requests *requests)
{
	for (size_t i = 0, k = requests->nr_delayed; i + 1 < k; i++) {
		const struct delayed_event first = requests->delayed[i];

		requests->delayed[i] = requests->delayed[--k];
		requests->delayed[k] = first;
	}
}

/* What they become takes the memory that they gave back. */
static void handle_delayed(struct measure_match *match)
{
	static const struct message_call none = {.kind = REGION_PLAIN};
	struct requests *requests = &match->requests;

	if (requests->has_many_locations)
		qsort(requests->delayed, requests->nr_delayed, sizeof(*requests->delayed),
			compare_delayed);
	else
		reverse_delayed(requests);
	while (requests->nr_delayed > 0) {
		const struct delayed_event *last = &requests->delayed[requests->nr_delayed - 1];

		handle(match, &last->event, last->location,
			last->call == MEASURE_NONE ? &none : &requests->calls[last->call]);
		if (--requests->nr_delayed % DELAYED_PER_SHRINK == 0)
			requests->delayed = measure_shrink(requests->delayed, requests->nr_delayed,
				&requests->room_delayed, sizeof(*requests->delayed));
	}
	measure_free(requests->calls);
	requests->calls = NULL;
	requests->nr_calls = requests->room_calls = 0;
}

static const char *const request_words[] = {"", "send", "receive", "collective"};

void requests_end_process(struct measure_match *match)
{
	struct requests *requests = &match->requests;

	handle_delayed(match);
	for (size_t i = 0; i < requests->nr_slots; i++) {
		struct request *request = &requests->slots[i];

		if (request->kind != REQUEST_NONE)
			measure_report_excused(match->findings, MEASURE_CHECK_REQUEST_OPEN,
				measure_match_is_cut(match, match->process),
				place_of(&request->start), "%s request %llu is never completed",
				request_words[request->kind], (unsigned long long)request->id);
	}
	measure_map_clear(&requests->live);
	requests->nr_slots = 0;
	requests->first_free = MEASURE_NONE;
	requests->has_many_locations = false;
}

void requests_free(struct requests *requests)
{
	measure_map_free(&requests->live);
	measure_free(requests->slots);
	measure_free(requests->delayed);
	measure_free(requests->calls);
}
