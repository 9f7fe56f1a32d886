/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Global definitions, in the order in which Measure writes them. */
#include "config.h"

#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REALTIME 1700000000000000000ULL /* some day: archives of one seed are alike */

struct definitions {
	struct gen *gen;
	OTF2_GlobalDefWriter *writer;
	uint32_t nr_strings, nr_groups;
};

static const struct region {
	const char *name;
	OTF2_RegionRole role;
	OTF2_Paradigm paradigm;
} regions[] = {
#define REGION(ID, name, ROLE, PARADIGM) {name, OTF2_REGION_ROLE_##ROLE, OTF2_PARADIGM_##PARADIGM},
#include "gen_regions.def"
#undef REGION
};

static uint32_t string(struct definitions *definitions, const char *text)
{
	OTF2_GlobalDefWriter_WriteString(definitions->writer, definitions->nr_strings, text);
	return definitions->nr_strings++;
}

static void write_paradigm(struct definitions *definitions, OTF2_Paradigm paradigm,
	const char *name, const char *comms, OTF2_ParadigmClass class)
{
	const OTF2_AttributeValue value = {.stringRef = string(definitions, comms)};

	OTF2_GlobalDefWriter_WriteParadigm(
		definitions->writer, paradigm, string(definitions, name), class);
	OTF2_GlobalDefWriter_WriteParadigmProperty(definitions->writer, paradigm,
		OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, value);
}

static void write_places(struct definitions *definitions)
{
	OTF2_GlobalDefWriter *writer = definitions->writer;
	const struct gen *gen = definitions->gen;
	const struct gen_options *options = &gen->options;
	char name[32];

	OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, string(definitions, "machine"),
		string(definitions, "machine"), OTF2_UNDEFINED_UINT32);
	OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
	for (uint32_t i = 0; i < options->nr_nodes; i++) {
		snprintf(name, sizeof(name), "node%" PRIu32, i);
		OTF2_GlobalDefWriter_WriteSystemTreeNode(
			writer, 1 + i, string(definitions, name), string(definitions, "node"), 0);
		OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
			writer, 1 + i, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
	}
	for (uint32_t i = 0; i < gen_nr_processes(gen); i++) {
		snprintf(name, sizeof(name), "MPI Rank %" PRIu32, i);
		OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, string(definitions, name),
			OTF2_LOCATION_GROUP_TYPE_PROCESS, 1 + gen_node(gen, i),
			gen_creator(gen, i));
	}
}

/* "SAMPLES EVENTS TICKS ...": of all locations the same. */
static void write_references(struct definitions *definitions)
{
	const struct gen *gen = definitions->gen;
	const uint64_t ns = gen->options.reference;
	const uint32_t name = string(definitions, "MEASURE::SELF_TIMING::REFERENCE");
	OTF2_AttributeValue value;
	char text[64];

	snprintf(text, sizeof(text), "8 128 %" PRIu64, 128 * ns);
	value.stringRef = string(definitions, text);
	for (size_t i = 0; i < gen->nr_all_locations; i++)
		OTF2_GlobalDefWriter_WriteLocationProperty(
			definitions->writer, gen->locations[i].id, name, OTF2_TYPE_STRING, value);
}

static void write_locations(struct definitions *definitions)
{
	const struct gen *gen = definitions->gen;
	uint32_t property = string(definitions, "MEASURE::CLOCK_DOMAIN");

	for (size_t i = 0; i < gen->nr_all_locations; i++) {
		const size_t index = gen->options.is_renumbered ? gen->nr_all_locations - 1 - i : i;
		const struct gen_location *location = &gen->locations[index];
		char name[32];

		snprintf(name, sizeof(name),
			location->thread ? "OpenMP thread %" PRIu32 : "Master thread",
			location->thread);
		OTF2_GlobalDefWriter_WriteLocation(definitions->writer, location->id,
			string(definitions, name), OTF2_LOCATION_TYPE_CPU_THREAD,
			location->nr_events, location->process);
	}
	for (uint32_t i = 0; i < gen_nr_processes(gen); i++) {
		const OTF2_AttributeValue value = {
			.uint64 = (uint64_t)(gen_clock_of(gen, i) - gen->clocks) + 1};
		OTF2_GlobalDefWriter_WriteLocationGroupProperty(
			definitions->writer, i, property, OTF2_TYPE_UINT64, value);
	}
}

