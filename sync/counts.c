/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting along all instances; sums of whole numbers, so that threads do not matter. */
#include "config.h"

#include "sync/counts.h"

#include <pthread.h>

#include "sync/bounds.h"
#include "sync/workers.h"

#define INSTANCES_PER_SHARE 16384

struct counting {
	const struct measure_sync_graph *graph;
	struct measure_sync_counts *counts;
	pthread_mutex_t lock;
};

static void count_receive(const struct measure_sync_graph *graph,
	const struct measure_sync_bounds *bounds, const struct measure_sync_bounds *plain,
	uint32_t end, struct measure_sync_relation_counts *counts)
{
	int64_t value = graph->values[end];
	int64_t bound = measure_sync_bound(bounds, graph->locations[end]);

	if (bound == MEASURE_SYNC_NO_BOUND)
		return;
	counts->nr++;
	if (bound <= value)
		return;
	counts->nr_violated++;
	if (bound - value > counts->worst)
		counts->worst = bound - value;
	counts->nr_reversed += measure_sync_bound(plain, graph->locations[end]) > value;
}

static void add_counts(struct measure_sync_counts *to, const struct measure_sync_counts *from)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		to->relations[i].nr += from->relations[i].nr;
		to->relations[i].nr_reversed += from->relations[i].nr_reversed;
		to->relations[i].nr_violated += from->relations[i].nr_violated;
		if (from->relations[i].worst > to->relations[i].worst)
			to->relations[i].worst = from->relations[i].worst;
	}
}

static void count_share(void *data, size_t index)
{
	static const struct measure_sync_latencies none = {0, 0, 0};
	struct counting *counting = data;
	const struct measure_sync_graph *graph = counting->graph;
	size_t from = index * INSTANCES_PER_SHARE, to = from + INSTANCES_PER_SHARE;
	struct measure_sync_counts counts = {{{0}}};
	struct measure_sync_bounds bounds, plain;

	measure_sync_bounds_start(&bounds, graph, &graph->latencies, true);
	for (size_t i = from; i < to && i < graph->nr_instances; i++) {
		const struct measure_sync_instance *instance = &graph->instances[i];
		uint32_t first = instance->first + instance->nr_sends;

		measure_sync_bounds_take_sends(&bounds, instance);
		plain = bounds; /* the same sides */
		plain.latencies = none;
		plain.most = 0;
		for (uint32_t r = 0; r < instance->nr_receives; r++)
			count_receive(graph, &bounds, &plain, first + r,
				&counts.relations[instance->relation]);
	}
	measure_sync_bounds_end(&bounds);
	pthread_mutex_lock(&counting->lock);
	add_counts(counting->counts, &counts);
	pthread_mutex_unlock(&counting->lock);
}

void measure_sync_count(
	const struct measure_sync_graph *graph, unsigned nr_threads, struct measure_sync_counts *counts)
{
	struct counting counting = {.graph = graph, .counts = counts};

	*counts = (struct measure_sync_counts){{{0}}};
	pthread_mutex_init(&counting.lock, NULL);
	measure_workers_share(nr_threads,
		(graph->nr_instances + INSTANCES_PER_SHARE - 1) / INSTANCES_PER_SHARE, count_share,
		&counting);
	pthread_mutex_destroy(&counting.lock);
}

void measure_sync_values_of_input(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		for (size_t k = 0; k < graph->of[i].nr; k++)
			graph->values[graph->of[i].records[k].end] =
				(int64_t)graph->of[i].records[k].raw;
}

void measure_sync_values_of_presync(struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		for (size_t k = 0; k < graph->of[i].nr; k++)
			graph->values[graph->of[i].records[k].end] = graph->of[i].records[k].time;
}

void measure_sync_values_of_result(struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections,
	struct measure_sync_displacement *displacement)
{
	*displacement = (struct measure_sync_displacement){0};
	for (uint32_t i = 0; i < graph->nr_domains; i++) {
		struct measure_sync_reading reading = {0, 0};

		displacement->nr += graph->of[i].nr;
		for (size_t k = 0; k < graph->of[i].nr; k++) {
			const struct measure_sync_record *record = &graph->of[i].records[k];
			int64_t time = (int64_t)measure_sync_correct(&corrections[i], &reading,
				record->raw, record->location, record->position);
			int64_t moved = time > record->time ? time - record->time
							    : record->time - time;

			graph->values[record->end] = time;
			displacement->sum += moved;
			displacement->nr_moved += moved > 0;
			if (moved > displacement->largest)
				displacement->largest = moved;
		}
	}
}
