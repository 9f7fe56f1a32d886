/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives, all in one way. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "../core/failed_calls.h"
#include "../core/job_transport.h"
#include "../p2p/p2p.h"
#include "coll_calls.h"

measure_region_t measure_collective_before(enum measure_call call, MPI_Comm comm)
{
	const bool is_known = measure_communicator_find(comm) != NULL;
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (is_known)
		measure_write_mpi_collective_begin(location);
	measure_record_end(location);
	return region;
}

struct measure_location *measure_collective_return(measure_region_t region, int result,
	MPI_Comm comm, const struct measure_communicator **communicator)
{
	struct measure_location *location = measure_failure_return(region, result);

	*communicator = NULL;
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

struct measure_start measure_icollective_before(enum measure_call call, MPI_Comm comm)
{
	return measure_announce(call, true, comm, measure_write_non_blocking_collective_request);
}

const struct measure_communicator *measure_icollective_members(
	struct measure_start start, int result, MPI_Comm comm)
{
	if (!start.communicator || result != MPI_SUCCESS)
		return NULL;
	return measure_communicator_find(comm);
}

void measure_icollective_add(MPI_Request request, uint64_t id, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic)
{
	const struct measure_request started = {
		.id = id,
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