static void write_region(struct definitions *definitions, uint32_t id, const char *text,
	OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
	const uint32_t name = string(definitions, text);

	OTF2_GlobalDefWriter_WriteRegion(definitions->writer, id, name, name, 0, role, paradigm,
		OTF2_REGION_FLAG_NONE, 0, 0, 0);
}

static void write_regions(struct definitions *definitions)
{
	static const char *const parameters[GEN_NR_PARAMETERS] = {
		"task.ready", "task.dep", "task.access.RW", "data.register"};

	for (uint32_t i = 0; i < GEN_NR_PARAMETERS; i++)
		OTF2_GlobalDefWriter_WriteParameter(definitions->writer, i,
			string(definitions, parameters[i]), OTF2_PARAMETER_TYPE_UINT64);
	for (uint32_t i = 0; i < GEN_NR_REGIONS; i++)
		write_region(definitions, i, regions[i].name, regions[i].role, regions[i].paradigm);
	for (unsigned op = 0; op < gen_nr_collectives(); op++)
		for (int is_nonblocking = 0; is_nonblocking < 2; is_nonblocking++)
			write_region(definitions, gen_collective_region(op, is_nonblocking),
				gen_collective_name(op, is_nonblocking), gen_collective_role(op),
				OTF2_PARADIGM_MPI);
}

bool gen_is_function(uint32_t region)
{
	return region < GEN_NR_REGIONS && (regions[region].paradigm == OTF2_PARADIGM_COMPILER ||
						  regions[region].paradigm == OTF2_PARADIGM_USER);
}

const char *gen_region_name(uint32_t region)
{
	const uint32_t index = region - GEN_NR_REGIONS;

	return region < GEN_NR_REGIONS ? regions[region].name
				       : gen_collective_name(index / 2, index % 2);
}

static void write_group(struct definitions *definitions, OTF2_GroupType type,
	OTF2_Paradigm paradigm, uint32_t nr, const uint64_t members[])
{
	OTF2_GlobalDefWriter_WriteGroup(definitions->writer, definitions->nr_groups++, 0, type,
		paradigm, OTF2_GROUP_FLAG_NONE, nr, members);
}

/* In the order of GEN_GROUP_*. */
static void write_mpi_groups(struct definitions *definitions)
{
	const struct gen *gen = definitions->gen;
	const uint32_t nr = (uint32_t)gen->options.nr_ranks, nr_all = gen_nr_processes(gen);
	uint64_t *members = gen_zeroed(nr_all, sizeof(*members));

	for (uint32_t i = 0; i < nr_all; i++)
		members[i] = gen_master(gen, i)->id;
	write_group(
		definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, nr_all, members);
	for (uint32_t i = 0; i < nr; i++)
		members[i] = i;
	write_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, nr, members);
	for (uint32_t odd = 0; odd < 2; odd++) {
		for (uint32_t i = 0; 2 * i + odd < nr; i++)
			members[i] = 2 * i + odd;
		write_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
			(nr + 1 - odd) / 2, members);
	}
	write_group(definitions, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, NULL);
	for (uint32_t i = nr; i < nr_all; i++)
		members[i - nr] = i;
	if (nr_all > nr)
		write_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, nr_all - nr,
			members);
	free(members);
}

static void write_world(struct definitions *definitions)
{
	OTF2_GlobalDefWriter_WriteComm(definitions->writer, GEN_COMM_WORLD,
		string(definitions, "MPI_COMM_WORLD"), GEN_GROUP_WORLD, OTF2_UNDEFINED_COMM,
		OTF2_COMM_FLAG_NONE);
	OTF2_GlobalDefWriter_WriteComm(definitions->writer, GEN_COMM_SELF,
		string(definitions, "MPI_COMM_SELF"), GEN_GROUP_SELF, OTF2_UNDEFINED_COMM,
		OTF2_COMM_FLAG_NONE);
}

