/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Matched probes and their receives. */
#include "config.h"

#include "p2p.h"

static bool is_message(const int *flag, const MPI_Message *message)
{
	return flag && *flag && *message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC;
}

void measure_mprobe_after(measure_region_t region, int result, const int *flag, MPI_Comm comm,
	const MPI_Message *message)
{
	struct measure_location *location = measure_call_return(region);
	const struct measure_communicator *communicator = NULL;
	struct measure_request receive = {.kind = MEASURE_REQUEST_RECEIVE};

	if (!location)
		return;
	if (result == MPI_SUCCESS && is_message(flag, message))
		communicator = measure_communicator_find(comm);
	if (communicator) {
		receive.id = measure_request_new_id();
		receive.comm = communicator->id;
		measure_message_add(*message, &receive);
		measure_write_mpi_irecv_request(location, receive.id);
	}
	measure_poll_leave(location, region, result != MPI_SUCCESS || *flag);
}

struct measure_matched_receive measure_mrecv_before(
	enum measure_call call, const MPI_Message *message)
{
	struct measure_matched_receive matched = {.is_found = false};

	if (message) {
		matched.handle = *message;
		matched.is_found = measure_message_take(*message, &matched.receive);
	}
	matched.region = measure_plain_before(call);
	return matched;
}

/* What becomes of a message that was not received; true: it stays to be received. */
static bool message_put_back(
	const struct measure_matched_receive *matched, const MPI_Message *message)
{
	if (*message != matched->handle)
		return false;
	measure_message_add(*message, &matched->receive);
	return true;
}

void measure_mrecv_after(const struct measure_matched_receive *matched, int result,
	const MPI_Message *message, const MPI_Status *status)
{
	struct measure_location *location = measure_failure_return(matched->region, result);

	if (!location)
		return;
	if (matched->is_found && measure_has_received(result))
		measure_write_receive(location, &matched->receive, status);
	else if (matched->is_found && !message_put_back(matched, message))
		measure_write_mpi_request_cancelled(location, matched->receive.id);
	measure_call_leave(location, matched->region);
}

void measure_imrecv_after(const struct measure_matched_receive *matched, int result,
	const MPI_Message *message, const MPI_Request *request)
{
	struct measure_location *location;

	if (matched->is_found && result == MPI_SUCCESS)
		measure_request_add(*request, &matched->receive);
	location = measure_call_return(matched->region);
	if (!location)
		return;
	if (matched->is_found && result != MPI_SUCCESS && !message_put_back(matched, message))
		measure_write_mpi_request_cancelled(location, matched->receive.id);
	measure_call_leave(location, matched->region);
}
