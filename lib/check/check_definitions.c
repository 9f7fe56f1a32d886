/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the global definitions of a good archive look like, beyond ids and references (those
 * are checked while reading). */
#include "config.h"

#include "check_internal.h"
#include "trace/archive/ranks.h"

#include <stdlib.h>
#include <string.h>

static void check_clock(struct check *check)
{
	const struct measure_clock *clock = &check->trace->definitions.clock;

	if (!clock->is_defined)
		measure_report(&check->findings, MEASURE_CHECK_CLOCK_PROPERTIES, measure_nowhere,
			"not defined");
	else if (!clock->resolution)
		measure_report(&check->findings, MEASURE_CHECK_CLOCK_PROPERTIES, measure_nowhere,
			"0 ticks per second");
	else if (clock->realtime == OTF2_UNDEFINED_TIMESTAMP)
		measure_report(&check->findings, MEASURE_CHECK_CLOCK_REALTIME, measure_nowhere,
			"the realtime stamp is undefined");
}

static void check_strings(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	uint32_t zero = measure_definition_index(definitions, MEASURE_KIND_STRING, 0);

	if (zero == MEASURE_NONE)
		measure_report(&check->findings, MEASURE_CHECK_STRING_EMPTY, measure_nowhere,
			"string 0 is not defined");
	else if (*measure_text(definitions, zero))
		measure_report(&check->findings, MEASURE_CHECK_STRING_EMPTY, measure_nowhere,
			"it is \"%.60s\"", measure_text(definitions, zero));
}

static void check_location_groups(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	for (size_t i = 0; i < definitions->nr_location_groups; i++) {
		const struct measure_location_group *group = &definitions->location_groups[i];
		const char *name = measure_text(definitions, group->name);

		if (group->type == OTF2_LOCATION_GROUP_TYPE_PROCESS && !group->nr_threads)
			measure_report(&check->findings, MEASURE_CHECK_LOCATION_GROUP_THREADS,
				measure_nowhere, "location group %u (%s)", group->id, name);
		if (group->type == OTF2_LOCATION_GROUP_TYPE_ACCELERATOR &&
			group->creator == MEASURE_NONE)
			measure_report(&check->findings, MEASURE_CHECK_LOCATION_GROUP_CREATOR,
				measure_nowhere, "location group %u (%s)", group->id, name);
	}
}

/* An index or location may occur once in a group: `seen` holds what did. */
static void check_members(
	struct check *check, const struct measure_group *group, struct measure_map *seen)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	const char *name = measure_text(definitions, group->name);
	const uint64_t limit = measure_group_limit(definitions, group);

	measure_map_clear(seen);
	for (uint32_t i = 0; i < group->nr_members; i++) {
		uint64_t member = group->members[i];
		size_t nr_before = seen->nr_used;

		if (member >= limit) {
			measure_report(&check->findings, MEASURE_CHECK_GROUP_MEMBERS,
				measure_nowhere, "member %u of group %u (%s) does not exist", i,
				group->id, name);
			continue;
		}
		measure_map_intern(seen, measure_key_of(member), 0);
		if (seen->nr_used == nr_before)
			measure_report(&check->findings, MEASURE_CHECK_GROUP_MEMBERS,
				measure_nowhere, "member %u of group %u (%s) appears twice", i,
				group->id, name);
	}
}

static void check_comm_group(struct check *check, size_t index, struct measure_map *seen)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	const struct measure_group *group = &definitions->groups[index];
	uint32_t locations = definitions->comm_locations[group->paradigm];

	if (locations == MEASURE_NONE || locations > index)
		measure_report(&check->findings, MEASURE_CHECK_GROUP_COMM_LOCATIONS,
			measure_nowhere, "group %u (%s) is not preceded by one", group->id,
			measure_text(definitions, group->name));
	if (locations != MEASURE_NONE)
		check_members(check, group, seen);
}

/* Which thread stands for the rank does not matter, but there must be one rank per process. */
static void check_ranks(
	struct check *check, const struct measure_group *group, struct measure_map *seen)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	measure_map_clear(seen);
	for (uint32_t i = 0; i < group->nr_members; i++) {
		size_t nr_before = seen->nr_used;
		uint32_t process;

		if (group->members[i] >= definitions->nr_locations)
			continue;
		process = definitions->locations[group->members[i]].group;
		measure_map_intern(seen, measure_key_of(process), 0);
		if (process != MEASURE_NONE && seen->nr_used == nr_before)
			measure_report(&check->findings, MEASURE_CHECK_GROUP_PROCESSES,
				measure_nowhere,
				"rank %u shares location group %u (%s) with another rank", i,
				definitions->location_groups[process].id,
				measure_text(
					definitions, definitions->location_groups[process].name));
	}
}

