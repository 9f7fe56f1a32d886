/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of tests; see t_graph.h. */
#include "config.h"

#include "t_graph.h"

#include <CUnit/CUnit.h>
#include <string.h>

#include "sync/clc/violations.h"
#include "sync/graph/split.h"

static struct measure_location_group groups[T_PROCESSES];
static struct measure_location_definition locations[T_LOCATIONS];
static struct measure_trace trace;
static uint64_t positions[T_LOCATIONS];

struct measure_sync_graph t_graph;
struct measure_clock_function t_presync[T_LOCATIONS];
struct measure_sync_correction t_corrections[T_LOCATIONS];
const struct measure_sync_latencies t_latencies = {2, 10, 50};
const struct measure_sync_rate t_rate = {1, 1000};

int t_set_up(void)
{
	for (uint32_t i = 0; i < T_PROCESSES; i++)
		groups[i] = (struct measure_location_group){.tree_node = i / 2, .host = i / 2};
	for (uint32_t i = 0; i < T_LOCATIONS; i++)
		locations[i] = (struct measure_location_definition){.id = i, .group = i / 2};
	trace.definitions.location_groups = groups;
	trace.definitions.nr_location_groups = T_PROCESSES;
	trace.definitions.locations = locations;
	trace.definitions.nr_locations = T_LOCATIONS;
	return 0;
}

void t_start(enum measure_sync_domain domain)
{
	measure_sync_graph_start(
		&t_graph, &trace, t_presync, domain, &t_latencies, &measure_sync_job_of_one);
	memset(positions, 0, sizeof(positions));
}

void t_end(void)
{
	for (uint32_t i = 0; i < t_graph.nr_domains; i++)
		measure_sync_correction_free(&t_corrections[i]);
	memset(t_corrections, 0, sizeof(t_corrections));
	measure_sync_graph_free(&t_graph);
}

struct measure_point t_point_at(uint32_t location, uint64_t raw)
{
	measure_sync_graph_event(&t_graph, location, raw);
	return (struct measure_point){
		.time = raw, .raw = raw, .position = ++positions[location], .location = location};
}

void t_tie(enum measure_relation relation, const struct measure_point *sends, size_t nr_sends,
	const struct measure_point *receives, size_t nr_receives)
{
	const struct measure_instance instance = {.relation = relation,
		.nr_sends = nr_sends,
		.nr_receives = nr_receives,
		.sends = sends,
		.receives = receives};

	measure_sync_part_instance(&t_graph.whole, &instance);
}

void t_message(uint32_t from, uint64_t sent, uint32_t to, uint64_t received)
{
	const struct measure_point send = t_point_at(from, sent),
				   receive = t_point_at(to, received);

	t_tie(MEASURE_RELATION_MESSAGE, &send, 1, &receive, 1);
}

struct measure_sync_relaxed t_replay(unsigned nr_threads)
{
	struct measure_sync_relaxed relaxed;

	CU_ASSERT_EQUAL(measure_sync_graph_finish(&t_graph, nr_threads), MEASURE_NONE);
	measure_sync_values_of_input(&t_graph, nr_threads);
	measure_sync_split_relations(&t_graph, nr_threads);
	while (!measure_sync_forward(&t_graph, &t_rate, nr_threads, &relaxed))
		measure_sync_split_circles(&t_graph, nr_threads);
	return relaxed;
}

void t_correct(enum measure_sync_backward_rule rule)
{
	measure_sync_backward(&t_graph, 1);
	for (uint32_t i = 0; i < t_graph.nr_domains; i++)
		measure_sync_correction_make(&t_graph, i, &t_rate, rule, &t_corrections[i]);
}

int64_t t_time_of(uint32_t location, uint64_t raw, uint64_t position)
{
	struct measure_sync_reading reading = {.piece = 0};

	return (int64_t)measure_sync_correct(
		&t_corrections[t_graph.domains[location]], &reading, raw, location, position);
}

uint64_t t_nr_left(void)
{
	struct measure_sync_counts counts;
	struct measure_sync_displacement displacement;
	uint64_t nr = 0;

	measure_sync_values_of_result(&t_graph, t_corrections, 2, &displacement);
	measure_sync_count(&t_graph, 1, &counts);
	for (int i = 0; i < MEASURE_NR_RELATIONS; i++)
		nr += counts.relations[i].nr_violated;
	return nr;
}
