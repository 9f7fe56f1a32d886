/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counting along all instances; sums of whole numbers, so that threads do not matter. */
#include "config.h"

#include "violations.h"

#include <pthread.h>

#include "sync/graph/bounds.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Instances, or records, that one worker takes at a time. */
#define PER_SHARE 16384

struct violations_counting {
	const struct measure_sync_graph *graph;
	struct measure_sync_counts *counts;
	pthread_mutex_t lock;
};

/* Along one share. */
struct violations_share {
	const struct measure_sync_graph *graph;
	struct measure_sync_bounds bounds;
	struct measure_sync_bounds
		plain; /* without the least times; its sides are those of bounds */
	struct measure_sync_counts counts;
};

static void count_receive(
	struct measure_sync_relation_counts *counts, int64_t value, int64_t bound, int64_t plain)
{
	if (bound == MEASURE_SYNC_NO_BOUND)
		return;
	counts->nr++;
	if (bound <= value)
		return;
	counts->nr_violated++;
	if (bound - value > counts->worst)
		counts->worst = bound - value;
	counts->nr_reversed += plain > value;
}

void measure_sync_counts_add(struct measure_sync_counts *to, const struct measure_sync_counts *from)
{
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++) {
		to->relations[i].nr += from->relations[i].nr;
		to->relations[i].nr_reversed += from->relations[i].nr_reversed;
		to->relations[i].nr_violated += from->relations[i].nr_violated;
		if (from->relations[i].worst > to->relations[i].worst)
			to->relations[i].worst = from->relations[i].worst;
	}
}

static void violations_see(void *data, uint32_t receive)
{
	struct violations_share *share = data;
	const struct measure_sync_graph *graph = share->graph;
	const struct measure_sync_record *record = &graph->records[receive];

	share->plain.sides = share->bounds.sides;
	share->plain.nr = share->bounds.nr;
	count_receive(&share->counts.relations[measure_sync_relation_of(graph, record)],
		graph->values[receive], measure_sync_bound_of(&share->bounds, receive),
		measure_sync_bound_of(&share->plain, receive));
}

/* A share is so many records and as many instances. */
static void count_share(void *data, size_t index)
{
	static const struct measure_sync_latencies none = {0, 0, 0};
	struct violations_counting *counting = data;
	const struct measure_sync_graph *graph = counting->graph;
	const size_t from = index * PER_SHARE, to = from + PER_SHARE;
	struct violations_share share = {.graph = graph};

	measure_sync_bounds_start(&share.bounds, graph, &graph->latencies, true);
	measure_sync_bounds_start(&share.plain, graph, &none, true);
	measure_sync_bounds_each(&share.bounds, from, to, violations_see, &share);
	measure_sync_bounds_end(&share.bounds);
	pthread_mutex_lock(&counting->lock);
	measure_sync_counts_add(counting->counts, &share.counts);
	pthread_mutex_unlock(&counting->lock);
}

void measure_sync_count(
	const struct measure_sync_graph *graph, unsigned nr_threads, struct measure_sync_counts *counts)
{
	struct violations_counting counting = {.graph = graph, .counts = counts};
	/* No fewer records than instances. */
	const size_t nr_shares = (graph->nr_records + PER_SHARE - 1) / PER_SHARE;

	*counts = (struct measure_sync_counts){{{0}}};
	pthread_mutex_init(&counting.lock, NULL);
	measure_workers_share(nr_threads, nr_shares, count_share, &counting);
	pthread_mutex_destroy(&counting.lock);
}

static void take_input(void *data, size_t index)
{
	const struct measure_sync_graph *graph = data;
	size_t from = index * PER_SHARE, to = from + PER_SHARE;

	for (size_t i = from; i < to && i < graph->nr_records; i++)
		graph->values[i] = (int64_t)graph->records[i].raw;
}

static void take_presync(void *data, size_t index)
{
	const struct measure_sync_graph *graph = data;
	size_t from = index * PER_SHARE, to = from + PER_SHARE;

	for (size_t i = from; i < to && i < graph->nr_records; i++)
		graph->values[i] = graph->records[i].time;
}

static size_t nr_shares(const struct measure_sync_graph *graph)
{
	return (graph->nr_records + PER_SHARE - 1) / PER_SHARE;
}

void measure_sync_values_of_input(struct measure_sync_graph *graph, unsigned nr_threads)
{
	measure_workers_share(nr_threads, nr_shares(graph), take_input, graph);
	measure_sync_remote_bring_sends(graph);
}

void measure_sync_values_of_presync(struct measure_sync_graph *graph, unsigned nr_threads)
{
	measure_workers_share(nr_threads, nr_shares(graph), take_presync, graph);
	measure_sync_remote_bring_sends(graph);
}

/* Of one domain after the other. */
struct moving {
	struct measure_sync_graph *graph;
	const struct measure_sync_correction *corrections;
	struct measure_sync_displacement *displacements;
};

static void move_domain(void *data, size_t index)
{
	const struct moving *moving = data;
	const struct measure_sync_domain_records *of = &moving->graph->of[index];
	struct measure_sync_displacement *displacement = &moving->displacements[index];
	struct measure_sync_reading reading = {.piece = 0};

	if (!measure_sync_is_my_domain(moving->graph, (uint32_t)index))
		return;
	displacement->nr = of->nr;
	for (size_t k = 0; k < of->nr; k++) {
		const struct measure_sync_record *record = &of->records[k];
		int64_t time = (int64_t)measure_sync_correct(&moving->corrections[index], &reading,
			record->raw, record->location, record->position);
		int64_t moved = time > record->time ? time - record->time : record->time - time;

		moving->graph->values[measure_sync_index(moving->graph, record)] = time;
		displacement->sum += moved;
		displacement->nr_moved += moved > 0;
		if (moved > displacement->largest)
			displacement->largest = moved;
	}
}

void measure_sync_displacement_add(
	struct measure_sync_displacement *to, const struct measure_sync_displacement *from)
{
	to->nr += from->nr;
	to->nr_moved += from->nr_moved;
	to->sum += from->sum;
	if (from->largest > to->largest)
		to->largest = from->largest;
}

void measure_sync_values_of_result(struct measure_sync_graph *graph,
	const struct measure_sync_correction *corrections, unsigned nr_threads,
	struct measure_sync_displacement *displacement)
{
	struct moving moving = {graph, corrections,
		measure_zeroed(graph->nr_domains, sizeof(*moving.displacements))};

	measure_workers_share(nr_threads, graph->nr_domains, move_domain, &moving);
	*displacement = (struct measure_sync_displacement){0};
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		measure_sync_displacement_add(displacement, &moving.displacements[i]);
	measure_free(moving.displacements);
	measure_sync_remote_bring_sends(graph);
}
