/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes: MPI_Init and MPI_Finalize of a world; processes that MPI makes, known by the
 * intercommunicator that the call made; those that another process made, by their definition. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

#include "base/array.h"

static bool is_world(const struct measure_definitions *definitions, const struct measure_comm *comm)
{
	if (comm->is_inter || comm->parent != MEASURE_NONE ||
		comm->groups[0] >= definitions->nr_groups)
		return false;
	const struct measure_group *group = &definitions->groups[comm->groups[0]];
	return group->type == OTF2_GROUP_TYPE_COMM_GROUP && group->paradigm == OTF2_PARADIGM_MPI;
}

/* For each process the largest communicator without a parent that it is in, and 0 for those in
 * none: spawned processes have a world of their own. The caller frees it. */
static uint32_t *find_worlds(const struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;
	uint32_t *worlds = measure_zeroed(definitions->nr_location_groups, sizeof(*worlds));
	uint32_t *sizes = measure_zeroed(definitions->nr_location_groups, sizeof(*sizes));

	for (uint32_t i = 0; i < definitions->nr_comms; i++) {
		const struct measure_comm *comm = &definitions->comms[i];
		if (!is_world(definitions, comm))
			continue;
		const struct measure_group *group = &definitions->groups[comm->groups[0]];
		for (uint32_t k = 0; k < group->nr_members; k++) {
			uint32_t location = measure_group_location(
				definitions, comm->groups[0], measure_group_rank(group, k));
			uint32_t process = location == MEASURE_NONE
						   ? MEASURE_NONE
						   : definitions->locations[location].group;
			if (process == MEASURE_NONE || sizes[process] >= group->nr_members)
				continue;
			sizes[process] = group->nr_members;
			worlds[process] = i;
		}
	}
	measure_free(sizes);
	return worlds;
}

/* MPI_Init of all ranks of a world, or MPI_Finalize of those that came to it in order. */
static void hand_out_world(struct measure_match *match, const uint32_t *worlds, uint32_t world,
	enum measure_relation relation)
{
	uint32_t ranks = match->definitions->comm_locations[OTF2_PARADIGM_MPI];
	bool is_init = relation == MEASURE_RELATION_INIT;

	for (size_t i = 0; i < match->definitions->nr_location_groups; i++) {
		struct process *process = &match->processes[i];
		bool is_there =
			is_init ? process->has_init_leave
				: process->has_finalize_leave && measure_match_has_ended(match, i);

		if (!is_there || worlds[i] != world ||
			measure_ranks_rank(&match->ranks, ranks, i) == MEASURE_NONE)
			continue;
		instance_add_send(match, is_init ? &process->init_enter : &process->finalize_enter);
		instance_add_receive(
			match, is_init ? &process->init_leave : &process->finalize_leave);
	}
	instance_hand_out(match, relation, MEASURE_NONE, 0, world);
}

static void hand_out_worlds(struct measure_match *match)
{
	size_t nr = match->definitions->nr_location_groups;
	uint32_t *worlds = find_worlds(match);
	bool *is_done = measure_zeroed(match->definitions->nr_comms + 1, sizeof(*is_done));

	for (size_t i = 0; i < nr; i++) {
		if (is_done[worlds[i]])
			continue;
		is_done[worlds[i]] = true;
		hand_out_world(match, worlds, worlds[i], MEASURE_RELATION_INIT);
		hand_out_world(match, worlds, worlds[i], MEASURE_RELATION_FINALIZE);
	}
	measure_free(is_done);
	measure_free(worlds);
}

/* ------------------------------------------------------------------------ reading --- */

void processes_first_event(struct measure_match *match, const struct measure_event *event)
{
	struct process *process = &match->processes[match->process];

	if (!process->has_events || event->time < process->first.time)
		process->first = point_of(match, event);
}

void spawns_begin_location(struct measure_match *match)
{
	match->spawns.is_inside = match->spawns.is_made = false;
}

void spawns_enter(struct measure_match *match, const struct measure_event *event)
{
	match->spawns.is_inside = true;
	match->spawns.enter = point_of(match, event);
}

