/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marks of domains, and taking them apart. What marks a domain does not depend on the order in
 * which things are looked at, so neither does the result on the number of threads. */
#include "config.h"

#include "split.h"

#include "location_clocks.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Instances, or records, that one worker takes at a time. */
#define PER_SHARE 16384

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
		struct measure_sync_split *split;

		if (!is_marked(&graph->marks[i]))
			continue;
		split = measure_append(graph, splits);
		*split = graph->marks[i];
		split->a_location = graph->of[i].a_location;
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
			measure_key_pair(
				domain, graph->marks[domain].is_node ? graph->processes[i] : i),
			next);
		graph->domains[i] = part;
		if (part != next)
			continue;
		graph->of[part].a_location = i;
		are_kept[domain] = true;
		graph->nr_domains += next >= nr;
	}
	measure_map_free(&ids);
	measure_free(are_kept);
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
		measure_sync_clocks_span(graph);
		measure_sync_graph_rearrange(graph, nr, nr_threads);
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

			graph->marks[domain].has_offsets |= !measure_clock_function_is_same(
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

static void count_relation(struct checking *checking, uint32_t location)
{
	atomic_fetch_add_explicit(&checking->nr_relations[checking->graph->domains[location]], 1,
		memory_order_relaxed);
}

static void take_send(struct checking *checking, struct latest *latest, size_t index, uint32_t send)
{
	const uint32_t location = checking->graph->records[send].location;
	struct latest *of = &latest[checking->graph->domains[location]];

	if (of->instance != index + 1 || checking->graph->values[send] > of->time)
		*of = (struct latest){index + 1, checking->graph->values[send], location};
}

/* What a location sends itself cannot be mended by having a clock for each. */
static void check_instance(struct checking *checking, struct latest *latest, size_t index)
{
	const struct measure_sync_graph *graph = checking->graph;
	const struct measure_sync_instance *instance = &graph->instances[index];
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);
	uint32_t nr_taken = 0;

	for (uint32_t i = 0; i < instance->nr_receives; i++) {
		const uint32_t location = graph->records[receives[i]].location;
		const struct latest *of = &latest[graph->domains[location]];

		for (; nr_taken < measure_sync_nr_awaited(graph, instance, i); nr_taken++)
			take_send(checking, latest, index, sends[nr_taken]);
		if (measure_sync_is_mine(graph, location) && of->instance == index + 1 &&
			of->time > graph->values[receives[i]] && of->location != location)
			count_relation(checking, location);
	}
}

static void check_pair(struct checking *checking, const struct measure_sync_record *record)
{
	const struct measure_sync_graph *graph = checking->graph;

	if (record->is_pair && !record->is_send && record->nearness == MEASURE_SYNC_SAME_DOMAIN &&
		graph->values[record->link] > measure_sync_value(graph, record))
		count_relation(checking, record->location);
}

/* A share is so many records and as many instances. */
static void check_share(void *data, size_t index)
{
	struct checking *checking = data;
	const struct measure_sync_graph *graph = checking->graph;
	size_t from = index * PER_SHARE, to = from + PER_SHARE;
	struct latest *latest = measure_zeroed(graph->nr_domains, sizeof(*latest));

	for (size_t i = from; i < to && i < graph->nr_records; i++)
		check_pair(checking, &graph->records[i]);
	for (size_t i = from; i < to && i < graph->nr_instances; i++)
		check_instance(checking, latest, i);
	measure_free(latest);
}

void measure_sync_split_relations(struct measure_sync_graph *graph, unsigned nr_threads)
{
	struct checking checking = {.graph = graph};

	if (graph->nr_domains == graph->trace->definitions.nr_locations)
		return;
	do {
		measure_free(checking.nr_relations);
		checking.nr_relations =
			measure_zeroed(graph->nr_domains, sizeof(*checking.nr_relations));
		measure_workers_share(nr_threads, (graph->nr_records + PER_SHARE - 1) / PER_SHARE,
			check_share, &checking);
		graph->job->ops->combine(
			(uint64_t *)checking.nr_relations, graph->nr_domains, MEASURE_SYNC_JOB_SUM);
		for (uint32_t i = 0; i < graph->nr_domains; i++)
			graph->marks[i].nr_relations = checking.nr_relations[i];
	} while (split_marked(graph, nr_threads));
	measure_free(checking.nr_relations);
}

static void forget_replay(struct measure_sync_graph *graph)
{
	for (size_t i = 0; i < graph->nr_instances; i++)
		graph->instances[i].nr_missing = graph->instances[i].nr_sends;
	for (size_t i = 0; i < graph->nr_records; i++) {
		graph->states[i] = MEASURE_SYNC_OPEN;
		graph->records[i].is_jump = 0;
	}
}

void measure_sync_split_circles(struct measure_sync_graph *graph, unsigned nr_threads)
{
	split_marked(graph, nr_threads);
	forget_replay(graph);
}
