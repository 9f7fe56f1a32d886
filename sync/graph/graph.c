/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collecting: marks and what ties them, as the matcher hands it out. */
#include "config.h"

#include "graph.h"

#include <stdlib.h>
#include <string.h>

#include "location_clocks.h"
#include "sync/parallel/partition.h"
#include "split.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Messages that one worker ties at a time. */
#define PAIRS_PER_SHARE 65536

void measure_sync_graph_start(struct measure_sync_graph *graph, struct measure_trace *trace,
	const struct measure_clock_function *presync, enum measure_sync_domain domain,
	const struct measure_sync_latencies *latencies, const struct measure_sync_job *job)
{
	size_t nr = trace->definitions.nr_locations;

	*graph = (struct measure_sync_graph){
		.trace = trace, .presync = presync, .latencies = *latencies, .job = job};
	graph->domains = measure_zeroed(nr, sizeof(*graph->domains));
	graph->processes = measure_zeroed(nr, sizeof(*graph->processes));
	graph->hosts = measure_zeroed(nr, sizeof(*graph->hosts));
	graph->spans = measure_zeroed(nr, sizeof(*graph->spans));
	graph->of = measure_zeroed(nr, sizeof(*graph->of));
	graph->marks = measure_zeroed(nr, sizeof(*graph->marks));
	measure_sync_clocks_sort(graph, domain);
	measure_sync_remote_start(graph);
	measure_sync_split_offsets(graph);
	graph->ranks = measure_partition_make(trace, graph->domains, job->size);
	for (size_t i = 0; i < nr; i++)
		graph->spans[i].first = UINT64_MAX;
	measure_sync_part_start(&graph->whole, graph, &graph->own_marks);
}

void measure_sync_graph_free(struct measure_sync_graph *graph)
{
	measure_sync_remote_free(graph);
	measure_sync_part_free(&graph->whole);
	measure_sync_points_free(&graph->own_marks);
	measure_free(graph->lanes);
	measure_free(graph->of);
	measure_free(graph->domains);
	measure_free(graph->processes);
	measure_free(graph->hosts);
	measure_free(graph->ranks);
	measure_free(graph->spans);
	measure_free(graph->marks);
	measure_free(graph->splits);
	measure_free(graph->instances);
	measure_free(graph->ends);
	measure_free(graph->records);
	measure_free(graph->values);
	measure_free(graph->states);
	*graph = (struct measure_sync_graph){0};
}

void measure_sync_graph_event(struct measure_sync_graph *graph, uint32_t location, uint64_t raw)
{
	struct measure_sync_span *span = &graph->spans[location];

	if (raw < span->first)
		span->first = raw;
	if (raw > span->last)
		span->last = raw;
}

/* -------------------------------------------------------------------------- parts --- */

void measure_sync_part_start(struct measure_sync_part *part, struct measure_sync_graph *graph,
	struct measure_sync_points *marks)
{
	*part = (struct measure_sync_part){.graph = graph, .marks = marks};
}

void measure_sync_part_free(struct measure_sync_part *part)
{
	measure_free(part->instances);
	measure_free(part->ends);
	measure_free(part->processes);
	measure_free(part->sorted);
	*part = (struct measure_sync_part){0};
}

void measure_sync_part_end_process(struct measure_sync_part *part)
{
	const size_t nr = part->nr_processes;

	part->processes =
		measure_grow(part->processes, nr, &part->room_processes, sizeof(*part->processes));
	part->processes[nr] = (struct measure_sync_stretch){
		nr > 0 ? part->processes[nr - 1].end : 0, part->marks->end};
	part->nr_processes++;
}

/* The mark of a side. One event may be a side of several: then it gets another one for each. */
static uint32_t mark_of(struct measure_sync_part *part, const struct measure_point *point)
{
	if (point->mark && measure_mark_at(part->marks, point->mark - 1)->link == MEASURE_NONE)
		return point->mark - 1;
	return measure_sync_points_add(part->marks, point->raw, point->position, point->location);
}

static void tie_pair(struct measure_sync_points *marks, uint32_t send, uint32_t receive,
	enum measure_relation relation)
{
	struct measure_sync_point *from = measure_mark_at(marks, send);
	struct measure_sync_point *to = measure_mark_at(marks, receive);

