/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arranging: marks that were tied become records, domain by domain in the order of their clock, and
 * what named marks names records. Marks of one location lie in order but for those that were tied
 * late, so that sorting merges few runs. */
#include "config.h"

#include "graph.h"

#include <string.h>

#include "location_clocks.h"
#include "tie_breaking.h"
#include "sync/parallel/workers.h"
#include "trace/common/containers.h"

/* Instances that one worker takes at a time. */
#define INSTANCES_PER_SHARE 16384

struct arranging {
	struct measure_sync_graph *graph;
	const struct measure_sync_points *marks;
	size_t *next;    /* by location: how many records it has, then where the next one goes */
	uint32_t *names; /* new ones, by old ones */
};

/* ------------------------------------------------------------------------ copying --- */

static void count_stretch(const struct arranging *arranging, struct measure_sync_stretch stretch)
{
	for (size_t i = stretch.first; i < stretch.end; i++) {
		const struct measure_sync_point *mark = measure_mark_at(arranging->marks, i);

		arranging->next[mark->location] += mark->link != MEASURE_NONE;
	}
}

/* The number of the mark stands for the time, until all are sorted. */
static void copy_stretch(const struct arranging *arranging, struct measure_sync_stretch stretch)
{
	for (size_t i = stretch.first; i < stretch.end; i++) {
		const struct measure_sync_point *mark = measure_mark_at(arranging->marks, i);

		if (mark->link == MEASURE_NONE)
			continue;
		arranging->graph->records[arranging->next[mark->location]++] =
			(struct measure_sync_record){.time = (int64_t)i,
				.raw = mark->raw,
				.position = mark->position,
				.is_send = mark->is_send,
				.is_pair = mark->is_pair,
				.relation = mark->relation,
				.location = mark->location,
				.link = mark->link};
	}
}

static void count_process(void *data, size_t index)
{
	const struct arranging *arranging = data;

	count_stretch(arranging, arranging->graph->whole.processes[index]);
}

/* What has been copied takes no more memory. */
static void copy_process(void *data, size_t index)
{
	const struct arranging *arranging = data;
	const struct measure_sync_part *whole = &arranging->graph->whole;

	copy_stretch(arranging, whole->processes[index]);
	measure_sync_points_give_back(
		whole->marks, whole->processes[index].first, whole->processes[index].end);
}

/* Where each location's records begin: those of a domain together. */
static void place_locations(struct arranging *arranging)
{
	struct measure_sync_graph *graph = arranging->graph;
	const size_t nr_locations = graph->trace->definitions.nr_locations;
	size_t *starts = measure_zeroed(graph->nr_domains + 1, sizeof(*starts));

	for (uint32_t i = 0; i < nr_locations; i++)
		graph->of[graph->domains[i]].nr += arranging->next[i];
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		starts[i + 1] = starts[i] + graph->of[i].nr;
	graph->nr_records = starts[graph->nr_domains];
	graph->records = measure_uncleared(graph->nr_records, sizeof(*graph->records));
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		graph->of[i].records = graph->records + starts[i];
	for (uint32_t i = 0; i < nr_locations; i++) {
		const size_t nr = arranging->next[i];

		arranging->next[i] = starts[graph->domains[i]];
		starts[graph->domains[i]] += nr;
	}
	measure_free(starts);
}

static void copy_marks(struct arranging *arranging, unsigned nr_threads)
{
	struct measure_sync_graph *graph = arranging->graph;
	const struct measure_sync_part *whole = &graph->whole;
	const struct measure_sync_stretch late = {graph->first_late, whole->marks->end};

	arranging->next =
		measure_zeroed(graph->trace->definitions.nr_locations, sizeof(*arranging->next));
	measure_workers_share(nr_threads, whole->nr_processes, count_process, arranging);
	count_stretch(arranging, late);
	place_locations(arranging);
	measure_workers_share(nr_threads, whole->nr_processes, copy_process, arranging);
	copy_stretch(arranging, late);
	arranging->names = measure_uncleared(whole->marks->end, sizeof(*arranging->names));
	measure_sync_points_free(whole->marks);
	measure_free(arranging->next);
}

/* ------------------------------------------------------------------------ sorting --- */

/* What an event receives comes before what it sends. */
static bool is_after(const struct measure_sync_record *a, const struct measure_sync_record *b)
{
	if (a->raw != b->raw)
		return a->raw > b->raw;
	if (a->location != b->location)
		return a->location > b->location;
	if (a->position != b->position)
		return a->position > b->position;
	if (a->is_send != b->is_send)
		return a->is_send;
	return a->time > b->time;
}

/* Where runs that are in order begin, and the end behind them. */
struct runs {
	size_t *starts;
	size_t nr, room;
};

