/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start of nonblocking collectives. */
#include "config.h"

#include "icoll.h"
#include "p2p.h"

struct measure_start measure_icollective_before(enum measure_call call, MPI_Comm comm)
{
	return measure_announce(
		call, true, comm, measure_write_non_blocking_collective_request);
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