static void check_groups(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	struct measure_map seen = {0};

	for (size_t i = 0; i < definitions->nr_groups; i++) {
		const struct measure_group *group = &definitions->groups[i];

		switch (group->type) {
		case OTF2_GROUP_TYPE_COMM_LOCATIONS:
			if (definitions->comm_locations[group->paradigm] != i)
				measure_report(&check->findings, MEASURE_CHECK_GROUP_COMM_LOCATIONS,
					measure_nowhere,
					"group %u (%s) is the second of its paradigm", group->id,
					measure_text(definitions, group->name));
			check_members(check, group, &seen);
			if (group->paradigm == OTF2_PARADIGM_MPI)
				check_ranks(check, group, &seen);
			break;
		case OTF2_GROUP_TYPE_COMM_GROUP:
			check_comm_group(check, i, &seen);
			break;
		case OTF2_GROUP_TYPE_COMM_SELF:
			check_members(check, group, &seen);
			break;
		}
	}
	measure_map_free(&seen);
}

static void check_comm(struct check *check, const struct measure_comm *comm, uint32_t group)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	OTF2_GroupType type;

	if (group == MEASURE_NONE)
		return; /* reported as unresolved */
	type = definitions->groups[group].type;
	if (type != OTF2_GROUP_TYPE_COMM_GROUP && type != OTF2_GROUP_TYPE_COMM_SELF)
		measure_report(&check->findings, MEASURE_CHECK_COMM_GROUP_KIND, measure_nowhere,
			"communicator %u (%s) uses group %u", comm->id,
			measure_text(definitions, comm->name), definitions->groups[group].id);
}

static void check_comms(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;
	bool is_reported[UINT8_MAX + 1] = {false};

	for (size_t i = 0; i < definitions->nr_comms; i++) {
		const struct measure_comm *comm = &definitions->comms[i];
		uint32_t group = comm->groups[0];
		OTF2_Paradigm paradigm;

		for (int side = 0; side <= comm->is_inter; side++)
			check_comm(check, comm, comm->groups[side]);
		if (comm->parent != MEASURE_NONE && definitions->comms[comm->parent].id >= comm->id)
			measure_report(&check->findings, MEASURE_CHECK_COMM_PARENT, measure_nowhere,
				"communicator %u has parent %u", comm->id,
				definitions->comms[comm->parent].id);
		if (group == MEASURE_NONE)
			continue;
		paradigm = definitions->groups[group].paradigm;
		if (is_reported[paradigm] ||
			measure_definition_index(definitions, MEASURE_KIND_PARADIGM, paradigm) !=
				MEASURE_NONE)
			continue;
		is_reported[paradigm] = true;
		measure_report(&check->findings, MEASURE_CHECK_PARADIGM_UNDEFINED, measure_nowhere,
			"paradigm %u of communicator %u", paradigm, comm->id);
	}
}

static bool has_place(
	const struct measure_topology *topology, const struct measure_coordinate *coordinate)
{
	if (coordinate->nr_dimensions != topology->nr_dimensions)
		return false;
	for (uint8_t i = 0; i < topology->nr_dimensions; i++)
		if (coordinate->places[i] >= topology->sizes[i])
			return false;
	return true;
}

static bool has_rank(const struct measure_definitions *definitions, uint32_t comm, uint32_t rank)
{
	uint32_t group = comm == MEASURE_NONE ? MEASURE_NONE : definitions->comms[comm].groups[0];

	if (group == MEASURE_NONE)
		return true; /* reported as unresolved */
	if (measure_group_is_self(definitions, group))
		return rank == 0;
	return measure_group_location(definitions, group, rank) != MEASURE_NONE;
}

static void check_topologies(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	for (size_t i = 0; i < definitions->nr_coordinates; i++) {
		const struct measure_coordinate *coordinate = &definitions->coordinates[i];
		if (coordinate->topology == MEASURE_NONE)
			continue; /* reported as unresolved */
		const struct measure_topology *topology =
			&definitions->topologies[coordinate->topology];
		if (has_place(topology, coordinate) &&
			has_rank(definitions, topology->comm, coordinate->rank))
			continue;
		measure_report(&check->findings, MEASURE_CHECK_TOPOLOGY_COORDINATES,
			measure_nowhere, "topology %u (%s), rank %u", topology->id,
			measure_text(definitions, topology->name), coordinate->rank);
	}
}

static void check_regions(struct check *check)
{
	const struct measure_definitions *definitions = &check->trace->definitions;

	for (size_t i = 0; i < definitions->nr_regions; i++) {
		const struct measure_region *region = &definitions->regions[i];

		if (region->begin_line && region->end_line && region->begin_line > region->end_line)
			measure_report(&check->findings, MEASURE_CHECK_REGION_LINES,
				measure_nowhere, "region %u (%s): lines %u to %u", region->id,
				measure_text(definitions, region->name), region->begin_line,
				region->end_line);
	}
}

void check_definitions(struct check *check)
{
	if (!check->trace->creator || !*check->trace->creator)
		measure_report(&check->findings, MEASURE_CHECK_ANCHOR_CREATOR, measure_nowhere,
			"the creator is empty");
	check_clock(check);
	check_strings(check);
	check_location_groups(check);
	check_groups(check);
	check_comms(check);
	check_topologies(check);
	check_regions(check);
}
