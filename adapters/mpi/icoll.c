/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Start of nonblocking collectives. */
#include "config.h"

#include "icoll.h"

/* Announced before the PMPI call, so that its request is known to the trace before any
 * thread can complete it. */
struct measure_start measure_icollective_before(enum measure_call call, MPI_Comm comm)
{
	struct measure_start start = {0};
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return start;
	start.communicator = measure_communicator_find(comm);
	if (start.communicator)
		start.id = measure_request_new_id();
	location = measure_call_enter(call);
	if (!location)
		return (struct measure_start){0};
	start.is_recorded = true;
	if (start.communicator)
		measure_write_non_blocking_collective_request(location, start.id);
	measure_record_end(location);
	return start;
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