static void add_run(struct runs *runs, size_t start)
{
	runs->starts = measure_grow(runs->starts, runs->nr, &runs->room, sizeof(*runs->starts));
	runs->starts[runs->nr++] = start;
}

static void merge(const struct measure_sync_record *from, size_t start, size_t middle, size_t end,
	struct measure_sync_record *to)
{
	size_t left = start, right = middle;

	for (size_t i = start; i < end; i++)
		to[i] = left < middle && (right == end || !is_after(&from[left], &from[right]))
				? from[left++]
				: from[right++];
}

/* Each two runs become one. */
static void merge_runs(
	struct runs *runs, const struct measure_sync_record *from, struct measure_sync_record *to)
{
	const size_t nr = runs->nr - 1;
	size_t nr_merged = 0;

	for (size_t i = 0; i < nr; i += 2) {
		const size_t next = i + 2 < nr ? i + 2 : nr;

		merge(from, runs->starts[i], runs->starts[i + 1], runs->starts[next], to);
		runs->starts[nr_merged++] = runs->starts[i];
	}
	runs->starts[nr_merged] = runs->starts[nr];
	runs->nr = nr_merged + 1;
}

static void sort_records(struct measure_sync_record *records, size_t nr)
{
	struct measure_sync_record *from = records, *to = NULL;
	struct runs runs = {0};

	for (size_t i = 0; i < nr; i++)
		if (i == 0 || is_after(&records[i - 1], &records[i]))
			add_run(&runs, i);
	add_run(&runs, nr);
	if (runs.nr > 2)
		to = measure_uncleared(nr, sizeof(*to));
	while (runs.nr > 2) {
		struct measure_sync_record *other = from;

		merge_runs(&runs, from, to);
		from = to;
		to = other;
	}
	if (from != records) {
		memcpy(records, from, nr * sizeof(*records));
		to = from;
	}
	measure_free(to == records ? NULL : to);
	measure_free(runs.starts);
}

/* The one at `i` of a domain. */
static void set_time(const struct measure_sync_graph *graph,
	struct measure_sync_domain_records *domain, size_t i, struct measure_clock_reading *reading)
{
	struct measure_sync_record *record = &domain->records[i];

	record->time = (int64_t)measure_clock_function_read(
		&graph->presync[domain->a_location], reading, record->raw);
	domain->is_disordered |= i > 0 && record->time < record[-1].time;
}

static void sort_domain(void *data, size_t index)
{
	const struct arranging *arranging = data;
	struct measure_sync_graph *graph = arranging->graph;
	struct measure_sync_domain_records *domain = &graph->of[index];
	struct measure_clock_reading reading = {.number = 0};

	sort_records(domain->records, domain->nr);
	measure_sync_break_ties(graph, (uint32_t)index);
	for (size_t i = 0; i < domain->nr; i++) {
		struct measure_sync_record *record = &domain->records[i];

		arranging->names[record->time] = measure_sync_index(graph, record);
		set_time(graph, domain, i, &reading);
	}
}

static void time_domain(void *data, size_t index)
{
	struct measure_sync_graph *graph = data;
	struct measure_sync_domain_records *domain = &graph->of[index];
	struct measure_clock_reading reading = {.number = 0};

	domain->is_disordered = false;
	for (size_t i = 0; i < domain->nr; i++)
		set_time(graph, domain, i, &reading);
}

static uint32_t find_disordered(const struct measure_sync_graph *graph)
{
	for (uint32_t i = 0; i < graph->nr_domains; i++)
		if (graph->of[i].is_disordered)
			return graph->of[i].a_location;
	return MEASURE_NONE;
}

uint32_t measure_sync_graph_time(struct measure_sync_graph *graph, unsigned nr_threads)
{
	measure_workers_share(nr_threads, graph->nr_domains, time_domain, graph);
	return find_disordered(graph);
}

/* ------------------------------------------------------------------------- naming --- */

static void name_pairs(void *data, size_t index)
{
	const struct arranging *arranging = data;
	const struct measure_sync_graph *graph = arranging->graph;
	const struct measure_sync_domain_records *domain = &graph->of[index];

	for (size_t i = 0; i < domain->nr; i++) {
		struct measure_sync_record *record = &domain->records[i];

		if (!record->is_pair)
			continue;
		record->link = arranging->names[record->link];
		record->nearness = measure_sync_nearness(
			graph, record->location, graph->records[record->link].location);
	}
}

static bool is_inner(
	const struct measure_sync_graph *graph, const struct measure_sync_instance *instance)
{
	const uint32_t *ends = graph->ends + instance->first;
	const uint32_t domain = graph->domains[graph->records[ends[0]].location];

	for (uint32_t i = 1; i < instance->nr_sends + instance->nr_receives; i++)
		if (graph->domains[graph->records[ends[i]].location] != domain)
			return false;
	return true;
}

