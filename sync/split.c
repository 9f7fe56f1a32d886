/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marks of domains, and taking them apart. What marks a domain does not depend on the order in
 * which things are looked at, so neither does the result on the number of threads. */
#include "config.h"

#include "sync/split.h"

#include <stdlib.h>

#include "sync/clocks.h"
#include "sync/workers.h"
#include "trace/store.h"

/* Instances that one worker takes at a time. */
#define INSTANCES_PER_SHARE 16384

static bool is_marked(const struct measure_sync_split *mark)
{
	return mark->has_offsets || mark->is_in_circle || mark->nr_relations > 0;
}

/* -------------------------------------------------------------------- taking apart --- */

static void find_nodes(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		uint32_t domain = graph->domains[i], first = graph->of[domain].a_location;

		graph->marks[domain].is_node |= graph->processes[i] != graph->processes[first];
	}
}

static void add_splits(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		if (!is_marked(&graph->marks[i]))
			continue;
		graph->splits = measure_grow(graph->splits, graph->nr_splits, &graph->room_splits,
			sizeof(*graph->splits));
		graph->splits[graph->nr_splits] = graph->marks[i];
		graph->splits[graph->nr_splits++].a_location = graph->of[i].a_location;
	}
}

/* The first part of a domain keeps its number. */
static void renumber(struct measure_sync_graph *graph)
{
	size_t nr_locations = graph->trace->definitions.nr_locations;
	bool *are_kept = measure_zeroed(graph->nr_domains, sizeof(*are_kept));
	struct measure_map ids = {0};
	const uint32_t nr = graph->nr_domains;

	for (uint32_t i = 0; i < nr_locations; i++) {
		const uint32_t domain = graph->domains[i];
		const uint32_t next = are_kept[domain] ? graph->nr_domains : domain;
		uint32_t part;

		if (!is_marked(&graph->marks[domain]))
			continue;
		part = measure_map_intern(&ids,
			measure_key_pair(domain,
				graph->marks[domain].is_node ? graph->processes[i] : i),
			next);
		graph->domains[i] = part;
		if (part != next)
			continue;
		graph->of[part].a_location = i;
		are_kept[domain] = true;
		graph->nr_domains += next >= nr;
	}
	measure_map_free(&ids);
	free(are_kept);
}

/* They stay in order. */
static void move_records(struct measure_sync_graph *graph, uint32_t domain)
{
	const struct measure_sync_domain_records from = graph->of[domain];

	graph->of[domain].records = NULL;
	graph->of[domain].nr = graph->of[domain].room = 0;
	for (size_t i = 0; i < from.nr; i++) {
		struct measure_sync_domain_records *to =
			&graph->of[graph->domains[from.records[i].location]];

		to->records = measure_grow(to->records, to->nr, &to->room, sizeof(*to->records));
		to->records[to->nr++] = from.records[i];
	}
	free(from.records);
}

static void find_inner(void *data, size_t index)
{
	struct measure_sync_graph *graph = data;
	size_t from = index * INSTANCES_PER_SHARE, to = from + INSTANCES_PER_SHARE;

	for (size_t i = from; i < to && i < graph->nr_instances; i++)
		graph->instances[i].is_inner = measure_sync_clocks_are_one(graph,
			graph->instances[i].first,
			graph->instances[i].nr_sends + graph->instances[i].nr_receives);
}

/* True where there was something to do. */
static bool split_marked(struct measure_sync_graph *graph, unsigned nr_threads)
{
	const size_t nr_splits = graph->nr_splits;
	const uint32_t nr = graph->nr_domains;

	find_nodes(graph);
	add_splits(graph);
	if (graph->nr_splits > nr_splits) {
		renumber(graph);
		for (uint32_t i = 0; i < nr; i++)
			if (is_marked(&graph->marks[i]))
				move_records(graph, i);
		measure_sync_clocks_span(graph);
		measure_workers_share(nr_threads,
			(graph->nr_instances + INSTANCES_PER_SHARE - 1) / INSTANCES_PER_SHARE,
			find_inner, graph);
	}
	for (uint32_t i = 0; i < nr; i++)
		graph->marks[i] = (struct measure_sync_split){.a_location = 0};
	return graph->nr_splits > nr_splits;
}

