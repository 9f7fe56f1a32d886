/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the page numbers locations, processes, hosts, regions and communicators of a run, and what of
 * many things is shown. */
#include "config.h"

#include <stdlib.h>

#include "page_run.h"
#include "trace/archive/ranks.h"

const struct measure_page_part_info measure_page_parts[MEASURE_PAGE_NR_PARTS] = {
#define PAGE_PART(NAME, word, what) {word, what},
#include "page_parts.def"
#undef PAGE_PART
};

/* --------------------------------------------------------------------------- ranks --- */

static uint32_t *find_ranks(const struct measure_definitions *definitions)
{
	const uint32_t group = definitions->comm_locations[OTF2_PARADIGM_MPI];
	uint32_t *ranks = measure_uncleared(definitions->nr_location_groups, sizeof(*ranks));

	for (size_t i = 0; i < definitions->nr_location_groups; i++)
		ranks[i] = MEASURE_NONE;
	if (group == MEASURE_NONE)
		return ranks;
	for (uint32_t rank = 0; rank < definitions->groups[group].nr_members; rank++) {
		const uint32_t location = measure_group_location(definitions, group, rank);

		if (location == MEASURE_NONE ||
			definitions->locations[location].group == MEASURE_NONE)
			continue;
		if (ranks[definitions->locations[location].group] == MEASURE_NONE)
			ranks[definitions->locations[location].group] = rank;
	}
	return ranks;
}

/* ---------------------------------------------------------------------------- rows --- */

static int compare_processes(const void *left, const void *right, void *data)
{
	const struct measure_page_run *run = data;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (run->ranks[a] != run->ranks[b])
		return run->ranks[a] < run->ranks[b] ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* By rank; then those without one. */
static void number_processes(struct measure_page_run *run)
{
	const struct measure_definitions *definitions = &run->trace->definitions;
	const size_t nr = definitions->nr_location_groups;

	run->process_rows = measure_uncleared(nr, sizeof(*run->process_rows));
	for (uint32_t i = 0; i < nr; i++) {
		run->process_rows[i] = MEASURE_NONE;
		if (definitions->location_groups[i].nr_locations > 0)
			*measure_append(run, processes) = i;
	}
	if (run->nr_processes > 0)
		qsort_r(run->processes, run->nr_processes, sizeof(*run->processes),
			compare_processes, run);
	for (uint32_t row = 0; row < run->nr_processes; row++)
		run->process_rows[run->processes[row]] = row;
}

static void number_hosts(struct measure_page_run *run)
{
	const struct measure_definitions *definitions = &run->trace->definitions;

	run->host_rows = measure_uncleared(definitions->nr_tree_nodes, sizeof(*run->host_rows));
	for (size_t i = 0; i < definitions->nr_tree_nodes; i++)
		run->host_rows[i] = MEASURE_NONE;
	for (size_t i = 0; i < run->nr_processes; i++) {
		const uint32_t host = definitions->location_groups[run->processes[i]].host;

		if (host == MEASURE_NONE || run->host_rows[host] != MEASURE_NONE)
			continue;
		run->host_rows[host] = (uint32_t)run->nr_hosts;
		*measure_append(run, hosts) = host;
	}
}

static int compare_locations(const void *left, const void *right, void *data)
{
	const struct measure_page_run *run = data;
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint32_t group_a = run->trace->definitions.locations[a].group,
		       group_b = run->trace->definitions.locations[b].group;
	const uint32_t row_a = group_a == MEASURE_NONE ? MEASURE_NONE : run->process_rows[group_a],
		       row_b = group_b == MEASURE_NONE ? MEASURE_NONE : run->process_rows[group_b];

	if (row_a != row_b)
		return row_a < row_b ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void number_locations(struct measure_page_run *run)
{
	const size_t nr = run->trace->definitions.nr_locations;

	run->locations = measure_uncleared(nr, sizeof(*run->locations));
	run->rows = measure_uncleared(nr, sizeof(*run->rows));
	for (uint32_t i = 0; i < nr; i++)
		run->locations[i] = i;
	qsort_r(run->locations, nr, sizeof(*run->locations), compare_locations, run);
	for (uint32_t row = 0; row < nr; row++)
		run->rows[run->locations[row]] = row;
}

/* Those of call paths but the root. */
static void number_regions(struct measure_page_run *run)
{
	for (size_t i = 1; i < run->profile->nr_paths; i++) {
		const uint32_t region = run->profile->paths[i].region;

		if (measure_map_intern(&run->region_rows, measure_key_of(region),
			    (uint32_t)run->nr_regions) == run->nr_regions)
			*measure_append(run, regions) = region;
	}
}

void measure_page_rows_number(struct measure_page_run *run)
{
	run->ranks = find_ranks(&run->trace->definitions);
	number_processes(run);
	number_hosts(run);
	number_locations(run);
	number_regions(run);
}

void measure_page_rows_free(struct measure_page_run *run)
{
	measure_free(run->locations);
	measure_free(run->rows);
	measure_free(run->processes);
	measure_free(run->process_rows);
	measure_free(run->ranks);
	measure_free(run->hosts);
	measure_free(run->host_rows);
	measure_free(run->regions);
	measure_map_free(&run->region_rows);
	measure_free(run->comms);
	measure_map_free(&run->comm_rows);
	measure_free(run->operations);
	measure_map_free(&run->operation_rows);
}

uint32_t measure_page_comm_row(struct measure_page_run *run, uint32_t comm)
{
	const uint32_t row =
		measure_map_intern(&run->comm_rows, measure_key_of(comm), (uint32_t)run->nr_comms);

	if (row == run->nr_comms)
		*measure_append(run, comms) = comm;
	return row;
}

/* -------------------------------------------------------------------------- choice --- */

uint64_t measure_page_most(const struct measure_page_run *run, unsigned share, unsigned characters)
{
	return run->room / 100 * share / characters;
}

struct measure_page_share measure_page_share_of(size_t nr, uint64_t most)
{
	return (struct measure_page_share){
		.is_there = true, .shown = nr < most ? nr : most, .total = nr};
}

size_t *measure_page_choose(const struct measure_page_share *share,
	int (*by_importance)(const void *left, const void *right, void *data),
	int (*by_time)(const void *left, const void *right, void *data), const void *data)
{
	size_t *order = measure_uncleared(share->total, sizeof(*order));
	void *things = (void *)(uintptr_t)data;

	for (size_t i = 0; i < share->total; i++)
		order[i] = i;
	if (share->shown < share->total)
		qsort_r(order, share->total, sizeof(*order), by_importance, things);
	qsort_r(order, share->shown, sizeof(*order), by_time, things);
	return order;
}
