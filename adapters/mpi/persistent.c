/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making and starting persistent requests. */
#include "config.h"

#include "exchange.h"
#include "p2p.h"
#include "persistent.h"

/* A message that is known whole when its request is made. */
static void message_init(enum measure_request_kind kind, struct measure_message message,
	MPI_Request request)
{
	struct measure_request made = {.kind = kind, .is_persistent = true};

	if (!message.communicator)
		return;
	made.id = measure_request_new_id();
	made.comm = message.communicator->id;
	made.parcel.bytes = message.bytes;
	made.parcel.peer = message.receiver;
	made.parcel.tag = message.tag;
	measure_request_add(request, &made);
}

void measure_send_init_after(enum measure_call call, bool is_recorded, int result, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
	if (measure_call_is_on(call) && result == MPI_SUCCESS)
		message_init(MEASURE_REQUEST_SEND,
			measure_message_of(count, type, dest, tag, comm), *request);
	measure_plain_after(call, is_recorded);
}

void measure_recv_init_after(enum measure_call call, bool is_recorded, int result, int source,
	MPI_Comm comm, const MPI_Request *request)
{
	struct measure_request made = {.kind = MEASURE_REQUEST_RECEIVE, .is_persistent = true};
	const struct measure_communicator *communicator = NULL;

	if (measure_call_is_on(call) && result == MPI_SUCCESS && source != MPI_PROC_NULL)
		communicator = measure_communicator_find(comm);
	if (communicator) {
		made.id = measure_request_new_id();
		made.comm = communicator->id;
		measure_request_add(*request, &made);
	}
	measure_plain_after(call, is_recorded);
}

/* Its status tells nothing that is not known here: there are no wildcards. */
void measure_precv_init_after(enum measure_call call, bool is_recorded, int result, MPI_Count count,
	MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request)
{
	if (measure_call_is_on(call) && result == MPI_SUCCESS)
		message_init(MEASURE_REQUEST_PARTITIONED,
			measure_message_of(count, type, source, tag, comm), *request);
	measure_plain_after(call, is_recorded);
}

const struct measure_communicator *measure_persistent_members(
	enum measure_call call, int result, MPI_Comm comm)
{
	if (!measure_call_is_on(call) || result != MPI_SUCCESS)
		return NULL;
	return measure_communicator_find(comm);
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

static void write_start(struct measure_location *location, MPI_Request handle)
{
	struct measure_request request;

	if (!measure_request_look_up(handle, &request) || request.is_active)
		return;
	if (request.kind == MEASURE_REQUEST_SEND)
		measure_write_mpi_isend(location, request.parcel.peer, request.comm,
			request.parcel.tag, request.parcel.bytes, request.id);
	else if (request.kind == MEASURE_REQUEST_COLLECTIVE)
		measure_write_non_blocking_collective_request(location, request.id);
	else
		measure_write_mpi_irecv_request(location, request.id);
}

bool measure_start_all_before(enum measure_call call, int count, const MPI_Request *requests)
{
	struct measure_location *location = measure_call_enter(call);

	if (!location)
		return false;
	for (int i = 0; requests && i < count; i++)
		write_start(location, requests[i]);
	measure_record_end(location);
	return true;
}

/* None has started where MPI has refused one. */
static void write_refusal(struct measure_location *location, MPI_Request handle)
{
	struct measure_request request;

	if (measure_request_look_up(handle, &request) && !request.is_active)
		measure_write_cancelled(location, &request);
}

void measure_start_all_after(enum measure_call call, bool is_recorded, int result, int count,
	const MPI_Request *requests)
{
	struct measure_location *location;

	if (measure_call_is_on(call) && result == MPI_SUCCESS)
		for (int i = 0; i < count; i++)
			measure_request_activate(requests[i], is_recorded);
	location = measure_call_return(is_recorded);
	if (!location)
		return;
	if (result != MPI_SUCCESS)
		for (int i = 0; requests && i < count; i++)
			write_refusal(location, requests[i]);
	measure_call_leave(location, call);
}
