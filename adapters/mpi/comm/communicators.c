/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: their identity, and the table of them. */
#include "config.h"

#include <stdlib.h>

#include <otf2/OTF2_GeneralDefinitions.h>

#include "../core/pmpi.h"
#include "../core/job_transport.h"
#include "../topology/topology.h"
#include "communicators.h"

struct measure_communicator *measure_communicator_world;

static struct measure_handles table = MEASURE_HANDLES(struct measure_communicator);

static uint64_t comm_handle(MPI_Comm comm)
{
	return (uint64_t)(uintptr_t)comm;
}

static struct measure_communicator *comm_find_locked(MPI_Comm comm)
{
	return (struct measure_communicator *)measure_handle_find_locked(&table, comm_handle(comm));
}

const struct measure_communicator *measure_communicator_lookup(MPI_Comm comm)
{
	return (const struct measure_communicator *)measure_handle_lookup(
		&table, comm_handle(comm));
}

static void comm_remove_locked(struct measure_communicator *entry)
{
	measure_child_counts_free(&entry->children);
	free(entry->neighbours);
	free(entry->points);
	entry->neighbours = NULL;
	entry->points = NULL;
	measure_handle_remove_locked(&table, &entry->handle);
}

/* Defines a communicator of the size and with this process's rank of `comm`. */
static bool comm_define(
	const struct measure_comm_info *info, MPI_Comm comm, struct measure_communicator *filled)
{
	int rank = 0;
	int size = 0;
	int remote_size = 0;

	measure_mpi.Comm_rank(comm, &rank);
	measure_mpi.Comm_size(comm, &size);
	filled->is_inter = info->kind == MEASURE_COMM_INTER;
	if (filled->is_inter)
		measure_mpi.Comm_remote_size(comm, &remote_size);
	filled->key = info->key;
	filled->rank = (uint32_t)rank;
	filled->local_size = (uint32_t)size;
	filled->size = (uint32_t)(filled->is_inter ? remote_size : size);
	filled->id = measure_comm_define(info);
	if (filled->id == MEASURE_UNDEFINED)
		return false;
	if (filled->is_inter)
		return true;
	measure_topology_define(comm, filled->id, filled->rank);
	filled->neighbours = measure_neighbours_get(comm, filled->rank);
	filled->points = measure_sync_points_open(comm);
	return true;
}

static void comm_free_parts(const struct measure_communicator *filled)
{
	free(filled->neighbours);
	free(filled->points);
}

static struct measure_communicator *comm_publish(
	const struct measure_communicator *filled, MPI_Comm comm)
{
	struct measure_communicator *stale;
	struct measure_handle *handle;

	measure_handles_lock(&table);
	stale = comm_find_locked(comm);
	if (stale) /* freed by a call that we did not see */
		comm_remove_locked(stale);
	handle = measure_handle_add_locked(&table, &filled->handle, comm_handle(comm));
	measure_handles_unlock(&table);
	if (!handle)
		comm_free_parts(filled);
	return (struct measure_communicator *)handle;
}

static struct measure_communicator *comm_define_and_publish(
	const struct measure_comm_info *info, MPI_Comm comm)
{
	struct measure_communicator filled = {0};

	return comm_define(info, comm, &filled) ? comm_publish(&filled, comm) : NULL;
}

measure_status_t measure_communicator_open_world(struct measure_comm_key world)
{
	struct measure_comm_info info = {
		.kind = MEASURE_COMM_WORLD,
		.name = "MPI_COMM_WORLD",
		.key = world,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_MPI,
	};
	struct measure_communicator *entry = measure_communicator_world;

	if (!entry) /* else sessions have defined it */
		entry = comm_define_and_publish(&info, MPI_COMM_WORLD);
	if (!entry)
		return MEASURE_ERROR_MEMORY;
	info.kind = MEASURE_COMM_SELF;
	info.name = "MPI_COMM_SELF";
	info.key = measure_identity_of_self(world, entry->rank);
	comm_define_and_publish(&info, MPI_COMM_SELF);
	measure_communicator_world = entry;
	return measure_identity_open_world();
}

/* It has the handle of MPI_COMM_WORLD, which nobody can use before MPI_Init. */
void measure_communicator_open_process_set(
	struct measure_comm_key world, uint32_t rank, uint32_t size)
{
	const struct measure_comm_info info = {
		.kind = MEASURE_COMM_WORLD,
		.name = "mpi://WORLD",
		.key = world,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_MPI,
	};
	const struct measure_communicator filled = {
		.id = measure_comm_define(&info),
		.rank = rank,
		.size = size,
		.local_size = size,
		.key = world,
	};

	if (filled.id != MEASURE_UNDEFINED)
		measure_communicator_world = comm_publish(&filled, MPI_COMM_WORLD);
}

/* The key, and the count of the parent's children that it includes. */
static bool comm_name_child(MPI_Comm parent, int tag, const struct measure_members *members,
	struct measure_comm_info *info)
{
	const uint64_t kinship = measure_identity_kinship(members, tag);
	struct measure_communicator *entry;
	uint64_t nr_before = 0;
	bool is_counted = false;

	measure_handles_lock(&table);
	entry = comm_find_locked(parent);
	if (entry) {
		is_counted = measure_child_counts_add(&entry->children, kinship, &nr_before);
		info->parent = entry->id;
		info->key = measure_identity_of_child(entry->key, kinship, nr_before);
	}
	measure_handles_unlock(&table);
	return is_counted;
}

