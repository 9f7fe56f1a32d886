/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and freeing communicators. Definitions are made outside of transactions: they take
 * locks. The children of a communicator are counted also where no event is recorded, or
 * the members would not agree on the identity of later ones. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "../coll/coll_calls.h"
#include "../core/failed_calls.h"
#include "../core/pmpi.h"
#include "../p2p/p2p.h"
#include "comm_calls.h"

static bool is_made(int result, const MPI_Comm *newcomm)
{
	return result == MPI_SUCCESS && *newcomm != MPI_COMM_NULL;
}

static const struct measure_communicator *comm_add_child(
	measure_region_t region, int result, MPI_Comm parent, int tag, const MPI_Comm *newcomm)
{
	if (!is_made(result, newcomm))
		return NULL;
	return measure_communicator_add(parent, tag, *newcomm, region != MEASURE_UNDEFINED);
}

/* The communicator made, and the end of the collective that it was made in. */
static void comm_write_creation(struct measure_location *location,
	const struct measure_communicator *created, const struct measure_communicator *comm)
{
	if (created)
		measure_write_comm_create(location, created->id);
	if (comm)
		measure_collective_end(location, OTF2_COLLECTIVE_OP_CREATE_HANDLE, comm,
			MPI_SUCCESS, OTF2_COLLECTIVE_ROOT_NONE, measure_no_traffic);
}

void measure_comm_made_after(measure_region_t region, int result, MPI_Comm comm,
	const struct measure_communicator *created, const struct measure_communicator *collective)
{
	const struct measure_communicator *known;
	struct measure_location *location = measure_collective_return(region, result, comm, &known);

	if (!location)
		return;
	if (known)
		comm_write_creation(location, created, collective ? collective : known);
	measure_failure_leave(location, region, result);
}

void measure_comm_create_after(
	measure_region_t region, int result, MPI_Comm comm, const MPI_Comm *newcomm)
{
	const struct measure_communicator *created =
		comm_add_child(region, result, comm, MEASURE_COMM_NO_TAG, newcomm);

	measure_comm_made_after(region, result, comm, created, NULL);
}

/* After a creation that only the new communicator's members take part in; NULL: it is unknown. */
static void comm_created_after(
	measure_region_t region, int result, const struct measure_communicator *created)
{
	struct measure_location *location = measure_failure_return(region, result);

	if (!location)
		return;
	comm_write_creation(location, created, created);
	measure_failure_leave(location, region, result);
}

static bool group_is_member(MPI_Group group)
{
	int rank = MPI_UNDEFINED;

	if (group != MPI_GROUP_NULL && group != (MPI_Group)0)
		measure_mpi.Group_rank(group, &rank);
	return rank != MPI_UNDEFINED;
}

measure_region_t measure_comm_create_group_before(
	enum measure_call call, MPI_Comm comm, MPI_Group group)
{
	return group_is_member(group) ? measure_partial_collective_before(call, comm)
				      : measure_plain_before(call);
}

void measure_comm_create_group_after(
	measure_region_t region, int result, MPI_Comm comm, int tag, const MPI_Comm *newcomm)
{
	comm_created_after(region, result, comm_add_child(region, result, comm, tag, newcomm));
}

/* Below all tags of programs, and MEASURE_COMM_NO_TAG. */
static int tag_of_text(const char *text)
{
	uint32_t hash = 2166136261u;

	for (const char *c = text; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 16777619u;
	return -2 - (int)(hash >> 2);
}

void measure_comm_from_group_after(
	measure_region_t region, int result, const char *stringtag, const MPI_Comm *newcomm)
{
	const struct measure_communicator *created = NULL;

	if (is_made(result, newcomm))
		created = measure_communicator_add_inter(MPI_COMM_NULL, tag_of_text(stringtag),
			*newcomm, region != MEASURE_UNDEFINED);
	comm_created_after(region, result, created);
}

void measure_intercomm_create_after(measure_region_t region, int result, MPI_Comm comm, int leader,
	MPI_Comm bridge, int tag, const MPI_Comm *newcomm)
{
	const struct measure_communicator *created = NULL;
	const struct measure_communicator *local = NULL;

	if (is_made(result, newcomm))
		local = measure_communicator_find(comm);
	if (local)
		created = measure_communicator_add_inter(
			local->rank == (uint32_t)leader ? bridge : MPI_COMM_NULL, tag, *newcomm,
			region != MEASURE_UNDEFINED);
	measure_comm_made_after(region, result, comm, created, created);
}

/* What is not recorded takes no id. */
struct measure_start measure_comm_idup_before(enum measure_call call, MPI_Comm comm)
{
	if (!measure_call_is_recorded(call))
		return (struct measure_start){.region = MEASURE_UNDEFINED};
	return measure_icollective_before(
		call, OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_ROOT_NONE, comm);
}

void measure_comm_idup_after(struct measure_start start, int result, MPI_Comm comm,
	const MPI_Comm *newcomm, const MPI_Request *request)
{
	const struct measure_communicator *parent = measure_communicator_find(comm);
	struct measure_request idup = {
		.id = start.id,
		.kind = MEASURE_REQUEST_IDUP,
		.is_silent = !start.communicator,
	};

	if (result == MPI_SUCCESS && parent) {
		idup.comm = parent->id;
		idup.idup.newcomm = *newcomm;
		idup.idup.prepared = measure_communicator_prepare_duplicate(comm, !idup.is_silent);
		if (idup.idup.prepared)
			measure_request_add(*request, &idup);
	}
	measure_start_leave(start, result);
}

/* Attributes may use it while MPI frees it, or keep it from being freed. */
struct measure_comm_freed measure_comm_free_before(enum measure_call call, const MPI_Comm *comm)
{
	struct measure_comm_freed freed = {.id = MEASURE_UNDEFINED};
	struct measure_location *location;

	if (comm) {
		freed.handle = *comm;
		freed.id = measure_communicator_freeable(*comm);
	}
	location = measure_call_enter(call, &freed.region);
	if (!location)
		return freed;
	if (freed.id != MEASURE_UNDEFINED)
		measure_write_mpi_collective_begin(location);
	measure_record_end(location);
	return freed;
}

static void comm_write_freeing(struct measure_location *location, measure_comm_t id)
{
	measure_write_comm_destroy(location, id);
	measure_write_mpi_collective_end(
		location, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, id, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

void measure_comm_free_after(struct measure_comm_freed freed, int result)
{
	const bool is_gone = freed.id != MEASURE_UNDEFINED && result == MPI_SUCCESS;
	struct measure_location *location = measure_failure_return(freed.region, result);

	if (location && is_gone)
		comm_write_freeing(location, freed.id);
	if (location)
		measure_failure_leave(location, freed.region, result);
	if (is_gone)
		measure_communicator_remove(freed.handle, freed.id);
}

/* MPI's own word for the name: it may have cut it. */
void measure_comm_set_name_after(measure_region_t region, int result, MPI_Comm comm)
{
	const struct measure_communicator *communicator = NULL;
	char name[MPI_MAX_OBJECT_NAME] = "";
	int length = 0;

	if (result == MPI_SUCCESS)
		communicator = measure_communicator_find(comm);
	if (communicator && measure_mpi.Comm_get_name(comm, name, &length) == MPI_SUCCESS)
		measure_comm_name(communicator->id, name);
	measure_plain_after(region);
}
