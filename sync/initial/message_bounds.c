/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of the messages from one clock to another only the fastest of each part of the run counts: the
 * others tell less. Large exchanges are looked at along a ring and a star, not pair by pair. Clocks
 * have the numbers of their first locations. */
#include "config.h"

#include "message_bounds.h"

#include <math.h>
#include <stdlib.h>

#include "sync/graph/location_clocks.h"
#include "estimate.h"
#include "trace/common/containers.h"

/* Parts of a run. */
#define NR_PARTS 64

/* Both ways there must be messages in so many of them, and in one for so many of the other way. */
#define LEAST_PARTS  4
#define MOST_ONE_WAY 2

struct collecting {
	const struct measure_sync_graph *graph;
	struct measure_map ids; /* (sender, receiver), part -> message */
	struct measure_estimate_message *messages;
	size_t nr, room;
};

static uint64_t part_of(const struct measure_sync_span *span, uint64_t raw)
{
	const double length = (double)(span->last - span->first) + 1;

	return (uint64_t)((double)(raw - span->first) / length * NR_PARTS);
}

static int64_t time_taken(const struct measure_estimate_message *message)
{
	return (int64_t)(message->received - message->sent - message->least);
}

static bool is_better(
	const struct measure_estimate_message *a, const struct measure_estimate_message *b)
{
	if (time_taken(a) != time_taken(b))
		return time_taken(a) < time_taken(b);
	return a->sent < b->sent;
}

/* Who works on the receive counts it. */
static void add_message(struct collecting *collecting, const struct measure_sync_record *send,
	const struct measure_sync_record *receive)
{
	const struct measure_sync_graph *graph = collecting->graph;
	const uint32_t from = graph->domains[send->location];
	const struct measure_estimate_message message = {.sender = graph->of[from].a_location,
		.receiver = graph->of[graph->domains[receive->location]].a_location,
		.sent = (uint64_t)measure_sync_value(graph, send),
		.received = (uint64_t)measure_sync_value(graph, receive),
		.least = (uint64_t)measure_sync_latency(
			graph, &graph->latencies, send->location, receive->location)};
	uint32_t index;

	if (!measure_sync_is_mine(graph, receive->location) || message.sender == message.receiver ||
		collecting->nr == MEASURE_NONE)
		return;
	index = measure_map_intern(&collecting->ids,
		measure_key_pair((uint64_t)message.sender << 32 | message.receiver,
			part_of(&graph->of[from].span, message.sent)),
		(uint32_t)collecting->nr);
	if (index == collecting->nr) {
		collecting->messages = measure_grow(collecting->messages, collecting->nr,
			&collecting->room, sizeof(*collecting->messages));
		collecting->messages[collecting->nr++] = message;
	} else if (is_better(&message, &collecting->messages[index])) {
		collecting->messages[index] = message;
	}
}

/* All to the first receive; to the others the first and the last one, and those beside it. */
static void add_instance(
	struct collecting *collecting, const struct measure_sync_instance *instance)
{
	const struct measure_sync_graph *graph = collecting->graph;
	const struct measure_sync_record *records = graph->records;
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);

	if (instance->is_inner)
		return;
	for (uint32_t r = 0; r < instance->nr_receives; r++) {
		const uint32_t nr = measure_sync_nr_awaited(graph, instance, r);
		const uint32_t chosen[] = {0, nr - 1, r - 1, r + 1};

		for (uint32_t s = 0; s < nr && r == 0; s++)
			add_message(collecting, &records[sends[s]], &records[receives[r]]);
		for (size_t i = 0; i < sizeof(chosen) / sizeof(*chosen) && r > 0; i++)
			if (chosen[i] < nr)
				add_message(collecting, &records[sends[chosen[i]]],
					&records[receives[r]]);
	}
}

static void add_all(struct collecting *collecting)
{
	const struct measure_sync_graph *graph = collecting->graph;

	for (size_t i = 0; i < graph->nr_records; i++) {
		const struct measure_sync_record *record = &graph->records[i];

		if (record->is_pair && record->is_send &&
			record->nearness > MEASURE_SYNC_SAME_DOMAIN)
			add_message(collecting, record, &graph->records[record->link]);
	}
	for (size_t i = 0; i < graph->nr_instances; i++)
		add_instance(collecting, &graph->instances[i]);
}

/* Collective: all ranks get those of all. */
static void gather(struct collecting *collecting)
{
	const struct measure_sync_job *job = collecting->graph->job;
	struct measure_sync_job_part *out = measure_zeroed(job->size, sizeof(*out));
	struct measure_sync_job_part *in = measure_zeroed(job->size, sizeof(*in));

	for (uint32_t r = 0; r < job->size; r++)
		if (r != job->rank)
			out[r] = (struct measure_sync_job_part){collecting->messages,
				collecting->nr * sizeof(*collecting->messages)};
	measure_sync_job_swap(job, out, in);
	for (uint32_t r = 0; r < job->size; r++) {
		const struct measure_estimate_message *messages = in[r].data;

		for (size_t i = 0; i < in[r].size / sizeof(*messages); i++) {
			collecting->messages = measure_grow(collecting->messages, collecting->nr,
				&collecting->room, sizeof(*collecting->messages));
			collecting->messages[collecting->nr++] = messages[i];
		}
		measure_free(in[r].data);
	}
	measure_free(in);
	measure_free(out);
}

