/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sorting the locations of an archive into clocks. */
#include "config.h"

#include "location_clocks.h"

#include <string.h>

#include "trace/common/containers.h"

#define CLOCK_DOMAIN "MEASURE::CLOCK_DOMAIN"

/* What tells the clock of a process from others of its host, if its tool said so. */
static uint64_t clock_of(const struct measure_definitions *definitions, uint32_t process)
{
	for (size_t i = 0; i < definitions->nr_properties; i++) {
		const struct measure_property *property = &definitions->properties[i];

		if (property->kind == MEASURE_KIND_LOCATION_GROUP && property->owner == process &&
			!strcmp(measure_text(definitions, property->name), CLOCK_DOMAIN))
			return property->value.uint64;
	}
	return 0;
}

/* Processes of one domain have one number. The caller frees it. */
static uint32_t *number_processes(
	const struct measure_definitions *definitions, enum measure_sync_domain domain)
{
	size_t nr = definitions->nr_location_groups;
	uint32_t *numbers = measure_zeroed(nr + 1, sizeof(*numbers));
	struct measure_map ids = {0};

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t host = definitions->location_groups[i].host;

		numbers[i] = i;
		if (domain == MEASURE_SYNC_DOMAIN_NODE && host != MEASURE_NONE)
			numbers[i] = measure_map_intern(
				&ids, measure_key_pair(host, clock_of(definitions, i)), i);
	}
	measure_map_free(&ids);
	return numbers;
}

static uint32_t domain_of(struct measure_sync_graph *graph, struct measure_map *ids,
	uint32_t process_number, uint32_t location)
{
	/* A location without a process is alone. */
	struct measure_key key = process_number == MEASURE_NONE
					 ? measure_key_pair(1, location)
					 : measure_key_pair(0, process_number);
	uint32_t index = measure_map_intern(ids, key, graph->nr_domains);

	if (index == graph->nr_domains)
		graph->of[graph->nr_domains++].a_location = location;
	return index;
}

void measure_sync_clocks_sort(struct measure_sync_graph *graph, enum measure_sync_domain domain)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;
	uint32_t *numbers = number_processes(definitions, domain);
	struct measure_map ids = {0};

	graph->nr_domains = 0;
	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		uint32_t group = definitions->locations[i].group;
		uint32_t number = group == MEASURE_NONE || domain == MEASURE_SYNC_DOMAIN_LOCATION
					  ? MEASURE_NONE
					  : numbers[group];

		graph->domains[i] = domain_of(graph, &ids, number, i);
		graph->processes[i] = group;
		graph->hosts[i] = group == MEASURE_NONE ? MEASURE_NONE
							: definitions->location_groups[group].host;
	}
	measure_map_free(&ids);
	measure_free(numbers);
}

void measure_sync_clocks_span(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		graph->of[i].span = (struct measure_sync_span){UINT64_MAX, 0};
	for (size_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		struct measure_sync_span *span = &graph->of[graph->domains[i]].span;

		if (graph->spans[i].first < span->first)
			span->first = graph->spans[i].first;
		if (graph->spans[i].last > span->last)
			span->last = graph->spans[i].last;
	}
}

enum measure_sync_nearness measure_sync_nearness(
	const struct measure_sync_graph *graph, uint32_t from, uint32_t to)
{
	if (from == to)
		return MEASURE_SYNC_SAME_LOCATION;
	if (graph->domains[from] == graph->domains[to])
		return MEASURE_SYNC_SAME_DOMAIN;
	if (graph->processes[from] == graph->processes[to] &&
		graph->processes[from] != MEASURE_NONE)
		return MEASURE_SYNC_SAME_PROCESS;
	if (graph->hosts[from] == graph->hosts[to] && graph->hosts[from] != MEASURE_NONE)
		return MEASURE_SYNC_SAME_NODE;
	return MEASURE_SYNC_NETWORK;
}

int64_t measure_sync_latency_of(
	const struct measure_sync_latencies *latencies, enum measure_sync_nearness nearness)
{
	switch (nearness) {
	case MEASURE_SYNC_SAME_PROCESS:
		return latencies->process;
	case MEASURE_SYNC_SAME_NODE:
		return latencies->node;
	case MEASURE_SYNC_NETWORK:
		return latencies->network;
	default:
		return 0;
	}
}

int64_t measure_sync_latency(const struct measure_sync_graph *graph,
	const struct measure_sync_latencies *latencies, uint32_t from, uint32_t to)
{
	return measure_sync_latency_of(latencies, measure_sync_nearness(graph, from, to));
}
