/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each domain that waits does so for another that waits, or for itself: whoever follows that from
 * one to the next gets into a circle. */
#include "config.h"

#include "sync/circle.h"

#include <stdlib.h>

#include "sync/split.h"
#include "trace/store.h"

/* Passes after which all that wait come apart, circle or not: it must not go on for ever. */
#define MOST_ROUNDS 8

static bool is_waiting(const struct measure_sync_circle *circle, uint32_t domain)
{
	return circle->next[domain] < circle->graph->of[domain].nr;
}

/* What a receive waits for. */
static const uint32_t *awaited_by(const struct measure_sync_graph *graph,
	const struct measure_sync_record *record, uint32_t *nr)
{
	const struct measure_sync_instance *instance;
	uint32_t r = 0;

	*nr = 1;
	if (record->is_pair)
		return &record->link;
	instance = &graph->instances[record->link];
	while (measure_sync_receives(graph, instance)[r] != measure_sync_index(graph, record))
		r++;
	*nr = measure_sync_nr_awaited(graph, instance, r);
	return measure_sync_sends(graph, instance);
}

static bool has_come(const struct measure_sync_circle *circle, uint32_t send)
{
	const struct measure_sync_graph *graph = circle->graph;
	const uint32_t domain = graph->domains[graph->records[send].location];

	return (size_t)(&graph->records[send] - graph->of[domain].records) < circle->next[domain];
}

/* Whom a domain waits for: of those of whom a send is missing, that of the lowest location. */
static uint32_t find_next(const struct measure_sync_circle *circle, uint32_t domain)
{
	const struct measure_sync_graph *graph = circle->graph;
	uint32_t nr, best = MEASURE_NONE;
	const uint32_t *sends =
		awaited_by(graph, &graph->of[domain].records[circle->next[domain]], &nr);

	for (uint32_t i = 0; i < nr; i++) {
		const uint32_t location = graph->records[sends[i]].location;

		if (!has_come(circle, sends[i]) && location < best)
			best = location;
	}
	return best == MEASURE_NONE ? domain : graph->domains[best];
}

static void count_locations(const struct measure_sync_graph *graph, uint32_t *nr_locations)
{
	for (uint32_t i = 0; i < graph->trace->definitions.nr_locations; i++)
		nr_locations[graph->domains[i]]++;
}

/* From `start` on until somebody has been there before: in this walk, then it is a circle. */
static void walk(const struct measure_sync_circle *circle, uint32_t start, uint32_t *seen)
{
	struct measure_sync_split *marks = circle->graph->marks;
	uint32_t domain = start;

	for (; !seen[domain]; domain = find_next(circle, domain))
		seen[domain] = start + 1;
	if (seen[domain] != start + 1)
		return;
	for (; !marks[domain].is_in_circle; domain = find_next(circle, domain))
		marks[domain].is_in_circle = true;
}

bool measure_sync_circle_mark(struct measure_sync_circle *circle)
{
	struct measure_sync_graph *graph = circle->graph;
	bool has_marks = false;
	uint32_t *seen, *nr_locations;

	if (graph->nr_domains == graph->trace->definitions.nr_locations)
		return false;
	seen = measure_zeroed(graph->nr_domains, sizeof(*seen));
	nr_locations = measure_zeroed(graph->nr_domains, sizeof(*nr_locations));
	count_locations(graph, nr_locations);
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (is_waiting(circle, i) && !seen[i])
			walk(circle, i, seen);
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		struct measure_sync_split *mark = &graph->marks[i];

		mark->is_in_circle |= graph->nr_rounds >= MOST_ROUNDS && is_waiting(circle, i);
		mark->is_in_circle &= nr_locations[i] > 1;
		has_marks |= mark->is_in_circle;
	}
	graph->nr_rounds += has_marks;
	free(seen);
	free(nr_locations);
	return has_marks;
}
