/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks at the strongest sides first and stops when the others cannot ask for more, whatever
 * their latency. */
#include "config.h"

#include "sync/bounds.h"

#include <stdlib.h>

#include "sync/clocks.h"
#include "trace/store.h"

void measure_sync_bounds_start(struct measure_sync_bounds *bounds,
	const struct measure_sync_graph *graph, const struct measure_sync_latencies *latencies,
	bool are_neighbours_asked)
{
	*bounds = (struct measure_sync_bounds){.graph = graph,
		.latencies = *latencies,
		.most = latencies->network,
		.are_neighbours_asked = are_neighbours_asked};
	if (latencies->node > bounds->most)
		bounds->most = latencies->node;
	if (latencies->process > bounds->most)
		bounds->most = latencies->process;
}

void measure_sync_bounds_end(struct measure_sync_bounds *bounds)
{
	free(bounds->sides);
}

static void add(struct measure_sync_bounds *bounds, uint32_t end)
{
	bounds->sides =
		measure_grow(bounds->sides, bounds->nr, &bounds->room, sizeof(*bounds->sides));
	bounds->sides[bounds->nr++] = (struct measure_sync_bounds_side){
		bounds->graph->values[end], bounds->graph->locations[end]};
}

static int compare_latest_first(const void *left, const void *right)
{
	const struct measure_sync_bounds_side *a = left, *b = right;

	return (a->value < b->value) - (a->value > b->value);
}

static int compare_earliest_first(const void *left, const void *right)
{
	return compare_latest_first(right, left);
}

void measure_sync_bounds_take_sends(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance)
{
	bounds->nr = 0;
	for (uint32_t i = 0; i < instance->nr_sends; i++)
		add(bounds, instance->first + i);
	if (bounds->nr > 1)
		qsort(bounds->sides, bounds->nr, sizeof(*bounds->sides), compare_latest_first);
}

void measure_sync_bounds_take_receives(
	struct measure_sync_bounds *bounds, const struct measure_sync_instance *instance)
{
	uint32_t first = instance->first + instance->nr_sends;

	bounds->nr = 0;
	for (uint32_t i = 0; i < instance->nr_receives; i++)
		if (atomic_load_explicit(&bounds->graph->states[first + i], memory_order_relaxed) !=
			MEASURE_SYNC_RELAXED)
			add(bounds, first + i);
	if (bounds->nr > 1)
		qsort(bounds->sides, bounds->nr, sizeof(*bounds->sides), compare_earliest_first);
}

/* Order inside a domain is that of its clock, whatever happens. */
static bool is_asked(const struct measure_sync_bounds *bounds, uint32_t from, uint32_t to)
{
	if (bounds->are_neighbours_asked)
		return from != to;
	return bounds->graph->domains[from] != bounds->graph->domains[to];
}

int64_t measure_sync_bound(const struct measure_sync_bounds *bounds, uint32_t location)
{
	int64_t best = MEASURE_SYNC_NO_BOUND;

	for (size_t i = 0; i < bounds->nr; i++) {
		const struct measure_sync_bounds_side *side = &bounds->sides[i];
		int64_t bound;

		if (best != MEASURE_SYNC_NO_BOUND && side->value + bounds->most <= best)
			break;
		if (!is_asked(bounds, side->location, location))
			continue;
		bound = side->value + measure_sync_latency(bounds->graph, &bounds->latencies,
					      side->location, location);
		if (bound > best)
			best = bound;
	}
	return best;
}

int64_t measure_sync_limit(const struct measure_sync_bounds *bounds, uint32_t location)
{
	int64_t best = MEASURE_SYNC_NO_LIMIT;

	for (size_t i = 0; i < bounds->nr; i++) {
		const struct measure_sync_bounds_side *side = &bounds->sides[i];
		int64_t limit;

		if (best != MEASURE_SYNC_NO_LIMIT && side->value - bounds->most >= best)
			break;
		if (!is_asked(bounds, location, side->location))
			continue;
		limit = side->value - measure_sync_latency(bounds->graph, &bounds->latencies,
					      location, side->location);
		if (limit < best)
			best = limit;
	}
	return best;
}