/* In a call that makes processes: it names them, by what is between them and the callers. */
void spawns_create(struct measure_match *match, const struct measure_event *event)
{
	struct spawns *spawns = &match->spawns;

	if (!spawns->is_inside || !match->definitions->comms[event->ref].is_inter)
		return;
	*measure_append_item(spawns) = (struct spawn){
		.comm = event->ref, .process = match->process, .enter = spawns->enter};
	spawns->is_inside = false;
	spawns->is_made = true;
}

void spawns_leave(struct measure_match *match, const struct measure_event *event)
{
	struct spawns *spawns = &match->spawns;

	if (spawns->is_made) {
		spawns->items[spawns->nr - 1].leave = point_of(match, event);
		spawns->items[spawns->nr - 1].has_leave = true;
	}
	spawns_begin_location(match);
}

void spawns_join(struct spawns *spawns, const struct spawns *others)
{
	for (size_t i = 0; i < others->nr; i++)
		*measure_append_item(spawns) = others->items[i];
}

void spawns_free(struct spawns *spawns)
{
	measure_free(spawns->items);
}

/* ------------------------------------------------------------------------- making --- */

static bool is_child(struct measure_match *match, const struct spawn *spawn, uint32_t process)
{
	uint32_t own = measure_ranks_side(&match->ranks, spawn->comm, spawn->process);
	uint32_t side = measure_ranks_side(&match->ranks, spawn->comm, process);

	return own <= 1 && side == 1 - own;
}

/* MPI_Init of the children is not over before all parents have called, nor are the parents' calls
 * before all children have called MPI_Init. */
static void hand_out_spawn(struct measure_match *match, const struct spawn *parents, size_t nr)
{
	const size_t nr_processes = match->definitions->nr_location_groups;

	for (size_t i = 0; i < nr; i++)
		instance_add_send(match, &parents[i].enter);
	for (uint32_t i = 0; i < nr_processes; i++)
		if (match->processes[i].has_init_leave && is_child(match, parents, i))
			instance_add_receive(match, &match->processes[i].init_leave);
	instance_hand_out(match, MEASURE_RELATION_SPAWN, parents->comm, 0, 0);
	for (uint32_t i = 0; i < nr_processes; i++)
		if (match->processes[i].has_init && is_child(match, parents, i))
			instance_add_send(match, &match->processes[i].init_enter);
	for (size_t i = 0; i < nr; i++)
		if (parents[i].has_leave)
			instance_add_receive(match, &parents[i].leave);
	instance_hand_out(match, MEASURE_RELATION_SPAWN_END, parents->comm, 0, 0);
}

static int compare_spawns(const void *left, const void *right)
{
	const struct spawn *a = left, *b = right;

	if (a->comm != b->comm)
		return a->comm < b->comm ? -1 : 1;
	return (a->process > b->process) - (a->process < b->process);
}

static void hand_out_spawns(struct measure_match *match)
{
	struct spawns *spawns = &match->spawns;
	size_t end;

	measure_array_sort(spawns, compare_spawns);
	for (size_t i = 0; i < spawns->nr; i = end) {
		for (end = i; end < spawns->nr; end++)
			if (spawns->items[end].comm != spawns->items[i].comm)
				break;
		hand_out_spawn(match, spawns->items + i, end - i);
	}
}

static void hand_out_creations(struct measure_match *match)
{
	const struct measure_definitions *definitions = match->definitions;

	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		uint32_t creator = definitions->location_groups[i].creator;

		if (creator == MEASURE_NONE ||
			measure_group_is_device(&definitions->location_groups[i]) ||
			!match->processes[i].has_events ||
			!match->processes[creator].has_program_begin)
			continue;
		instance_add_send(match, &match->processes[creator].program_begin);
		instance_add_receive(match, &match->processes[i].first);
		instance_hand_out(match, MEASURE_RELATION_PROCESS_CREATE, MEASURE_NONE, 0, i);
	}
}

void processes_finish(struct measure_match *match)
{
	hand_out_worlds(match);
	hand_out_spawns(match);
	hand_out_creations(match);
}
