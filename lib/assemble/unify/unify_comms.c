/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators of all processes. Those of MPI have a key that all their members know; thread
 * teams are the same where paradigm and members are. Groups list indices into the paradigm's
 * COMM_LOCATIONS, which comes before them. */
#include "config.h"

#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_GeneralDefinitions.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "unify.h"

#define NR_PARADIGMS 32

struct comms {
	struct measure_unified *unified;
	struct measure_intern keys; /* id: that of the communicator */
	MEASURE_ARRAY(bool) has_given_name; /* by id: the program named it */
	MEASURE_ARRAY(const struct measure_def_comm *)
	relatives; /* by id: its groups are still to
		      be made; NULL: are made */
	/* By paradigm and process: index of its location 0 in COMM_LOCATIONS. */
	uint32_t *first_location[NR_PARADIGMS];
	uint8_t known_paradigm; /* any that has COMM_LOCATIONS */
};

struct comms_key {
	uint64_t high;
	uint64_t low;
	uint32_t kind;
	uint32_t paradigm;
};

/* ----------------------------------------------------------------- COMM_LOCATIONS --- */

typedef MEASURE_ARRAY(uint64_t) members_t;

/* Of ranks, not of threads. */
static bool has_comms_of(const struct measure_job *job, uint32_t paradigm)
{
	for (size_t i = 0; i < job->processes.nr; i++) {
		const struct measure_part *part = job->processes.items[i].part;

		for (size_t k = 0; part && k < part->comms.nr; k++)
			if (part->comms.items[k].is_described &&
				part->comms.items[k].def.paradigm == paradigm)
				return true;
	}
	return false;
}

/* All ranks, also of worlds whose communicators nobody knows: those are MPI's. */
static void add_rank_locations(struct comms *comms, uint8_t paradigm)
{
	const struct measure_job *job = comms->unified->job;
	const bool is_mpi = paradigm == OTF2_PARADIGM_MPI;
	members_t members = {0};

	if (job->worlds.nr == 0 || !(has_comms_of(job, paradigm) ||
					   (is_mpi && !has_comms_of(job, OTF2_PARADIGM_SHMEM))))
		return;
	for (size_t i = 0; i < job->processes.nr; i++)
		if (job->processes.items[i].world != MEASURE_NO_ID)
			measure_unify_push(comms->unified, &members,
				measure_location_id(&job->processes.items[i], 0));
	measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, members.items,
		(uint32_t)members.nr);
	comms->known_paradigm = paradigm;
	free(members.items);
}

static bool has_region_of(const struct measure_part *part, uint32_t paradigm)
{
	for (size_t i = 0; i < part->regions.nr; i++) {
		const struct measure_part_region *region = &part->regions.items[i];
		if ((region->kind == MEASURE_PART_REGION_NAMED &&
			    region->named.paradigm == paradigm) ||
			(region->kind == MEASURE_PART_REGION_CODE &&
				region->code.paradigm == paradigm))
			return true;
	}
	return false;
}

/* Its members are locations of its process. */
static bool is_of_threads(const struct measure_def_comm *def)
{
	return def->kind == MEASURE_COMM_TEAM || def->kind == MEASURE_COMM_THREADS ||
	       def->kind == MEASURE_COMM_LOCATIONS;
}

static bool is_of_all(const struct measure_def_comm *def)
{
	return def->kind == MEASURE_COMM_THREADS || def->kind == MEASURE_COMM_LOCATIONS;
}

/* A process that died in its first parallel region has a region, but no team in its journal. */
static bool has_teams_of(const struct measure_part *part, uint32_t paradigm)
{
	for (size_t i = 0; part && i < part->comms.nr; i++) {
		const struct measure_part_comm *comm = &part->comms.items[i];
		if (comm->is_described && is_of_threads(&comm->def) &&
			comm->def.paradigm == paradigm)
			return true;
	}
	return part && paradigm == OTF2_PARADIGM_OPENMP && has_region_of(part, paradigm);
}

/* All threads of the processes that have teams. */
static void add_team_locations(struct comms *comms, uint32_t paradigm)
{
	const struct measure_job *job = comms->unified->job;
	uint32_t *first = calloc(job->processes.nr + 1, sizeof(*first));
	members_t members = {0};

	if (!first)
		measure_unify_note(comms->unified, MEASURE_ERROR_MEMORY);
	comms->first_location[paradigm] = first;
	for (size_t i = 0; first && i < job->processes.nr; i++) {
		const struct measure_process *process = &job->processes.items[i];
		if (!has_teams_of(process->part, paradigm))
			continue;
		first[i] = (uint32_t)members.nr;
		for (size_t k = 0; k < measure_process_nr_locations(process); k++)
			measure_unify_push(
				comms->unified, &members, measure_location_id(process, k));
	}
	if (members.nr) {
		measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_LOCATIONS,
			(uint8_t)paradigm, members.items, (uint32_t)members.nr);
		comms->known_paradigm = (uint8_t)paradigm;
	}
	free(members.items);
}

