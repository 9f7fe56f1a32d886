/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Building the graph: instances as the matcher hands them out, then their records in order. */
#include "config.h"

#include "sync/graph.h"

#include <stdlib.h>

#include "sync/clocks.h"
#include "sync/split.h"
#include "sync/ties.h"
#include "sync/workers.h"
#include "trace/store.h"

void measure_sync_graph_start(struct measure_sync_graph *graph, struct measure_trace *trace,
	const struct measure_offsets *presync, enum measure_sync_domain domain,
	const struct measure_sync_latencies *latencies)
{
	size_t nr = trace->definitions.nr_locations;

	*graph = (struct measure_sync_graph){
		.trace = trace, .presync = presync, .latencies = *latencies};
	graph->domains = measure_zeroed(nr, sizeof(*graph->domains));
	graph->processes = measure_zeroed(nr, sizeof(*graph->processes));
	graph->hosts = measure_zeroed(nr, sizeof(*graph->hosts));
	graph->spans = measure_zeroed(nr, sizeof(*graph->spans));
	graph->of = measure_zeroed(nr, sizeof(*graph->of));
	graph->marks = measure_zeroed(nr, sizeof(*graph->marks));
	measure_sync_clocks_sort(graph, domain);
	measure_sync_split_offsets(graph);
	for (size_t i = 0; i < nr; i++)
		graph->spans[i].first = UINT64_MAX;
}

/* -------------------------------------------------------------------- instances --- */

static void add_end(struct measure_sync_graph *graph, uint32_t instance,
	const struct measure_point *point, bool is_send)
{
	struct measure_sync_domain_records *domain = &graph->of[graph->domains[point->location]];
	size_t end = graph->nr_ends;

	domain->records = measure_grow(
		domain->records, domain->nr, &domain->room, sizeof(*domain->records));
	domain->records[domain->nr++] = (struct measure_sync_record){.raw = point->raw,
		.position = point->position,
		.is_send = is_send,
		.location = point->location,
		.end = (uint32_t)end};
	graph->locations = measure_grow(
		graph->locations, end, &graph->room_locations, sizeof(*graph->locations));
	graph->instance_of = measure_grow(
		graph->instance_of, end, &graph->room_instance_of, sizeof(*graph->instance_of));
	graph->locations[end] = point->location;
	graph->instance_of[end] = instance;
	graph->nr_ends++;
}

static void end_instance(struct measure_sync_graph *graph, enum measure_relation relation,
	size_t first, size_t nr_sends)
{
	size_t nr = graph->nr_ends - first;

	graph->instances = measure_grow(graph->instances, graph->nr_instances,
		&graph->room_instances, sizeof(*graph->instances));
	graph->instances[graph->nr_instances++] = (struct measure_sync_instance){
		.first = (uint32_t)first,
		.nr_sends = (uint32_t)nr_sends,
		.nr_receives = (uint32_t)(nr - nr_sends),
		.nr_missing = (uint32_t)nr_sends,
		.relation = relation,
		.is_inner = measure_sync_clocks_are_one(graph, first, nr)};
}

/* A receive that waited for the sends of higher ranks too might wait for itself: each receive
 * makes an instance of its own. */
static void add_prefixes(struct measure_sync_graph *graph, const struct measure_instance *instance)
{
	for (size_t r = 0; r < instance->nr_receives; r++) {
		size_t first = graph->nr_ends, nr_sends = 0;

		for (size_t s = 0; s < instance->nr_sends; s++) {
			if (instance->sends[s].rank >= instance->receives[r].rank)
				continue;
			add_end(graph, graph->nr_instances, &instance->sends[s], true);
			nr_sends++;
		}
		if (!nr_sends)
			continue;
		add_end(graph, graph->nr_instances, &instance->receives[r], false);
		end_instance(graph, instance->relation, first, nr_sends);
	}
}

void measure_sync_graph_instance(void *data, const struct measure_instance *instance)
{
	struct measure_sync_graph *graph = data;
	size_t first = graph->nr_ends;

	if (measure_relations[instance->relation].pattern == MEASURE_PATTERN_PREFIX) {
		add_prefixes(graph, instance);
		return;
	}
	for (size_t i = 0; i < instance->nr_sends; i++)
		add_end(graph, graph->nr_instances, &instance->sends[i], true);
	for (size_t i = 0; i < instance->nr_receives; i++)
		add_end(graph, graph->nr_instances, &instance->receives[i], false);
	end_instance(graph, instance->relation, first, instance->nr_sends);
}

void measure_sync_graph_event(struct measure_sync_graph *graph, uint32_t location, uint64_t raw)
{
	struct measure_sync_span *span = &graph->spans[location];

	if (raw < span->first)
		span->first = raw;
	if (raw > span->last)
		span->last = raw;
}

/* ---------------------------------------------------------------------- sorting --- */

/* What an event receives comes before what it sends. */
static int compare_records(const void *left, const void *right)
{
	const struct measure_sync_record *a = left, *b = right;

	if (a->raw != b->raw)
		return a->raw < b->raw ? -1 : 1;
	if (a->location != b->location)
		return a->location < b->location ? -1 : 1;
	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	if (a->is_send != b->is_send)
		return a->is_send ? 1 : -1;
	return (a->end > b->end) - (a->end < b->end);
}

static void sort_domain(void *data, size_t index)
{
	struct measure_sync_graph *graph = data;
	struct measure_sync_domain_records *domain = &graph->of[index];
	size_t cursor = 0;

	if (domain->nr)
		qsort(domain->records, domain->nr, sizeof(*domain->records), compare_records);
	measure_sync_ties_order(graph, (uint32_t)index);
	for (size_t i = 0; i < domain->nr; i++) {
		domain->records[i].time = (int64_t)measure_offsets_apply(
			&graph->presync[domain->a_location], &cursor, domain->records[i].raw);
		domain->is_disordered |=
			i > 0 && domain->records[i].time < domain->records[i - 1].time;
	}
}

uint32_t measure_sync_graph_finish(struct measure_sync_graph *graph, unsigned nr_threads)
{
	graph->values = measure_zeroed(graph->nr_ends + 1, sizeof(*graph->values));
	graph->states = measure_zeroed(graph->nr_ends + 1, sizeof(*graph->states));
	measure_sync_clocks_span(graph);
	measure_workers_share(nr_threads, graph->nr_domains, sort_domain, graph);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (graph->of[i].is_disordered)
			return graph->of[i].a_location;
	return MEASURE_NONE;
}

void measure_sync_graph_free(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		free(graph->of[i].records);
	free(graph->of);
	free(graph->domains);
	free(graph->processes);
	free(graph->hosts);
	free(graph->spans);
	free(graph->marks);
	free(graph->splits);
	free(graph->instances);
	free(graph->locations);
	free(graph->instance_of);
	free(graph->values);
	free(graph->states);
	*graph = (struct measure_sync_graph){0};
}
