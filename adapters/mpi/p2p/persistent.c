/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and starting persistent requests. */
#include "config.h"

#include "p2p.h"

/* A message that is known whole when its request is made. */
static void message_add_persistent(
	enum measure_request_kind kind, struct measure_message message, MPI_Request request)
{
	struct measure_request made = {.kind = kind, .is_persistent = true};

	if (!message.communicator)
		return;
	made.id = measure_request_new_id();
	made.comm = message.communicator->id;
	made.envelope.bytes = message.bytes;
	made.envelope.peer = message.receiver;
	made.envelope.tag = message.tag;
	measure_request_add(request, &made);
}

void measure_send_init_after(measure_region_t region, int result, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
	if (result == MPI_SUCCESS)
		message_add_persistent(MEASURE_REQUEST_SEND,
			measure_message_of(count, type, dest, tag, comm), *request);
	measure_plain_after(region);
}

void measure_recv_init_after(
	measure_region_t region, int result, int source, MPI_Comm comm, const MPI_Request *request)
{
	struct measure_request made = {.kind = MEASURE_REQUEST_RECEIVE, .is_persistent = true};
	const struct measure_communicator *communicator = NULL;

	if (result == MPI_SUCCESS && source != MPI_PROC_NULL)
		communicator = measure_communicator_find(comm);
	if (communicator) {
		made.id = measure_request_new_id();
		made.comm = communicator->id;
		measure_request_add(*request, &made);
	}
	measure_plain_after(region);
}

/* Its status tells nothing that is not known here: there are no wildcards. */
void measure_precv_init_after(measure_region_t region, int result, MPI_Count count,
	MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
	if (result == MPI_SUCCESS)
		message_add_persistent(MEASURE_REQUEST_PARTITIONED,
			measure_message_of(count, type, source, tag, comm), *request);
	measure_plain_after(region);
}

static void request_write_start(struct measure_location *location, MPI_Request handle)
{
	struct measure_request request;

	if (!measure_request_look_up(handle, &request) || request.is_active)
		return;
	if (request.kind == MEASURE_REQUEST_SEND)
		measure_write_mpi_isend(location, request.envelope.peer, request.comm,
			request.envelope.tag, request.envelope.bytes, request.id);
	else if (request.kind == MEASURE_REQUEST_COLLECTIVE)
		measure_write_non_blocking_collective_request(location, request.id);
	else
		measure_write_mpi_irecv_request(location, request.id);
}

measure_region_t measure_start_all_before(
	enum measure_call call, int count, const MPI_Request *requests)
{
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	for (int i = 0; requests && i < count; i++)
		request_write_start(location, requests[i]);
	measure_record_end(location);
	return region;
}

/* None has started where one has failed. */
static void request_write_failure(struct measure_location *location, MPI_Request handle)
{
	struct measure_request request;

	if (measure_request_look_up(handle, &request) && !request.is_active)
		measure_write_cancelled(location, &request);
}

void measure_start_all_after(
	measure_region_t region, int result, int count, const MPI_Request *requests)
{
	struct measure_location *location;

	if (result == MPI_SUCCESS)
		for (int i = 0; i < count; i++)
			measure_request_activate(requests[i], region != MEASURE_UNDEFINED);
	location = measure_call_return(region);
	if (!location)
		return;
	if (result != MPI_SUCCESS)
		for (int i = 0; requests && i < count; i++)
			request_write_failure(location, requests[i]);
	measure_call_leave(location, region);
}