static void name_ends(void *data, size_t index)
{
	const struct arranging *arranging = data;
	const struct measure_sync_graph *graph = arranging->graph;
	size_t from = index * INSTANCES_PER_SHARE, to = from + INSTANCES_PER_SHARE;

	for (size_t i = from; i < to && i < graph->nr_instances; i++) {
		struct measure_sync_instance *instance = &graph->instances[i];
		uint32_t *ends = graph->ends + instance->first;

		for (uint32_t k = 0; k < instance->nr_sends + instance->nr_receives; k++)
			ends[k] = arranging->names[ends[k]];
		instance->is_inner = is_inner(graph, instance);
	}
}

static void name_all(struct arranging *arranging, unsigned nr_threads)
{
	struct measure_sync_graph *graph = arranging->graph;

	measure_workers_share(nr_threads, graph->nr_domains, name_pairs, arranging);
	measure_workers_share(nr_threads,
		(graph->nr_instances + INSTANCES_PER_SHARE - 1) / INSTANCES_PER_SHARE, name_ends,
		arranging);
	measure_sync_remote_name(graph, arranging->names);
	measure_free(arranging->names);
}

uint32_t measure_sync_graph_finish(struct measure_sync_graph *graph, unsigned nr_threads)
{
	struct arranging arranging = {.graph = graph, .marks = graph->whole.marks};

	measure_sync_clocks_span(graph);
	copy_marks(&arranging, nr_threads);
	measure_workers_share(nr_threads, graph->nr_domains, sort_domain, &arranging);
	graph->instances = graph->whole.instances;
	graph->nr_instances = graph->whole.nr_instances;
	graph->ends = graph->whole.ends;
	graph->nr_ends = graph->whole.nr_ends;
	graph->whole.instances = NULL;
	graph->whole.ends = NULL;
	measure_sync_part_free(&graph->whole);
	name_all(&arranging, nr_threads);
	graph->values = measure_uncleared(graph->nr_records, sizeof(*graph->values));
	graph->states = measure_zeroed(graph->nr_records, sizeof(*graph->states));
	return find_disordered(graph);
}

/* -------------------------------------------------------------------- taking apart --- */

/* How many records of a domain are of which domain now. */
static bool count_parts(const struct measure_sync_graph *graph, uint32_t domain, size_t *nr_of)
{
	const struct measure_sync_domain_records *of = &graph->of[domain];
	bool is_whole = true;

	for (size_t i = 0; i < of->nr; i++) {
		const uint32_t part = graph->domains[of->records[i].location];

		nr_of[part]++;
		is_whole &= part == domain;
	}
	return !is_whole;
}

/* Into parts, one behind the other, each of which stays in order. */
static void part_domain(struct arranging *arranging, uint32_t domain, const size_t *nr_of)
{
	struct measure_sync_graph *graph = arranging->graph;
	const struct measure_sync_domain_records whole = graph->of[domain];
	const size_t first = (size_t)(whole.records - graph->records);
	struct measure_sync_record *records = measure_uncleared(whole.nr, sizeof(*records));
	int64_t *values = measure_uncleared(whole.nr, sizeof(*values));
	size_t end = first;

	memcpy(records, whole.records, whole.nr * sizeof(*records));
	memcpy(values, graph->values + first, whole.nr * sizeof(*values));
	graph->of[domain].nr = 0;
	for (size_t i = 0; i < whole.nr; i++) {
		const uint32_t part = graph->domains[records[i].location];
		struct measure_sync_domain_records *to = &graph->of[part];

		if (to->nr == 0) {
			to->records = graph->records + end;
			end += nr_of[part];
		}
		to->records[to->nr] = records[i];
		graph->values[to->records + to->nr - graph->records] = values[i];
		arranging->names[first + i] = measure_sync_index(graph, to->records + to->nr);
		to->nr++;
	}
	measure_free(records);
	measure_free(values);
}

void measure_sync_graph_rearrange(
	struct measure_sync_graph *graph, uint32_t nr, unsigned nr_threads)
{
	struct arranging arranging = {.graph = graph,
		.names = measure_uncleared(graph->nr_records, sizeof(*arranging.names))};
	size_t *nr_of = measure_zeroed(graph->nr_domains, sizeof(*nr_of));

	for (size_t i = 0; i < graph->nr_records; i++)
		arranging.names[i] = (uint32_t)i;
	for (uint32_t i = nr; i < graph->nr_domains; i++)
		graph->of[i].nr = 0;
	for (uint32_t i = 0; i < nr; i++)
		if (count_parts(graph, i, nr_of))
			part_domain(&arranging, i, nr_of);
	name_all(&arranging, nr_threads);
	measure_free(nr_of);
}