/* ------------------------------------------------------------------------- groups --- */

/* `ranks` NULL: all of the world. */
static uint32_t make_rank_group(struct comms *comms, const struct measure_process *process,
	uint8_t paradigm, const struct measure_u32s *ranks)
{
	const struct measure_world *world = &comms->unified->job->worlds.items[process->world];
	uint32_t nr = ranks ? ranks->nr : world->size;
	struct measure_u32s_cursor cursor = {.of = ranks};
	members_t members = {0};

	for (uint32_t i = 0; i < nr; i++) {
		uint32_t rank = ranks ? measure_u32s_take(&cursor) : i;
		if (rank < world->size)
			measure_unify_push(comms->unified, &members, (uint64_t)world->first + rank);
	}
	uint32_t group = measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_GROUP, paradigm,
		members.items, (uint32_t)members.nr);
	free(members.items);
	return group;
}

/* Of an intercommunicator to another world its processes tell the other group; where they are
 * not in this archive, places without a part stand for them. */
static void make_sided_groups(struct comms *comms, const struct measure_process *process,
	const struct measure_def_comm *def, struct measure_otf2_comm *comm)
{
	bool is_first = def->side == MEASURE_SIDE_FIRST;
	uint32_t *own = is_first ? &comm->group : &comm->other_group;
	uint32_t *others = is_first ? &comm->other_group : &comm->group;
	struct measure_process there = {.world = measure_job_find_absent(comms->unified->job, def)};

	*own = make_rank_group(comms, process, (uint8_t)def->paradigm, &def->members);
	if (there.world != MEASURE_NO_ID)
		*others = make_rank_group(comms, &there, (uint8_t)def->paradigm, NULL);
}

static void make_mpi_groups(struct comms *comms, const struct measure_process *process,
	const struct measure_def_comm *def, struct measure_otf2_comm *comm)
{
	uint8_t paradigm = (uint8_t)def->paradigm;

	if (def->kind == MEASURE_COMM_SELF) {
		comm->group = measure_unify_group(
			comms->unified, OTF2_GROUP_TYPE_COMM_SELF, paradigm, NULL, 0);
	} else if (def->kind == MEASURE_COMM_INTER && def->side != MEASURE_SIDES_BOTH) {
		make_sided_groups(comms, process, def, comm);
	} else {
		comm->group = make_rank_group(comms, process, paradigm,
			def->kind == MEASURE_COMM_WORLD ? NULL : &def->members);
		if (comm->is_inter)
			comm->other_group = make_rank_group(comms, process, paradigm, &def->others);
	}
}

/* Streams of devices are no threads. */
static bool may_be_member(const struct measure_process *process,
	const struct measure_def_comm *def, size_t location)
{
	const struct measure_part *part = process->part;

	return def->kind != MEASURE_COMM_THREADS || location >= part->locations.nr ||
	       part->locations.items[location].device[0] == '\0';
}

static uint32_t make_team_group(struct comms *comms, size_t process,
	const struct measure_def_comm *def)
{
	const struct measure_process *who = &comms->unified->job->processes.items[process];
	size_t nr_locations = measure_process_nr_locations(who);
	uint32_t first = comms->first_location[def->paradigm][process];
	bool is_all = is_of_all(def);
	size_t nr_members = is_all ? nr_locations : def->members.nr;
	struct measure_u32s_cursor cursor = {.of = &def->members};
	members_t members = {0};

	for (size_t i = 0; i < nr_members; i++) {
		size_t member = is_all ? i : measure_u32s_take(&cursor);
		if (member < nr_locations && may_be_member(who, def, member))
			measure_unify_push(comms->unified, &members, (uint64_t)first + member);
	}
	uint32_t group = measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_GROUP,
		(uint8_t)def->paradigm, members.items, (uint32_t)members.nr);
	free(members.items);
	return group;
}

/* ------------------------------------------------------------------ communicators --- */

/* What one more member says of a communicator. Its events are in the trace where any member's
 * are: readers refuse a CommCreate of a communicator that is said to have none. */