	from->link = receive;
	to->link = send;
	from->is_send = true;
	from->is_pair = to->is_pair = true;
	from->relation = to->relation = relation;
}

static void add_end(struct measure_sync_part *part, uint32_t end)
{
	measure_sync_points_check(part->marks, part->nr_ends);
	*measure_append(part, ends) = end;
}

static void add_side(
	struct measure_sync_part *part, const struct measure_point *point, bool is_send)
{
	uint32_t number = mark_of(part, point);
	struct measure_sync_point *mark = measure_mark_at(part->marks, number);

	mark->is_send = is_send;
	mark->link = (uint32_t)part->nr_instances;
	add_end(part, number);
}

/* Adds the sides of an instance, with `nr_awaited` behind them for a prefix. */
static struct measure_sync_instance *add_instance(struct measure_sync_part *part,
	enum measure_relation relation, const struct measure_point *sends, size_t nr_sends,
	const struct measure_point *receives, size_t nr_receives)
{
	const uint32_t *domains = part->graph->domains;
	const uint32_t domain = domains[sends[0].location];
	struct measure_sync_instance *instance;
	bool is_inner = true;
	size_t first = part->nr_ends;

	for (size_t i = 0; i < nr_sends; i++) {
		add_side(part, &sends[i], true);
		is_inner &= domains[sends[i].location] == domain;
	}
	for (size_t i = 0; i < nr_receives; i++) {
		add_side(part, &receives[i], false);
		is_inner &= domains[receives[i].location] == domain;
	}
	instance = measure_append(part, instances);
	measure_sync_remote_note(part->graph, part->marks, part->ends + first, nr_sends,
		nr_receives, measure_relations[relation].pattern == MEASURE_PATTERN_PREFIX);
	*instance = (struct measure_sync_instance){.first = (uint32_t)first,
		.nr_sends = (uint32_t)nr_sends,
		.nr_receives = (uint32_t)nr_receives,
		.nr_missing = (uint32_t)nr_sends,
		.relation = relation,
		.is_inner = is_inner};
	return instance;
}

