/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send and a receive with one request. */
#include "config.h"

#include "exchange.h"
#include "p2p.h"

static void write_send(
	struct measure_location *location, const struct measure_message *message, uint64_t id)
{
	measure_write_mpi_isend(location, message->receiver, message->communicator->id,
		message->tag, message->bytes, id);
}

/* What is known of the receive before MPI has looked at the arguments. */
static struct measure_request describe(const struct measure_communicator *communicator,
	bool has_send, bool has_receive, int source, int tag)
{
	struct measure_request request = {.comm = communicator->id};

	if (!has_receive) {
		request.kind = MEASURE_REQUEST_SEND;
		request.id = measure_request_new_id();
		return request;
	}
	request.kind = MEASURE_REQUEST_EXCHANGE;
	request.has_send = has_send;
	request.id = has_send ? measure_request_new_pair() : measure_request_new_id();
	request.parcel.peer = (uint32_t)source;
	request.parcel.tag = (uint32_t)tag;
	return request;
}

struct measure_exchange measure_isendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, int source, int recvtag, MPI_Comm comm)
{
	struct measure_exchange exchange = {0};
	const struct measure_communicator *communicator;
	struct measure_message message;
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return exchange;
	communicator = measure_communicator_find(comm);
	message = measure_message_of(count, type, dest, tag, comm);
	exchange.is_kept = communicator && (message.communicator || source != MPI_PROC_NULL);
	if (exchange.is_kept)
		exchange.request = describe(communicator, message.communicator != NULL,
			source != MPI_PROC_NULL, source, recvtag);
	location = measure_call_enter(call);
	if (!location)
		return (struct measure_exchange){0};
	exchange.is_recorded = true;
	if (message.communicator)
		write_send(location, &message, exchange.request.id + exchange.request.has_send);
	if (exchange.request.kind == MEASURE_REQUEST_EXCHANGE)
		measure_write_mpi_irecv_request(location, exchange.request.id);
	measure_record_end(location);
	return exchange;
}

/* The arguments are good where the call has succeeded. */
void measure_isendrecv_after(enum measure_call call, struct measure_exchange *exchange, int result,
	MPI_Count recvcount, MPI_Datatype recvtype, const MPI_Request *request)
{
	struct measure_location *location;

	if (exchange->is_kept && result == MPI_SUCCESS) {
		if (exchange->request.kind == MEASURE_REQUEST_EXCHANGE)
			exchange->request.parcel.bytes = measure_type_bytes(recvcount, recvtype);
		measure_request_add(*request, &exchange->request);
	}
	location = measure_call_return(exchange->is_recorded);
	if (!location)
		return;
	if (exchange->is_kept && result != MPI_SUCCESS)
		measure_write_cancelled(location, &exchange->request);
	measure_call_leave(location, call);
}

void measure_write_cancelled(
	struct measure_location *location, const struct measure_request *request)
{
	measure_write_mpi_request_cancelled(location, request->id);
	if (request->has_send)
		measure_write_mpi_request_cancelled(location, request->id + 1);
}

/* MPICH 4.0 leaves the status of such a request as it was. One that contradicts the call is taken
 * for such, and the receive for one of what was asked for. */
static bool is_meant(const struct measure_parcel *asked, const MPI_Status *status)
{
	const int source = (int)asked->peer;
	const int tag = (int)asked->tag;

	if (source != MPI_ANY_SOURCE && source != status->MPI_SOURCE)
		return false;
	return tag == MPI_ANY_TAG || tag == status->MPI_TAG;
}

void measure_write_exchange(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status)
{
	const struct measure_parcel *asked = &request->parcel;

	if (request->has_send)
		measure_write_mpi_isend_complete(location, request->id + 1);
	if (is_meant(asked, status))
		measure_write_receive(location, request, status);
	else
		measure_write_mpi_irecv(location, asked->peer, request->comm, asked->tag,
			asked->bytes, request->id);
}