static void comms_join(
	struct comms *comms, uint32_t id, const struct measure_otf2_comm *comm, bool has_given_name)
{
	struct measure_otf2_comm *known = &comms->unified->definitions.comms.items[id];
	bool *is_given = &comms->has_given_name.items[id];

	if (known->name == 0 || (has_given_name && !*is_given))
		known->name = comm->name;
	*is_given |= has_given_name;
	known->flags |= comm->flags;
	if (known->parent == MEASURE_NO_ID)
		known->parent = comm->parent;
}

static uint32_t comms_put(struct comms *comms, const struct comms_key *key,
	const struct measure_otf2_comm *comm, bool has_given_name)
{
	struct measure_archive_definitions *definitions = &comms->unified->definitions;
	bool is_new;
	const uint32_t id =
		measure_unify_intern(comms->unified, &comms->keys, key, sizeof(*key), &is_new);

	if (is_new) {
		measure_unify_push(comms->unified, &comms->has_given_name, has_given_name);
		measure_unify_push(comms->unified, &comms->relatives, NULL);
		measure_unify_push(comms->unified, &definitions->comms, *comm);
	} else if (id < definitions->comms.nr) {
		comms_join(comms, id, comm, has_given_name);
	}
	return id;
}

/* Stands for the communicator that each process has reserved as its `number`-th without ever
 * describing it. One for all of a process would make one team of several. */
static uint32_t unknown_comm(struct comms *comms, uint32_t number)
{
	struct comms_key key = {.low = number, .kind = UINT32_MAX};
	char name[32] = "unknown";

	if (number > 1)
		snprintf(name, sizeof(name), "unknown %u", number);
	struct measure_otf2_comm comm = {measure_unify_string(comms->unified, name),
		measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_GROUP,
			comms->known_paradigm, NULL, 0),
		MEASURE_NO_ID, OTF2_COMM_FLAG_NONE, false, MEASURE_NO_ID};
	return comms_put(comms, &key, &comm, false);
}

static uint32_t comms_name_of(struct comms *comms, const struct measure_process *process,
	const struct measure_part_comm *comm)
{
	const struct measure_def_comm *def = &comm->def;
	const char *name = comm->given_name ? comm->given_name : def->name;

	if (comm->given_name)
		return measure_unify_string(comms->unified, name);
	if (!name[0] && def->kind == MEASURE_COMM_WORLD && process->world == 0)
		name = "MPI_COMM_WORLD";
	if (!name[0] && def->kind == MEASURE_COMM_SELF)
		name = "MPI_COMM_SELF";
	return measure_unify_string(comms->unified, name);
}

static uint32_t unify_team(struct comms *comms, size_t process, const struct measure_def_comm *def)
{
	struct measure_otf2_comm comm = {measure_unify_string(comms->unified, def->name),
		make_team_group(comms, process, def), MEASURE_NO_ID, OTF2_COMM_FLAG_NONE, false,
		MEASURE_NO_ID};
	/* of all threads there may be several, that their keys tell apart */
	struct comms_key key = {.high = is_of_all(def) ? def->key_high : 0,
		.low = comm.group,
		.kind = def->kind,
		.paradigm = def->paradigm};

	return comms_put(comms, &key, &comm, false);
}

static bool has_groups(const struct measure_otf2_comm *comm)
{
	return comm->group != MEASURE_NO_ID &&
	       (!comm->is_inter || comm->other_group != MEASURE_NO_ID);
}

/* Of a large one with irregular members not all of these list them. */
static bool tells_members(const struct measure_def_comm *def)
{
	return def->kind != MEASURE_COMM_GROUP || def->members.nr > 0;
}

/* MPI_COMM_SELF is one of all processes, or of those that call it the same: a hundred thousand of
 * them say no more, and would give each process tables of its own. */
static struct comms_key key_of_mpi(
	const struct measure_def_comm *def, bool has_given_name, uint32_t name)
{
	if (def->kind != MEASURE_COMM_SELF)
		return (struct comms_key){def->key_high, def->key_low, def->kind, def->paradigm};
	return (struct comms_key){
		.low = has_given_name ? name : 0, .kind = def->kind, .paradigm = def->paradigm};
}

/* `parent`: of the archive, defined already. Every member tells all members: the first one that
 * does is enough, or there would be as much to do as members squared. */