/* Counted as children of a kinship that no members and tag come to. */
bool measure_communicator_name_object(
	MPI_Comm comm, enum measure_object kind, struct measure_comm_key *key)
{
	const uint64_t kinship = (uint64_t)kind;
	struct measure_communicator *entry;
	uint64_t nr_before = 0;
	bool is_counted = false;

	measure_handles_lock(&table);
	entry = comm_find_locked(comm);
	if (entry) {
		is_counted = measure_child_counts_add(&entry->children, kinship, &nr_before);
		*key = measure_identity_of_child(entry->key, kinship, nr_before);
	}
	measure_handles_unlock(&table);
	return is_counted;
}

/* Defines what has been made of the communicator `from`, with the members of `comm`. `parent`:
 * as the archive says. */
static bool comm_define_made(MPI_Comm from, int tag, MPI_Comm comm, const measure_comm_t *parent,
	bool has_events, struct measure_communicator *filled)
{
	struct measure_comm_info info = {
		.paradigm = OTF2_PARADIGM_MPI,
		.has_events = has_events,
	};
	struct measure_members members;
	measure_status_t status;
	bool is_defined;

	const struct measure_communicator *known = measure_communicator_find(from);

	if (!known)
		return false;
	if (known->has_foreign)
		status = measure_members_within(comm, from, known->is_second, &members);
	else
		status = measure_members_get(comm, &members);
	if (status != MEASURE_OK)
		return false;
	info.is_relative = members.is_relative;
	filled->is_second = members.is_second;
	filled->has_foreign = members.is_relative;
	info.kind = members.nr_others ? MEASURE_COMM_INTER : MEASURE_COMM_GROUP;
	info.nr_members = members.nr;
	info.members = members.ranks;
	info.nr_others = members.nr_others;
	info.others = members.others;
	is_defined = comm_name_child(from, tag, &members, &info);
	if (parent)
		info.parent = *parent;
	is_defined = is_defined && comm_define(&info, comm, filled);
	measure_members_free(&members);
	return is_defined;
}

/* Defines a child of `parent` that has the members of `comm`. */
static bool comm_define_child(MPI_Comm parent, int tag, MPI_Comm comm, bool has_events,
	struct measure_communicator *filled)
{
	return comm_define_made(parent, tag, comm, NULL, has_events, filled);
}

const struct measure_communicator *measure_communicator_add(
	MPI_Comm parent, int tag, MPI_Comm comm, bool has_events)
{
	struct measure_communicator filled = {0};

	return comm_define_child(parent, tag, comm, has_events, &filled)
		       ? comm_publish(&filled, comm)
		       : NULL;
}

const struct measure_communicator *measure_communicator_add_inter(
	MPI_Comm bridge, int tag, MPI_Comm comm, bool has_events)
{
	const struct measure_communicator *common = measure_communicator_find(bridge);
	const measure_comm_t parent = common ? common->id : MEASURE_UNDEFINED;
	struct measure_communicator filled = {0};

	if (!comm_define_made(MPI_COMM_WORLD, tag, comm, &parent, has_events, &filled))
		return NULL;
	return comm_publish(&filled, comm);
}

const struct measure_communicator *measure_communicator_add_side(
	MPI_Comm comm, struct measure_comm_key key, enum measure_comm_side side, bool has_events)
{
	struct measure_comm_info info = {
		.kind = MEASURE_COMM_INTER,
		.key = key,
		.parent = MEASURE_UNDEFINED,
		.paradigm = OTF2_PARADIGM_MPI,
		.has_events = has_events,
		.side = side,
	};
	struct measure_communicator filled = {0};
	struct measure_members members;
	int remote_size = 0;
	bool is_defined;

	if (measure_members_of_own_side(comm, &members) != MEASURE_OK)
		return NULL;
	measure_mpi.Comm_remote_size(comm, &remote_size);
	info.nr_members = members.nr;
	info.members = members.ranks;
	info.nr_others = (uint32_t)remote_size;
	filled.is_second = side == MEASURE_SIDE_SECOND;
	filled.has_foreign = true;
	is_defined = comm_define(&info, comm, &filled);
	measure_members_free(&members);
	return is_defined ? comm_publish(&filled, comm) : NULL;
}

/* A duplicate has the topology of what it is one of. */
struct measure_communicator *measure_communicator_prepare_duplicate(
	MPI_Comm parent, bool has_events)
{
	struct measure_communicator *prepared = calloc(1, sizeof(*prepared));

	if (prepared &&
		comm_define_child(parent, MEASURE_COMM_NO_TAG, parent, has_events, prepared))
		return prepared;
	free(prepared);
	return NULL;
}

void measure_communicator_publish(struct measure_communicator *prepared, MPI_Comm comm)
{
	comm_publish(prepared, comm);
	free(prepared);
}

void measure_communicator_discard(struct measure_communicator *prepared)
{
	if (prepared)
		comm_free_parts(prepared);
	free(prepared);
}

measure_comm_t measure_communicator_freeable(MPI_Comm comm)
{
	const struct measure_communicator *entry = NULL;

	if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF && comm != MPI_COMM_NULL)
		entry = measure_communicator_lookup(comm);
	return entry ? entry->id : MEASURE_UNDEFINED;
}

void measure_communicator_remove(MPI_Comm comm, measure_comm_t id)
{
	struct measure_communicator *entry;

	measure_handles_lock(&table);
	entry = comm_find_locked(comm);
	if (entry && entry->id == id)
		comm_remove_locked(entry);
	measure_handles_unlock(&table);
}