/* Parts in which there are messages between two clocks, each way. */
struct way {
	uint32_t nr_up, nr_down;
};

static uint32_t way_of(
	struct measure_map *ids, const struct measure_estimate_message *message, uint32_t next)
{
	const bool is_up = message->sender < message->receiver;

	return measure_map_intern(ids,
		measure_key_pair(is_up ? message->sender : message->receiver,
			is_up ? message->receiver : message->sender),
		next);
}

static bool is_both_ways(const struct way *way)
{
	return way->nr_up >= LEAST_PARTS && way->nr_down >= LEAST_PARTS &&
	       way->nr_up <= MOST_ONE_WAY * way->nr_down &&
	       way->nr_down <= MOST_ONE_WAY * way->nr_up;
}

/* Clocks between which nearly all goes one way, or that meet at the ends only, are bounded from one
 * side nearly always; what a line has to be in between is open, and wrong ones do harm. */
static void drop_one_way(struct collecting *collecting)
{
	struct way *ways = measure_zeroed(collecting->nr + 1, sizeof(*ways));
	struct measure_map ids = {0};
	uint32_t nr_ways = 0;
	size_t nr = 0;

	for (size_t i = 0; i < collecting->nr; i++) {
		const struct measure_estimate_message *message = &collecting->messages[i];
		struct way *way = &ways[way_of(&ids, message, nr_ways)];

		nr_ways += way == &ways[nr_ways];
		way->nr_up += message->sender < message->receiver;
		way->nr_down += message->sender > message->receiver;
	}
	for (size_t i = 0; i < collecting->nr; i++)
		if (is_both_ways(&ways[way_of(&ids, &collecting->messages[i], 0)]))
			collecting->messages[nr++] = collecting->messages[i];
	collecting->nr = nr;
	measure_map_free(&ids);
	measure_free(ways);
}

static measure_status_t copy_function(
	const struct measure_clock_function *from, int64_t shift, struct measure_clock_function *to)
{
	measure_free(to->items);
	*to = (struct measure_clock_function){
		calloc(from->nr + 1, sizeof(*from->items)), 0, from->nr};
	if (!to->items)
		return MEASURE_ERROR_MEMORY;
	for (; to->nr < from->nr; to->nr++) {
		to->items[to->nr] = from->items[to->nr];
		to->items[to->nr].offset += shift;
	}
	return MEASURE_OK;
}

/* No time may be before tick 0: then all are later by that. */
static int64_t common_shift(const struct measure_estimate *estimates, uint32_t nr)
{
	__int128 earliest = 0;

	for (uint32_t i = 0; i < nr; i++) {
		const struct measure_clock_knot *first = estimates[i].function.items;

		if (measure_clock_knot_corrected(first) < earliest)
			earliest = measure_clock_knot_corrected(first);
	}
	return (int64_t)-earliest;
}

static void sum_up(const struct collecting *collecting, const struct measure_estimate *estimates,
	struct measure_sync_estimated *estimated)
{
	const size_t nr = collecting->graph->trace->definitions.nr_locations;
	bool *are_there = measure_zeroed(nr, sizeof(*are_there));
	double bound = 0;

	for (size_t i = 0; i < collecting->nr; i++) {
		are_there[collecting->messages[i].sender] = true;
		are_there[collecting->messages[i].receiver] = true;
	}
	*estimated = (struct measure_sync_estimated){.nr_clocks = 0};
	for (uint32_t i = 0; i < nr; i++) {
		estimated->nr_clocks += are_there[i];
		estimated->nr_references += are_there[i] && estimates[i].reference == i;
		bound = fmax(bound, estimates[i].bound);
	}
	estimated->is_bound_known = bound < (double)(INT64_C(1) << 62);
	estimated->bound = estimated->is_bound_known ? (int64_t)ceil(bound) : 0;
	measure_free(are_there);
}

measure_status_t measure_sync_messages_estimate(const struct measure_sync_graph *graph,
	struct measure_clock_function *presync, struct measure_sync_estimated *estimated)
{
	struct collecting collecting = {.graph = graph};
	const uint32_t nr = (uint32_t)graph->trace->definitions.nr_locations;
	struct measure_estimate *estimates = measure_zeroed(nr, sizeof(*estimates));
	measure_status_t status;
	uint32_t nr_changed = nr;
	int64_t shift;

	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		const struct measure_sync_domain_records *of = &graph->of[i];
		const bool has_events = of->span.first <= of->span.last;

		estimates[of->a_location].first = has_events ? of->span.first : 0;
		estimates[of->a_location].last = has_events ? of->span.last : 0;
	}
	add_all(&collecting);
	gather(&collecting);
	drop_one_way(&collecting);
	status = measure_estimate_make(collecting.messages, collecting.nr, true, estimates, nr);
	if (status != MEASURE_OK)
		goto free_all;
	sum_up(&collecting, estimates, estimated);
	shift = common_shift(estimates, nr);
	if (estimated->nr_references == estimated->nr_clocks)
		nr_changed = 0;
	for (uint32_t i = 0; i < nr_changed && status == MEASURE_OK; i++)
		status = copy_function(&estimates[graph->of[graph->domains[i]].a_location].function,
			shift, &presync[i]);
	for (uint32_t i = 0; i < nr; i++)
		measure_free(estimates[i].function.items);
free_all:
	measure_map_free(&collecting.ids);
	measure_free(collecting.messages);
	measure_free(estimates);
	return status;
}