static uint32_t unify_mpi(struct comms *comms, size_t process,
	const struct measure_part_comm *from, uint32_t parent)
{
	const struct measure_process *who = &comms->unified->job->processes.items[process];
	const struct measure_def_comm *def = &from->def;
	struct measure_otf2_comm comm = {comms_name_of(comms, who, from), MEASURE_NO_ID, parent,
		def->has_events ? OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : OTF2_COMM_FLAG_NONE,
		def->kind == MEASURE_COMM_INTER, MEASURE_NO_ID};
	const struct comms_key key = key_of_mpi(def, from->given_name != NULL, comm.name);

	uint32_t id = comms_put(comms, &key, &comm, from->given_name != NULL);
	if (comms->unified->status != MEASURE_OK)
		return id;
	struct measure_otf2_comm *known = &comms->unified->definitions.comms.items[id];
	if (def->is_relative)
		comms->relatives.items[id] = def;
	else if (!has_groups(known) && tells_members(def))
		make_mpi_groups(comms, who, def, known);
	return id;
}

static bool is_usable(const struct measure_process *process, const struct measure_part_comm *comm)
{
	if (!comm->is_described || comm->def.paradigm >= NR_PARADIGMS)
		return false;
	return is_of_threads(&comm->def) || process->world != MEASURE_NO_ID;
}

/* Teams get their ids before their members are known. Of a process that died, as many of the
 * last ids as it has threads may be in its events and not in its journal. */
static void add_undescribed(struct comms *comms, const struct measure_part *part,
	uint32_t nr_unknown, measure_id_map_t *map)
{
	if (!has_teams_of(part, OTF2_PARADIGM_OPENMP) ||
		(part->has_end && part->end.how == MEASURE_END_EXITED))
		return;
	for (size_t i = 0; i < part->locations.nr; i++)
		measure_unify_push(comms->unified, map, unknown_comm(comms, ++nr_unknown));
}

/* A parent has a smaller local id than its children, as it was there before them. Of an
 * intercommunicator only the leaders may know it. */
static void unify_part(struct comms *comms, size_t process)
{
	const struct measure_process *who = &comms->unified->job->processes.items[process];
	measure_id_map_t *map = &comms->unified->locals.items[process].comms;
	uint32_t nr_unknown = 0;

	for (size_t i = 0; i < who->part->comms.nr; i++) {
		const struct measure_part_comm *comm = &who->part->comms.items[i];
		uint32_t parent = comm->def.parent < i ? map->items[comm->def.parent]
						       : MEASURE_NO_ID;
		uint32_t id;
		if (!is_usable(who, comm))
			id = unknown_comm(comms, ++nr_unknown);
		else if (is_of_threads(&comm->def))
			id = unify_team(comms, process, &comm->def);
		else
			id = unify_mpi(comms, process, comm, parent);
		measure_unify_push(comms->unified, map, id);
		if (comms->unified->status != MEASURE_OK)
			return;
	}
	add_undescribed(comms, who->part, nr_unknown, map);
}

/* -------------------------------------------------------------- ranks in a parent --- */

/* A communicator that spans worlds knows its members as ranks in its parent, down to the
 * intercommunicator of which each world has told one group. */
static uint32_t make_group_within(struct comms *comms, const struct measure_otf2_comm *parent,
	const struct measure_u32s *ranks)
{
	const struct measure_otf2_group *groups = comms->unified->definitions.groups.items;
	const struct measure_otf2_group *first = &groups[parent->group];
	const struct measure_otf2_group *second =
		parent->is_inter ? &groups[parent->other_group] : NULL;
	struct measure_u32s_cursor cursor = {.of = ranks};
	members_t members = {0};

	for (uint32_t i = 0; i < ranks->nr; i++) {
		uint32_t rank = measure_u32s_take(&cursor);
		if (rank < first->nr_members)
			measure_unify_push(comms->unified, &members, first->members[rank]);
		else if (second && rank - first->nr_members < second->nr_members)
			measure_unify_push(comms->unified, &members,
				second->members[rank - first->nr_members]);
	}
	uint32_t group = measure_unify_group(comms->unified, OTF2_GROUP_TYPE_COMM_GROUP,
		OTF2_PARADIGM_MPI, members.items, (uint32_t)members.nr);
	free(members.items);
	return group;
}

static bool make_relative(struct comms *comms, uint32_t id)
{
	struct measure_otf2_comm *items = comms->unified->definitions.comms.items;
	const struct measure_def_comm *def = comms->relatives.items[id];
	struct measure_otf2_comm *comm = &items[id];

	if (!def || comm->parent == MEASURE_NO_ID || !has_groups(&items[comm->parent]))
		return false;
	comm->group = make_group_within(comms, &items[comm->parent], &def->members);
	if (comm->is_inter)
		comm->other_group = make_group_within(comms, &items[comm->parent], &def->others);
	comms->relatives.items[id] = NULL;
	return true;
}

