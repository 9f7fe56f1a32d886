/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and freeing communicators. Definitions are made outside of brackets: they take
 * locks. The children of a communicator are counted also where no event is recorded, or
 * the members would not agree on the identity of later ones. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "coll.h"
#include "comm.h"
#include "p2p.h"
#include "real.h"
#include "refusal.h"

static const struct measure_communicator *add(
	bool is_recorded, int result, MPI_Comm parent, int tag, const MPI_Comm *newcomm)
{
	if (!measure_mpi_is_on || result != MPI_SUCCESS || *newcomm == MPI_COMM_NULL)
		return NULL;
	return measure_communicator_add(parent, tag, *newcomm, is_recorded);
}

/* The communicator made, and the end of the collective that it was made in. */
static void write_creation(struct measure_location *location,
	const struct measure_communicator *created, const struct measure_communicator *comm)
{
	if (created)
		measure_write_comm_create(location, created->id);
	if (comm)
		measure_collective_end(location, OTF2_COLLECTIVE_OP_CREATE_HANDLE, comm,
			MPI_SUCCESS, OTF2_COLLECTIVE_ROOT_NONE, measure_no_traffic);
}

void measure_comm_made_after(enum measure_call call, bool is_recorded, int result, MPI_Comm comm,
	const struct measure_communicator *created, const struct measure_communicator *collective)
{
	const struct measure_communicator *known;
	struct measure_location *location =
		measure_collective_return(is_recorded, result, comm, &known);

	if (!location)
		return;
	if (known)
		write_creation(location, created, collective ? collective : known);
	measure_refusal_leave(location, call, result);
}

void measure_comm_create_after(enum measure_call call, bool is_recorded, int result, MPI_Comm comm,
	const MPI_Comm *newcomm)
{
	const struct measure_communicator *created =
		add(is_recorded, result, comm, MEASURE_COMM_NO_TAG, newcomm);

	measure_comm_made_after(call, is_recorded, result, comm, created, NULL);
}

void measure_comm_created_after(enum measure_call call, bool is_recorded, int result,
	const struct measure_communicator *created)
{
	struct measure_location *location = measure_refusal_return(is_recorded, result);

	if (!location)
		return;
	write_creation(location, created, created);
	measure_refusal_leave(location, call, result);
}

static bool is_member(MPI_Group group)
{
	int rank = MPI_UNDEFINED;

	if (group != MPI_GROUP_NULL && group != (MPI_Group)0)
		measure_mpi.Group_rank(group, &rank);
	return rank != MPI_UNDEFINED;
}

bool measure_comm_create_group_before(enum measure_call call, MPI_Comm comm, MPI_Group group)
{
	if (!measure_call_is_on(call))
		return false;
	return is_member(group) ? measure_collective_before(call, comm)
				: measure_plain_before(call);
}

void measure_comm_create_group_after(enum measure_call call, bool is_recorded, int result,
	MPI_Comm comm, int tag, const MPI_Comm *newcomm)
{
	measure_comm_created_after(
		call, is_recorded, result, add(is_recorded, result, comm, tag, newcomm));
}

void measure_intercomm_create_after(enum measure_call call, bool is_recorded, int result,
	MPI_Comm comm, int leader, MPI_Comm bridge, int tag, const MPI_Comm *newcomm)
{
	const struct measure_communicator *created = NULL;
	const struct measure_communicator *local = NULL;

	if (measure_mpi_is_on && result == MPI_SUCCESS && *newcomm != MPI_COMM_NULL)
		local = measure_communicator_find(comm);
	if (local)
		created = measure_communicator_add_inter(
			local->rank == (uint32_t)leader ? bridge : MPI_COMM_NULL, tag, *newcomm,
			is_recorded);
	measure_comm_made_after(call, is_recorded, result, comm, created, created);
}

void measure_comm_idup_after(enum measure_call call, struct measure_start start, int result,
	MPI_Comm comm, const MPI_Comm *newcomm, const MPI_Request *request)
{
	const struct measure_communicator *parent = measure_communicator_find(comm);
	struct measure_request idup = {
		.id = start.id,
		.kind = MEASURE_REQUEST_IDUP,
		.is_silent = !start.communicator,
	};

	if (measure_mpi_is_on && result == MPI_SUCCESS && parent) {
		idup.comm = parent->id;
		idup.idup.newcomm = *newcomm;
		idup.idup.prepared = measure_communicator_prepare_duplicate(comm, !idup.is_silent);
		if (idup.idup.prepared)
			measure_request_add(*request, &idup);
	}
	measure_start_leave(call, start, result);
}

/* Attributes may use it while MPI frees it, or keep it from being freed. */
struct measure_comm_freed measure_comm_free_before(enum measure_call call, const MPI_Comm *comm)
{
	struct measure_comm_freed freed = {.id = MEASURE_UNDEFINED};
	struct measure_location *location;

	if (!measure_mpi_is_on)
		return freed;
	if (comm) {
		freed.handle = *comm;
		freed.id = measure_communicator_freeable(*comm);
	}
	location = measure_call_enter(call);
	if (!location)
		return freed;
	freed.is_recorded = true;
	if (freed.id != MEASURE_UNDEFINED)
		measure_write_mpi_collective_begin(location);
	measure_record_end(location);
	return freed;
}

static void write_free(struct measure_location *location, measure_comm_t id)
{
	measure_write_comm_destroy(location, id);
	measure_write_mpi_collective_end(
		location, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, id, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

void measure_comm_free_after(enum measure_call call, struct measure_comm_freed freed, int result)
{
	const bool is_gone = freed.id != MEASURE_UNDEFINED && result == MPI_SUCCESS;
	struct measure_location *location = measure_refusal_return(freed.is_recorded, result);

	if (location && is_gone)
		write_free(location, freed.id);
	if (location)
		measure_refusal_leave(location, call, result);
	if (is_gone)
		measure_communicator_remove(freed.handle, freed.id);
}

/* MPI's own word for the name: it may have cut it. */
void measure_comm_set_name_after(enum measure_call call, bool is_recorded, int result, MPI_Comm comm)
{
	const struct measure_communicator *communicator = NULL;
	char name[MPI_MAX_OBJECT_NAME] = "";
	int length = 0;

	if (measure_mpi_is_on && result == MPI_SUCCESS)
		communicator = measure_communicator_find(comm);
	if (communicator && measure_mpi.Comm_get_name(comm, name, &length) == MPI_SUCCESS)
		measure_comm_name(communicator->id, name);
	measure_plain_after(call, is_recorded);
}