static int compare_ranks(const void *left, const void *right)
{
	const struct measure_point *a = left, *b = right;

	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* In order of their ranks; receives without a lower send and sends without a higher receive have
 * nothing to do with it. */
static void add_prefix(struct measure_sync_part *part, const struct measure_instance *instance)
{
	size_t nr_sends = instance->nr_sends, nr_receives = instance->nr_receives, lower = 0;
	struct measure_point *sends, *receives;

	if (part->room_sorted < nr_sends + nr_receives) {
		measure_free(part->sorted);
		part->room_sorted = nr_sends + nr_receives;
		part->sorted = measure_uncleared(part->room_sorted, sizeof(*part->sorted));
	}
	sends = part->sorted;
	receives = sends + nr_sends;
	memcpy(sends, instance->sends, nr_sends * sizeof(*sends));
	memcpy(receives, instance->receives, nr_receives * sizeof(*receives));
	qsort(sends, nr_sends, sizeof(*sends), compare_ranks);
	qsort(receives, nr_receives, sizeof(*receives), compare_ranks);
	for (; nr_receives > 0 && receives->rank <= sends->rank; nr_receives--)
		receives++;
	for (; nr_receives > 0 && sends[nr_sends - 1].rank >= receives[nr_receives - 1].rank;)
		nr_sends--;
	if (nr_receives == 0)
		return;
	add_instance(part, instance->relation, sends, nr_sends, receives, nr_receives)->is_prefix =
		true;
	for (size_t i = 0; i < nr_receives; i++) {
		while (lower < nr_sends && sends[lower].rank < receives[i].rank)
			lower++;
		add_end(part, (uint32_t)lower);
	}
}

static void add_pair(struct measure_sync_part *part, const struct measure_instance *instance)
{
	const uint32_t ends[2] = {
		mark_of(part, instance->sends), mark_of(part, instance->receives)};

	tie_pair(part->marks, ends[0], ends[1], instance->relation);
	measure_sync_remote_note(part->graph, part->marks, ends, 1, 1, true);
}

void measure_sync_part_instance(void *data, const struct measure_instance *whole)
{
	struct measure_sync_part *part = data;
	struct measure_instance reduced;

	if (!measure_sync_remote_reduce(part->graph, whole, &reduced))
		return;
	if (measure_relations[reduced.relation].pattern == MEASURE_PATTERN_PREFIX)
		add_prefix(part, &reduced);
	else if (reduced.nr_sends == 1 && reduced.nr_receives == 1)
		add_pair(part, &reduced);
	else
		add_instance(part, reduced.relation, reduced.sends, reduced.nr_sends,
			reduced.receives, reduced.nr_receives);
}

/* ------------------------------------------------------------------------ joining --- */

static void move_instance(struct measure_sync_part *whole, const struct measure_sync_part *part,
	size_t index, uint32_t base)
{
	const struct measure_sync_instance *from = &part->instances[index];
	const uint32_t *ends = part->ends + from->first;
	const uint32_t nr = from->nr_sends + from->nr_receives;
	struct measure_sync_instance *to;

	whole->instances = measure_grow(whole->instances, whole->nr_instances,
		&whole->room_instances, sizeof(*whole->instances));
	to = &whole->instances[whole->nr_instances];
	memcpy(to, from, sizeof(*to));
	to->first = (uint32_t)whole->nr_ends;
	for (uint32_t i = 0; i < nr; i++) {
		add_end(whole, ends[i] + base);
		measure_mark_at(whole->marks, ends[i] + base)->link = (uint32_t)whole->nr_instances;
	}
	for (uint32_t i = nr; from->is_prefix && i < nr + from->nr_receives; i++)
		add_end(whole, ends[i]);
	whole->nr_instances++;
}

/* Pairs inside it name marks of the part. */
static void move_process(
	struct measure_sync_part *whole, struct measure_sync_stretch process, uint32_t base)
{
	process.first += base;
	process.end += base;
	for (size_t i = process.first; base > 0 && i < process.end; i++) {
		struct measure_sync_point *mark = measure_mark_at(whole->marks, i);

		if (mark->is_pair)
			mark->link += base;
	}
	*measure_append(whole, processes) = process;
}

void measure_sync_graph_join(
	struct measure_sync_graph *graph, struct measure_sync_part *part, uint32_t base)
{
	struct measure_sync_part *whole = &graph->whole;

	for (size_t i = 0; i < part->nr_processes; i++)
		move_process(whole, part->processes[i], base);
	for (size_t i = 0; i < part->nr_instances; i++)
		move_instance(whole, part, i, base);
	graph->first_late = whole->marks->end;
	measure_sync_part_free(part);
}

/* In shares, as lanes are long and short. */
void measure_sync_graph_pairs(void *data, const struct measure_pairs *pairs)
{
	struct measure_sync_part *whole = data;
	struct measure_sync_graph *graph = whole->graph;

	measure_sync_remote_note_pairs(graph, whole->marks, pairs);
	for (size_t first = 0; first < pairs->nr; first += PAIRS_PER_SHARE) {
		const size_t nr = pairs->nr - first;
		struct measure_pairs share = *pairs;

		share.nr = nr < PAIRS_PER_SHARE ? nr : PAIRS_PER_SHARE;
		share.sends += first;
		share.receives += first;
		*measure_append(graph, lanes) = share;
	}
}

static void tie_lane(void *data, size_t index)
{
	const struct measure_sync_graph *graph = data;
	const struct measure_pairs *lane = &graph->lanes[index];
	struct measure_sync_points *marks = graph->whole.marks;

	for (size_t k = 0; k < lane->nr; k++) {
		const enum measure_relation relation =
			measure_mark_at(marks, lane->sends[k])->is_nonblocking ||
					measure_mark_at(marks, lane->receives[k])->is_nonblocking
				? MEASURE_RELATION_MESSAGE_NONBLOCKING
				: MEASURE_RELATION_MESSAGE;

		if (lane->are_on[relation])
			tie_pair(marks, lane->sends[k], lane->receives[k], relation);
	}
}

void measure_sync_graph_tie(struct measure_sync_graph *graph, unsigned nr_threads)
{
	measure_workers_share(nr_threads, graph->nr_lanes, tie_lane, graph);
	if (graph->whole.marks != &graph->own_marks) {
		graph->own_marks = *graph->whole.marks;
		*graph->whole.marks = (struct measure_sync_points){.archive = graph->trace->anchor};
		graph->whole.marks = &graph->own_marks;
	}
	measure_free(graph->lanes);
	graph->lanes = NULL;
	graph->nr_lanes = graph->room_lanes = 0;
}