/* Those of a damaged archive that come to nothing have nobody in them. */
static void make_relatives(struct comms *comms)
{
	struct measure_archive_definitions *definitions = &comms->unified->definitions;
	bool is_any = true;

	while (is_any && comms->unified->status == MEASURE_OK) {
		is_any = false;
		for (uint32_t i = 0; i < comms->relatives.nr; i++)
			is_any |= make_relative(comms, i);
	}
	for (uint32_t i = 0; i < definitions->comms.nr; i++) {
		struct measure_otf2_comm *comm = &definitions->comms.items[i];
		if (has_groups(comm))
			continue;
		uint32_t nobody = measure_unify_group(
			comms->unified, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, NULL, 0);
		comm->group = comm->group == MEASURE_NO_ID ? nobody : comm->group;
		if (comm->is_inter && comm->other_group == MEASURE_NO_ID)
			comm->other_group = nobody;
	}
}

/* ------------------------------------------------------------------ parents first --- */

/* Gives a communicator and those that it comes from their places, `placed[id]`. The walk to the
 * first ancestor is repeated for each of them, but lines are short. */
static void place(const struct measure_archive_definitions *definitions, uint32_t id,
	uint32_t *placed, uint32_t *nr_placed)
{
	while (placed[id] == MEASURE_NO_ID) {
		uint32_t next = id;
		for (size_t steps = 0; steps < definitions->comms.nr; steps++) {
			uint32_t parent = definitions->comms.items[next].parent;
			if (parent == MEASURE_NO_ID || placed[parent] != MEASURE_NO_ID)
				break;
			next = parent;
		}
		placed[next] = (*nr_placed)++;
	}
}

static void move(struct comms *comms, const uint32_t *placed)
{
	struct measure_unified *unified = comms->unified;
	size_t nr = unified->definitions.comms.nr;
	struct measure_otf2_comm *moved = malloc(nr * sizeof(*moved));

	if (!moved) {
		measure_unify_note(comms->unified, MEASURE_ERROR_MEMORY);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		struct measure_otf2_comm *to = &moved[placed[i]];
		*to = unified->definitions.comms.items[i];
		if (to->parent != MEASURE_NO_ID)
			to->parent = placed[to->parent];
	}
	for (size_t i = 0; i < nr; i++)
		unified->definitions.comms.items[i] = moved[i];
	free(moved);
	for (size_t i = 0; i < unified->locals.nr; i++)
		for (size_t k = 0; k < unified->locals.items[i].comms.nr; k++)
			unified->locals.items[i].comms.items[k] =
				placed[unified->locals.items[i].comms.items[k]];
}

/* A parent that one process told of may have got its id after the child that another process
 * knows, too. */
static void order_parents(struct comms *comms)
{
	const struct measure_archive_definitions *definitions = &comms->unified->definitions;
	uint32_t nr = (uint32_t)definitions->comms.nr, nr_placed = 0;
	uint32_t *placed = malloc((nr + 1) * sizeof(*placed));
	bool is_moved = false;

	if (!placed) {
		measure_unify_note(comms->unified, MEASURE_ERROR_MEMORY);
		return;
	}
	memset(placed, 0xff, (nr + 1) * sizeof(*placed));
	for (uint32_t i = 0; i < nr; i++) {
		place(definitions, i, placed, &nr_placed);
		is_moved |= placed[i] != i;
	}
	if (is_moved)
		move(comms, placed);
	free(placed);
}

void measure_unify_comms(struct measure_unified *unified)
{
	struct comms comms = {.unified = unified};

	add_rank_locations(&comms, OTF2_PARADIGM_SHMEM);
	add_rank_locations(&comms, OTF2_PARADIGM_MPI);
	for (uint32_t paradigm = 0; paradigm < NR_PARADIGMS; paradigm++)
		add_team_locations(&comms, paradigm);
	for (size_t i = 0; i < unified->job->processes.nr; i++)
		if (unified->job->processes.items[i].part && unified->status == MEASURE_OK)
			unify_part(&comms, i);
	if (unified->status == MEASURE_OK)
		make_relatives(&comms);
	if (unified->status == MEASURE_OK)
		order_parents(&comms);
	for (uint32_t paradigm = 0; paradigm < NR_PARADIGMS; paradigm++)
		free(comms.first_location[paradigm]);
	free(comms.has_given_name.items);
	free(comms.relatives.items);
	measure_intern_free(&comms.keys);
}
