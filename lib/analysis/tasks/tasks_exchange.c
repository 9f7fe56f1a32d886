/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which task receives what another one sends: those between two processes with one tag match in the
 * order in which they were ready on each side, since that is when they are given to MPI; those of
 * which the run-time does not say that are the last ones, in the order of their creation. */
#include "config.h"

#include "base/array.h"
#include "tasks_reading.h"
#include "trace/archive/ranks.h"
#include "trace/archive/trace_properties.h"

struct task_exchange {
	uint32_t from, to; /* processes */
	uint64_t tag;
	uint64_t ready; /* or MEASURE_TASK_NO_TIME, after all times */
	uint32_t task;
	bool is_receive;
};

/* By rank in the MPI world. */
static uint32_t *find_processes(const struct measure_definitions *definitions, size_t *nr)
{
	const uint32_t group = definitions->comm_locations[OTF2_PARADIGM_MPI];
	struct measure_group_properties properties;
	uint32_t *processes;

	*nr = group < definitions->nr_groups ? definitions->groups[group].nr_members
					     : definitions->nr_location_groups;
	processes = measure_uncleared(*nr, sizeof(*processes));
	for (uint32_t i = 0; i < *nr; i++)
		processes[i] = MEASURE_NONE;
	for (uint32_t i = 0; group < definitions->nr_groups && i < *nr; i++) {
		const uint32_t location = measure_group_location(definitions, group, i);

		if (location != MEASURE_NONE)
			processes[i] = definitions->locations[location].group;
	}
	if (group < definitions->nr_groups)
		return processes;
	measure_group_properties_make(definitions, &properties);
	for (uint32_t i = 0; i < definitions->nr_location_groups; i++) {
		const uint64_t rank = measure_group_number(&properties, i, MEASURE_PROPERTY_RANK);

		if (rank < *nr && processes[rank] == MEASURE_NONE)
			processes[rank] = i;
	}
	measure_group_properties_free(&properties);
	return processes;
}

static int compare_exchanges(const void *left, const void *right)
{
	const struct task_exchange *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	if (a->tag != b->tag)
		return a->tag < b->tag ? -1 : 1;
	if (a->is_receive != b->is_receive)
		return a->is_receive ? 1 : -1;
	if (a->ready != b->ready)
		return a->ready < b->ready ? -1 : 1;
	return (a->task > b->task) - (a->task < b->task);
}

static bool is_alike(const struct task_exchange *a, const struct task_exchange *b)
{
	return a->from == b->from && a->to == b->to && a->tag == b->tag;
}

static int compare_hops(const void *left, const void *right)
{
	const struct measure_task_hop *a = left, *b = right;

	return (a->receive > b->receive) - (a->receive < b->receive);
}

/* Exchanges that are alike: sends first. Returns how many hops there are then. */
static size_t match_alike(struct measure_tasks *tasks, const struct task_exchange *exchanges,
	size_t nr, size_t nr_hops)
{
	const size_t nr_sends = measure_count_first(nr, i, !exchanges[i].is_receive);
	const size_t nr_pairs = nr_sends < nr - nr_sends ? nr_sends : nr - nr_sends;

	for (size_t i = 0; i < nr_pairs; i++)
		tasks->hops[nr_hops + i] =
			(struct measure_task_hop){exchanges[i].task, exchanges[nr_sends + i].task};
	tasks->troubles.nr_unmatched += nr - 2 * nr_pairs;
	return nr_hops + nr_pairs;
}

static void match_all(struct measure_tasks *tasks, struct task_exchange *exchanges, size_t nr)
{
	size_t end;

	measure_sort(exchanges, nr, compare_exchanges);
	tasks->hops = measure_uncleared(nr / 2, sizeof(*tasks->hops));
	for (size_t i = 0; i < nr; i = end) {
		end = i + 1;
		while (end < nr && is_alike(&exchanges[i], &exchanges[end]))
			end++;
		tasks->nr_hops = match_alike(tasks, &exchanges[i], end - i, tasks->nr_hops);
	}
	measure_sort(tasks->hops, tasks->nr_hops, compare_hops);
}

void tasks_match_exchanges(struct tasks_reading *reading)
{
	const struct measure_definitions *definitions = &reading->trace->definitions;
	struct measure_tasks *tasks = reading->tasks;
	const uint32_t *partners = reading->columns[TASK_COLUMN_PARTNER];
	const uint64_t *tags = reading->columns[TASK_COLUMN_TAG];
	struct {
		MEASURE_GROWING_ITEMS(struct task_exchange);
	} found = {.nr = 0};
	uint32_t *processes;
	size_t nr_ranks;

	if (!partners)
		return;
	processes = find_processes(definitions, &nr_ranks);
	for (uint32_t i = 0; i < tasks->nr_created; i++) {
		const uint32_t own = definitions->locations[tasks->tasks[i].process].group;
		const uint32_t rank = partners[i] >> 2;
		const uint32_t other = rank < nr_ranks ? processes[rank] : MEASURE_NONE;
		const bool is_receive = (partners[i] & 3) == MEASURE_TASK_RECEIVES;

		if ((partners[i] & 3) == MEASURE_TASK_NO_EXCHANGE)
			continue;
		if (other == MEASURE_NONE)
			tasks->troubles.nr_unmatched++;
		else
			*measure_append_item(&found) = (struct task_exchange){
				is_receive ? other : own, is_receive ? own : other,
				tags ? tags[i] : 0, tasks->tasks[i].ready, i, is_receive};
	}
	match_all(tasks, found.items, found.nr);
	measure_free(found.items);
	measure_free(processes);
}

size_t measure_tasks_count_reversed(const struct measure_tasks *tasks)
{
	size_t nr = 0;

	for (size_t i = 0; i < tasks->nr_hops; i++) {
		const struct measure_task *send = &tasks->tasks[tasks->hops[i].send];
		const struct measure_task *receive = &tasks->tasks[tasks->hops[i].receive];

		nr += send->ready != MEASURE_TASK_NO_TIME && measure_task_is_over(receive) &&
		      receive->end < send->ready;
	}
	return nr;
}