static void write_comms(struct definitions *definitions)
{
	const struct gen *gen = definitions->gen;
	const uint32_t first = gen_team_comm(gen, gen->options.nr_ranks, 0);

	for (uint32_t i = 0; i < gen->nr_comms; i++) {
		const struct gen_comm *comm = &gen->comms[i];

		if (comm->group == comm->other_group) /* another world, or one made of it */
			OTF2_GlobalDefWriter_WriteComm(definitions->writer, first + i, 0,
				comm->group, comm->parent,
				comm->parent == OTF2_UNDEFINED_COMM
					? OTF2_COMM_FLAG_NONE
					: OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
		else
			OTF2_GlobalDefWriter_WriteInterComm(definitions->writer, first + i, 0,
				comm->group, comm->other_group, comm->parent,
				OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
	}
}

static void write_windows(struct definitions *definitions)
{
	for (uint32_t i = 0; i < definitions->gen->nr_windows; i++)
		OTF2_GlobalDefWriter_WriteRmaWin(definitions->writer, i, 0, GEN_COMM_WORLD,
			i ? OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS : OTF2_RMA_WIN_FLAG_NONE);
}

static uint32_t team(const struct gen *gen, uint32_t index, uint64_t members[])
{
	uint32_t *threads = gen_zeroed(gen->options.nr_threads, sizeof(*threads));
	const uint32_t nr = gen_team_members(gen, index, threads);

	for (uint32_t i = 0; i < nr; i++)
		members[i] = threads[i];
	free(threads);
	return nr;
}

static void write_teams(struct definitions *definitions)
{
	const struct gen *gen = definitions->gen;
	const OTF2_Paradigm paradigm =
		gen->has_pthreads ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_OPENMP;
	const uint32_t nr_teams = gen_nr_teams(gen);
	uint64_t *members = gen_zeroed(gen->nr_locations, sizeof(*members));

	for (size_t i = 0; i < gen->nr_locations; i++)
		members[i] = gen->locations[i].id;
	if (nr_teams)
		write_group(definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm,
			gen->nr_locations, members);
	for (uint32_t i = 0; i < gen->options.nr_ranks * nr_teams; i++) {
		const uint32_t process = i / nr_teams, index = i % nr_teams;
		const uint32_t nr = team(gen, index, members);

		for (uint32_t k = 0; k < nr; k++)
			members[k] += process * gen->options.nr_threads;
		write_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, nr, members);
		OTF2_GlobalDefWriter_WriteComm(definitions->writer,
			gen_team_comm(gen, process, index), 0, definitions->nr_groups - 1,
			OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	}
	free(members);
}

void gen_write_definitions(struct gen *gen, uint64_t begin, uint64_t end)
{
	struct definitions definitions = {gen, OTF2_Archive_GetGlobalDefWriter(gen->archive), 0, 0};

	OTF2_GlobalDefWriter_WriteClockProperties(
		definitions.writer, GEN_RESOLUTION, begin, end - begin, REALTIME);
	string(&definitions, "");
	write_paradigm(
		&definitions, OTF2_PARADIGM_MPI, "MPI", "Comm ${id}", OTF2_PARADIGM_CLASS_PROCESS);
	if (gen->has_pthreads)
		write_paradigm(&definitions, OTF2_PARADIGM_PTHREAD, "Pthread", "Threads ${id}",
			OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT);
	else if (gen->options.nr_threads > 1)
		write_paradigm(&definitions, OTF2_PARADIGM_OPENMP, "OpenMP", "Team ${id}",
			OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
	write_places(&definitions);
	write_locations(&definitions);
	if (gen->options.reference > 0)
		write_references(&definitions);
	write_regions(&definitions);
	write_mpi_groups(&definitions);
	write_world(&definitions);
	write_teams(&definitions);
	write_comms(&definitions);
	write_windows(&definitions);
}
