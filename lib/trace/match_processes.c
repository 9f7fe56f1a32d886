/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes: MPI_Init and MPI_Finalize of a world. */
#include "config.h"

#include "match_internal.h"

#include <stdlib.h>

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
	free(sizes);
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
				: process->has_finalize_leave && !measure_match_is_cut(match, i);

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
	free(is_done);
	free(worlds);
}

void processes_finish(struct measure_match *match)
{
	hand_out_worlds(match);
}
