/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send and a receive with one request. */
#include "config.h"

#include "p2p.h"

static void isend_write(
	struct measure_location *location, const struct measure_message *message, uint64_t id)
{
	measure_write_mpi_isend(location, message->receiver, message->communicator->id,
		message->tag, message->bytes, id);
}

/* What is known of the receive before MPI has looked at the arguments. */
static struct measure_request isendrecv_describe(const struct measure_communicator *communicator,
	bool has_send, bool has_receive, int source, int tag)
{
	struct measure_request request = {.comm = communicator->id};

	if (!has_receive) {
		request.kind = MEASURE_REQUEST_SEND;
		request.id = measure_request_new_id();
		return request;
	}
	request.kind = MEASURE_REQUEST_SENDRECV;
	request.has_send = has_send;
	request.id = has_send ? measure_request_new_pair() : measure_request_new_id();
	request.envelope.peer = (uint32_t)source;
	request.envelope.tag = (uint32_t)tag;
	return request;
}

struct measure_isendrecv measure_isendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, int source, int recvtag, MPI_Comm comm)
{
	const struct measure_communicator *communicator = measure_communicator_find(comm);
	const struct measure_message message = measure_message_of(count, type, dest, tag, comm);
	struct measure_isendrecv isendrecv = {.is_kept = false};
	struct measure_location *location;

	isendrecv.is_kept = communicator && (message.communicator || source != MPI_PROC_NULL);
	if (isendrecv.is_kept)
		isendrecv.request = isendrecv_describe(communicator, message.communicator != NULL,
			source != MPI_PROC_NULL, source, recvtag);
	location = measure_call_enter(call, &isendrecv.region);
	if (!location) {
		isendrecv.is_kept = false;
		return isendrecv;
	}
	if (message.communicator)
		isend_write(location, &message, isendrecv.request.id + isendrecv.request.has_send);
	if (isendrecv.request.kind == MEASURE_REQUEST_SENDRECV)
		measure_write_mpi_irecv_request(location, isendrecv.request.id);
	measure_record_end(location);
	return isendrecv;
}

/* The arguments are good where the call has succeeded. */
void measure_isendrecv_after(struct measure_isendrecv *isendrecv, int result, MPI_Count recvcount,
	MPI_Datatype recvtype, const MPI_Request *request)
{
	struct measure_location *location;

	if (isendrecv->is_kept && result == MPI_SUCCESS) {
		if (isendrecv->request.kind == MEASURE_REQUEST_SENDRECV)
			isendrecv->request.envelope.bytes = measure_type_bytes(recvcount, recvtype);
		measure_request_add(*request, &isendrecv->request);
	}
	location = measure_call_return(isendrecv->region);
	if (!location)
		return;
	if (isendrecv->is_kept && result != MPI_SUCCESS)
		measure_write_cancelled(location, &isendrecv->request);
	measure_call_leave(location, isendrecv->region);
}

/* MPICH 4.0 leaves the status of such a request as it was. One that contradicts the call is taken
 * for such, and the receive for one of what was asked for. */
static bool is_meant(const struct measure_envelope *asked, const MPI_Status *status)
{
	const int source = (int)asked->peer;
	const int tag = (int)asked->tag;

	if (source != MPI_ANY_SOURCE && source != status->MPI_SOURCE)
		return false;
	return tag == MPI_ANY_TAG || tag == status->MPI_TAG;
}

void measure_isendrecv_write(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status)
{
	const struct measure_envelope *asked = &request->envelope;

	if (request->has_send)
		measure_write_mpi_isend_complete(location, request->id + 1);
	if (is_meant(asked, status))
		measure_write_receive(location, request, status);
	else
		measure_write_mpi_irecv(location, asked->peer, request->comm, asked->tag,
			asked->bytes, request->id);
}
