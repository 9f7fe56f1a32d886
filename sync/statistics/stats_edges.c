/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every send with every receive, by relation and by pair of clocks. */
#include "config.h"

#include "stats_internal.h"

#include "sync/graph/location_clocks.h"
#include "trace/match/match.h"
#include "trace/common/containers.h"

/* Parties, squared, times the size of an entry: 9 MiB. */
#define MOST_PARTIES 256

/* -------------------------------------------------------------------- parties --- */

/* Numbers the nodes from 0; what has none is one more. */
static uint32_t number_nodes(const struct measure_sync_graph *graph, uint32_t *party_of)
{
	struct measure_map ids = {0};
	uint32_t nr = 0;

	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++) {
		party_of[i] = measure_map_intern(&ids, measure_key_of(graph->hosts[i]), nr);
		nr += party_of[i] == nr;
	}
	measure_map_free(&ids);
	return nr;
}

static void choose_parties(const struct measure_sync_graph *graph, struct measure_sync_stats *stats)
{
	size_t nr_locations = graph->trace->definitions.nr_locations;

	stats->party_of = measure_zeroed(nr_locations + 1, sizeof(*stats->party_of));
	stats->nr_parties = graph->nr_domains;
	stats->party = MEASURE_SYNC_PARTY_CLOCK;
	for (size_t i = 0; i < nr_locations; i++)
		stats->party_of[i] = graph->domains[i];
	if (stats->nr_parties > MOST_PARTIES) {
		stats->party = MEASURE_SYNC_PARTY_NODE;
		stats->nr_parties = number_nodes(graph, stats->party_of);
	}
	if (stats->nr_parties > MOST_PARTIES) {
		stats->party = MEASURE_SYNC_PARTY_NONE;
		stats->nr_parties = 0;
	}
}

static const char *name_of_clock(const struct measure_sync_graph *graph, uint32_t location)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;
	uint32_t group = definitions->locations[location].group;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < definitions->nr_locations; i++)
		nr += graph->domains[i] == graph->domains[location];
	if (nr > 1 && group != MEASURE_NONE)
		return measure_text(definitions, definitions->location_groups[group].name);
	return measure_name_of_location(definitions, location);
}

const char *measure_sync_stats_name(const struct measure_sync_graph *graph,
	const struct measure_sync_stats *stats, uint32_t party)
{
	const struct measure_definitions *definitions = &graph->trace->definitions;

	for (uint32_t i = 0; i < definitions->nr_locations; i++) {
		if (stats->party_of[i] != party)
			continue;
		return stats->party == MEASURE_SYNC_PARTY_NODE
			       ? measure_name_of_host(definitions, graph->hosts[i])
			       : name_of_clock(graph, i);
	}
	return "";
}

/* ---------------------------------------------------------------------- edges --- */

void stats_edges_start(struct stats_edges *edges, const struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, struct measure_sync_stats *stats)
{
	*edges = (struct stats_edges){.graph = graph, .corrections = corrections, .stats = stats};
	choose_parties(graph, stats);
	if (stats->nr_parties)
		stats->pairs = measure_zeroed(
			(size_t)stats->nr_parties * stats->nr_parties, sizeof(*stats->pairs));
}

void stats_edges_end(struct stats_edges *edges)
{
	measure_free(edges->sides);
}

static void add_side(struct stats_edges *edges, const struct measure_point *point)
{
	const struct measure_sync_graph *graph = edges->graph;
	struct stats_side *side;

	edges->sides = measure_grow(edges->sides, edges->nr, &edges->room, sizeof(*edges->sides));
	side = &edges->sides[edges->nr++];
	side->location = point->location;
	side->rank = point->rank;
	side->party = edges->stats->party_of[point->location];
	side->times[MEASURE_SYNC_WHEN_INPUT] = (int64_t)point->raw;
	side->times[MEASURE_SYNC_WHEN_PRESYNC] =
		(int64_t)measure_clock_function_apply(&graph->presync[point->location], point->raw);
	side->times[MEASURE_SYNC_WHEN_RESULT] = (int64_t)measure_sync_correct_at(
		&edges->corrections[graph->domains[point->location]], point->raw, point->location,
		point->position);
}

static void stats_edges_count(struct measure_sync_edges *counts, const struct stats_side *send,
	const struct stats_side *receive, int64_t latency)
{
	counts->nr++;
	for (int i = 0; i < MEASURE_SYNC_NR_WHEN; i++) {
		struct measure_sync_edge_counts *at = &counts->at[i];
		int64_t early = send->times[i] - receive->times[i];

		if (early + latency <= 0)
			continue;
		at->nr_violated++;
		if (early <= 0)
			continue;
		at->nr_reversed++;
		at->sum += early;
		if (early > at->worst)
			at->worst = early;
	}
}

static void count_edge(struct stats_edges *edges, enum measure_relation relation,
	const struct stats_side *send, const struct stats_side *receive)
{
	const struct measure_sync_graph *graph = edges->graph;
	struct measure_sync_stats *stats = edges->stats;
	int64_t latency;

	if (!measure_is_edge(
		    relation, send->location, send->rank, receive->location, receive->rank))
		return;
	latency = measure_sync_latency(graph, &graph->latencies, send->location, receive->location);
	stats_edges_count(&stats->relations[relation], send, receive, latency);
	if (stats->nr_parties &&
		graph->domains[send->location] != graph->domains[receive->location])
		stats_edges_count(
			&stats->pairs[(size_t)send->party * stats->nr_parties + receive->party],
			send, receive, latency);
}

void stats_edges_instance(void *data, const struct measure_instance *instance)
{
	struct stats_edges *edges = data;

	edges->nr = 0;
	for (size_t i = 0; i < instance->nr_sends; i++)
		add_side(edges, &instance->sends[i]);
	for (size_t i = 0; i < instance->nr_receives; i++)
		add_side(edges, &instance->receives[i]);
	for (size_t i = 0; i < instance->nr_sends; i++)
		for (size_t k = instance->nr_sends; k < edges->nr; k++)
			count_edge(edges, instance->relation, &edges->sides[i], &edges->sides[k]);
}
