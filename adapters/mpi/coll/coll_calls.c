/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives, all in one way. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "../core/failed_calls.h"
#include "../core/job_transport.h"
#include "../p2p/p2p.h"
#include "coll_calls.h"

/* Its number, where all members agree on it; 0: they need not. */
static uint32_t collective_count(
	const struct measure_communicator *communicator, uint8_t operation, uint32_t root)
{
	if (!communicator || communicator->is_inter)
		return 0;
	return measure_collective_count(communicator->id, operation, root);
}

static measure_region_t collective_enter(
	enum measure_call call, bool is_known, const struct measure_pending_item *item)
{
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (is_known)
		measure_write_mpi_collective_begin(location);
	measure_pending_note(location, *item);
	measure_record_end(location);
	return region;
}

measure_region_t measure_collective_before(
	enum measure_call call, uint8_t operation, uint32_t root, MPI_Comm comm)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);
	struct measure_pending_item item = {.kind = MEASURE_PENDING_OTHER};
	const uint32_t number = collective_count(communicator, operation, root);

	if (number > 0)
		item = (struct measure_pending_item){.kind = MEASURE_PENDING_COLLECTIVE,
			.operation = operation,
			.comm = communicator->id,
			.peer = root,
			.value = number};
	return collective_enter(call, communicator != NULL, &item);
}

measure_region_t measure_creation_before(enum measure_call call, MPI_Comm comm)
{
	return measure_collective_before(
		call, OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_COLLECTIVE_ROOT_NONE, comm);
}

measure_region_t measure_partial_collective_before(enum measure_call call, MPI_Comm comm)
{
	const struct measure_pending_item item = {.kind = MEASURE_PENDING_OTHER};

	return collective_enter(call, measure_communicator_find(comm) != NULL, &item);
}

/* Others may not have come to a call that this rank has left with an error. */
static void collective_doubt(MPI_Comm comm)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);

	if (communicator)
		measure_collective_doubt(communicator->id);
}

struct measure_location *measure_collective_return(measure_region_t region, int result,
	MPI_Comm comm, const struct measure_communicator **communicator)
{
	struct measure_location *location = measure_failure_return(region, result);

	*communicator = NULL;
	if (__builtin_expect(result != MPI_SUCCESS, 0))
		collective_doubt(comm);
	if (location && measure_has_received(result))
		*communicator = measure_communicator_find(comm);
	return location;
}

void measure_collective_end(struct measure_location *location, uint8_t operation,
	const struct measure_communicator *communicator, int result, uint32_t root,
	struct measure_traffic traffic)
{
	measure_write_mpi_collective_end(location, operation, communicator->id, root, traffic.sent,
		result == MPI_SUCCESS ? traffic.received : 0);
}

uint32_t measure_collective_root(int root)
{
	switch (root) {
	case MPI_ROOT:
		return OTF2_COLLECTIVE_ROOT_SELF;
	case MPI_PROC_NULL:
		return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	default:
		return (uint32_t)root;
	}
}

void measure_collective_has_synchronized(MPI_Comm comm)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);

	if (communicator)
		measure_sync_point_pass(communicator->key, communicator->points);
}

struct measure_start measure_icollective_before(
	enum measure_call call, uint8_t operation, uint32_t root, MPI_Comm comm)
{
	struct measure_start start =
		measure_announce(call, true, comm, measure_write_non_blocking_collective_request);

	start.number = collective_count(measure_communicator_find(comm), operation, root);
	return start;
}

const struct measure_communicator *measure_icollective_members(
	struct measure_start start, int result, MPI_Comm comm)
{
	if (result != MPI_SUCCESS)
		collective_doubt(comm);
	if (!start.communicator || result != MPI_SUCCESS)
		return NULL;
	return measure_communicator_find(comm);
}

void measure_icollective_add(MPI_Request request, struct measure_start start, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic)
{
	const struct measure_request started = {
		.id = start.id,
		.number = start.number,
		.comm = communicator->id,
		.root = root,
		.kind = MEASURE_REQUEST_COLLECTIVE,
		.operation = operation,
		.traffic = traffic,
	};

	measure_request_add(request, &started);
}

const struct measure_communicator *measure_persistent_members(int result, MPI_Comm comm)
{
	return result == MPI_SUCCESS ? measure_communicator_find(comm) : NULL;
}

void measure_persistent_add(MPI_Request request, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic)
{
	const struct measure_request made = {
		.id = measure_request_new_id(),
		.comm = communicator->id,
		.root = root,
		.kind = MEASURE_REQUEST_COLLECTIVE,
		.operation = operation,
		.is_persistent = true,
		.traffic = traffic,
	};

	measure_request_add(request, &made);
}