/* ------------------------------------------------------------------------ reasons --- */

void measure_sync_split_offsets(struct measure_sync_graph *graph)
{
	do {
		for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
			uint32_t domain = graph->domains[i], first = graph->of[domain].a_location;

			graph->marks[domain].has_offsets |= !measure_offsets_are_same(
				&graph->presync[i], &graph->presync[first]);
		}
	} while (split_marked(graph, 1));
}

/* The latest send of an instance in a domain. */
struct latest {
	size_t instance; /* and one: nothing is of instance 0 */
	int64_t time;
	uint32_t location;
};

struct checking {
	const struct measure_sync_graph *graph;
	_Atomic uint64_t *nr_relations; /* by domain */
};

/* What a location sends itself cannot be mended by having a clock for each. */
static void check_instance(struct checking *checking, struct latest *latest, size_t index)
{
	const struct measure_sync_graph *graph = checking->graph;
	const struct measure_sync_instance *instance = &graph->instances[index];
	uint32_t receive = instance->first + instance->nr_sends;

	for (uint32_t end = instance->first; end < receive; end++) {
		uint32_t location = graph->locations[end];
		struct latest *of = &latest[graph->domains[location]];

		if (of->instance != index + 1 || graph->values[end] > of->time)
			*of = (struct latest){index + 1, graph->values[end], location};
	}
	for (uint32_t end = receive; end < receive + instance->nr_receives; end++) {
		uint32_t location = graph->locations[end], domain = graph->domains[location];
		const struct latest *of = &latest[domain];

		if (of->instance == index + 1 && of->time > graph->values[end] &&
			of->location != location)
			atomic_fetch_add_explicit(
				&checking->nr_relations[domain], 1, memory_order_relaxed);
	}
}

static void check_share(void *data, size_t index)
{
	struct checking *checking = data;
	size_t from = index * INSTANCES_PER_SHARE, to = from + INSTANCES_PER_SHARE;
	struct latest *latest = measure_zeroed(checking->graph->nr_domains, sizeof(*latest));

	for (size_t i = from; i < to && i < checking->graph->nr_instances; i++)
		check_instance(checking, latest, i);
	free(latest);
}

void measure_sync_split_relations(struct measure_sync_graph *graph, unsigned nr_threads)
{
	struct checking checking = {.graph = graph};

	if (graph->nr_domains == graph->trace->definitions.nr_locations)
		return;
	do {
		free(checking.nr_relations);
		checking.nr_relations =
			measure_zeroed(graph->nr_domains, sizeof(*checking.nr_relations));
		measure_workers_share(nr_threads,
			(graph->nr_instances + INSTANCES_PER_SHARE - 1) / INSTANCES_PER_SHARE,
			check_share, &checking);
		for (uint32_t i = 0; i < graph->nr_domains; i++)
			graph->marks[i].nr_relations = checking.nr_relations[i];
	} while (split_marked(graph, nr_threads));
	free(checking.nr_relations);
}

static void forget_replay(struct measure_sync_graph *graph)
{
	for (size_t i = 0; i < graph->nr_instances; i++)
		graph->instances[i].nr_missing = graph->instances[i].nr_sends;
	for (size_t i = 0; i < graph->nr_ends; i++)
		graph->states[i] = MEASURE_SYNC_OPEN;
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		for (size_t k = 0; k < graph->of[i].nr; k++)
			graph->of[i].records[k].is_jump = 0;
}

void measure_sync_split_circles(struct measure_sync_graph *graph, unsigned nr_threads)
{
	split_marked(graph, nr_threads);
	forget_replay(graph);
}
