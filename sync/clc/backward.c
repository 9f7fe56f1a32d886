/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The backward exchange: what each send may be moved to follows from the receives at its other end
 * alone, in any order. */
#include "config.h"

#include "sync/graph/bounds.h"
#include "replay.h"
#include "sync/parallel/workers.h"

/* Instances, or records, that one worker takes at a time. */
#define PER_SHARE 16384

/* Those of higher ranks, from the last one down. */
static void limit_prefix(struct measure_sync_graph *graph, struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance)
{
	const uint32_t *sends = measure_sync_sends(graph, instance);
	const uint32_t *receives = measure_sync_receives(graph, instance);
	uint32_t r = instance->nr_receives;

	measure_sync_bounds_clear(bounds);
	for (uint32_t i = instance->nr_sends; i-- > 0;) {
		for (; r > 0 && measure_sync_nr_awaited(graph, instance, r - 1) > i; r--)
			measure_sync_bounds_add_receive(bounds, receives[r - 1]);
		graph->values[sends[i]] =
			measure_sync_limit(bounds, graph->records[sends[i]].location);
	}
}

static void limit_instance(struct measure_sync_graph *graph, struct measure_sync_bounds *bounds,
	const struct measure_sync_instance *instance)
{
	const uint32_t *sends = measure_sync_sends(graph, instance);

	if (instance->is_prefix) {
		limit_prefix(graph, bounds, instance);
		return;
	}
	measure_sync_bounds_take_receives(bounds, instance);
	for (uint32_t i = 0; i < instance->nr_sends; i++)
		graph->values[sends[i]] =
			measure_sync_limit(bounds, graph->records[sends[i]].location);
}

/* So many records and as many instances. */
static void limit_share(void *data, size_t index)
{
	struct measure_sync_graph *graph = data;
	struct measure_sync_bounds bounds;
	size_t from = index * PER_SHARE, to = from + PER_SHARE;

	measure_sync_bounds_start(&bounds, graph, &graph->latencies, false);
	for (size_t i = from; i < to && i < graph->nr_records; i++)
		if (graph->records[i].is_pair && graph->records[i].is_send)
			graph->values[i] = measure_sync_limit_of_pair(&bounds, &graph->records[i]);
	for (size_t i = from; i < to && i < graph->nr_instances; i++)
		limit_instance(graph, &bounds, &graph->instances[i]);
	measure_sync_bounds_end(&bounds);
}

void measure_sync_backward(struct measure_sync_graph *graph, unsigned nr_threads)
{
	measure_sync_remote_bring_receives(graph);
	/* No fewer records than instances. */
	measure_workers_share(
		nr_threads, (graph->nr_records + PER_SHARE - 1) / PER_SHARE, limit_share, graph);
}
