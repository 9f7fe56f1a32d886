/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks to processes and back. */
#include "config.h"

#include "ranks.h"

void measure_ranks_start(struct measure_ranks *ranks, const struct measure_definitions *definitions)
{
	*ranks = (struct measure_ranks){.definitions = definitions, .last_group = MEASURE_NONE};
}

void measure_ranks_free(struct measure_ranks *ranks)
{
	measure_map_free(&ranks->members);
	measure_free(ranks->is_filled);
}

static uint32_t member_location(const struct measure_definitions *definitions,
	const struct measure_group *group, uint64_t member)
{
	uint64_t location = member < group->nr_members ? group->members[member] : MEASURE_NONE;

	return location < definitions->nr_locations ? location : MEASURE_NONE;
}

uint32_t measure_group_location(
	const struct measure_definitions *definitions, uint32_t index, uint32_t rank)
{
	const struct measure_group *group, *locations;

	if (index >= definitions->nr_groups)
		return MEASURE_NONE;
	group = &definitions->groups[index];
	if (group->type == OTF2_GROUP_TYPE_COMM_LOCATIONS ||
		group->type == OTF2_GROUP_TYPE_LOCATIONS)
		return member_location(definitions, group, rank);
	if (group->type != OTF2_GROUP_TYPE_COMM_GROUP ||
		definitions->comm_locations[group->paradigm] == MEASURE_NONE)
		return MEASURE_NONE;
	locations = &definitions->groups[definitions->comm_locations[group->paradigm]];
	if (group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS)
		return member_location(definitions, locations, rank);
	if (rank >= group->nr_members)
		return MEASURE_NONE;
	return member_location(definitions, locations, group->members[rank]);
}

bool measure_group_is_self(const struct measure_definitions *definitions, uint32_t group)
{
	return group < definitions->nr_groups &&
	       definitions->groups[group].type == OTF2_GROUP_TYPE_COMM_SELF;
}

static uint32_t process_of(const struct measure_definitions *definitions, uint32_t location)
{
	return location == MEASURE_NONE ? MEASURE_NONE : definitions->locations[location].group;
}

/* With global members the ranks in events are indices into the COMM_LOCATIONS. */
uint32_t measure_group_rank(const struct measure_group *group, uint32_t member)
{
	bool is_global = group->type == OTF2_GROUP_TYPE_COMM_GROUP &&
			 group->flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS;

	return is_global ? (uint32_t)group->members[member] : member;
}

/* The process that is the i-th member of a group, or MEASURE_NONE. */
static uint32_t process_of_member(
	const struct measure_definitions *definitions, uint32_t index, uint32_t i)
{
	const uint32_t rank = measure_group_rank(&definitions->groups[index], i);

	return rank == MEASURE_NONE
		       ? MEASURE_NONE
		       : process_of(definitions, measure_group_location(definitions, index, rank));
}

static bool is_ascending(const struct measure_definitions *definitions, uint32_t index)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < definitions->groups[index].nr_members; i++) {
		const uint32_t process = process_of_member(definitions, index, i);

		if (process == MEASURE_NONE || (i > 0 && process <= before))
			return false;
		before = process;
	}
	return true;
}

void measure_groups_compare(struct measure_definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->nr_groups; i++)
		definitions->groups[i].is_ascending = is_ascending(definitions, i);
}

static uint32_t bisect(
	const struct measure_definitions *definitions, uint32_t index, uint32_t process)
{
	const struct measure_group *group = &definitions->groups[index];
	uint32_t low = 0, high = group->nr_members;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (process_of_member(definitions, index, middle) < process)
			low = middle + 1;
		else
			high = middle;
	}
	return low < group->nr_members && process_of_member(definitions, index, low) == process
		       ? measure_group_rank(group, low)
		       : MEASURE_NONE;
}

static uint32_t find_in_order(struct measure_ranks *ranks, uint32_t group, uint32_t process)
{
	if (ranks->last_group != group || ranks->last_process != process) {
		ranks->last_group = group;
		ranks->last_process = process;
		ranks->last_rank = bisect(ranks->definitions, group, process);
	}
	return ranks->last_rank;
}

static void fill(struct measure_ranks *ranks, uint32_t index)
{
	const struct measure_definitions *definitions = ranks->definitions;
	const struct measure_group *group = &definitions->groups[index];

	ranks->is_filled[index] = true;
	for (uint32_t i = 0; i < group->nr_members; i++) {
		const uint32_t process = process_of_member(definitions, index, i);

		if (process != MEASURE_NONE)
			measure_map_intern(&ranks->members, measure_key_pair(index, process),
				measure_group_rank(group, i));
	}
}

uint32_t measure_ranks_rank(struct measure_ranks *ranks, uint32_t group, uint32_t process)
{
	if (group >= ranks->definitions->nr_groups)
		return MEASURE_NONE;
	if (measure_group_is_self(ranks->definitions, group))
		return 0;
	if (ranks->definitions->groups[group].is_ascending)
		return find_in_order(ranks, group, process);
	if (!ranks->is_filled)
		ranks->is_filled = measure_zeroed(ranks->definitions->nr_groups, sizeof(bool));
	if (!ranks->is_filled[group])
		fill(ranks, group);
	return measure_map_get(&ranks->members, measure_key_pair(group, process));
}

uint32_t measure_ranks_side(struct measure_ranks *ranks, uint32_t comm, uint32_t process)
{
	const struct measure_comm *definition = &ranks->definitions->comms[comm];

	for (uint32_t side = 0; side <= definition->is_inter; side++)
		if (measure_ranks_rank(ranks, definition->groups[side], process) != MEASURE_NONE)
			return side;
	return MEASURE_NONE;
}

uint32_t measure_ranks_peer(
	struct measure_ranks *ranks, uint32_t comm, uint32_t process, uint32_t peer)
{
	const struct measure_comm *definition = &ranks->definitions->comms[comm];
	uint32_t side = measure_ranks_side(ranks, comm, process);
	uint32_t group;

	if (side == MEASURE_NONE)
		return MEASURE_NONE;
	group = definition->groups[definition->is_inter ? 1 - side : 0];
	if (measure_group_is_self(ranks->definitions, group))
		return peer == 0 ? process : MEASURE_NONE;
	return process_of(
		ranks->definitions, measure_group_location(ranks->definitions, group, peer));
}
