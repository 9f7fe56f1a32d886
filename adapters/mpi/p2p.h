/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of blocking point-to-point calls and of those that start a nonblocking one.
 * Inline: a 16-byte message takes about 100 ns, and these are on its way.
 *
 * A message is recorded only if MPI will find nothing wrong with it: its communicator is
 * known, the peer is a rank in it (so not MPI_PROC_NULL), and so on. Wrong arguments pass
 * through to MPI untouched, and its error handler is called once, by MPI. */
#ifndef MEASURE_MPI_P2P_H
#define MEASURE_MPI_P2P_H

#include "calls.h"
#include "communicators.h"
#include "real.h"
#include "refusal.h"
#include "requests.h"

/* Bytes of `count` elements of a type that MPI has accepted. The commonest types are spared
 * the call. */
static inline uint64_t measure_type_bytes(MPI_Count count, MPI_Datatype type)
{
	MPI_Count size = 0;

	if (type == MPI_BYTE || type == MPI_CHAR)
		return (uint64_t)count;
	if (type == MPI_DOUBLE)
		return (uint64_t)count * sizeof(double);
	if (type == MPI_INT)
		return (uint64_t)count * sizeof(int);
	if (count != 0)
		measure_mpi.Type_size_x(type, &size);
	return (uint64_t)count * (uint64_t)size;
}

/* Bytes received. */
#ifdef HAVE_MPI_STATUS__UCOUNT
/* Open MPI's own count. */
static inline uint64_t measure_status_bytes(const MPI_Status *status)
{
	return (uint64_t)status->_ucount;
}
#else
/* Beyond 2^31 only the large-count call can say. */
static inline uint64_t measure_status_bytes(const MPI_Status *status)
{
	MPI_Count large = 0;
	int count = 0;

	measure_mpi.Get_count(status, MPI_BYTE, &count);
	if (count >= 0)
		return (uint64_t)count;
	measure_mpi.Get_elements_x(status, MPI_BYTE, &large);
	return (uint64_t)large;
}
#endif

/* Whether MPI can find nothing wrong with them. Of no elements some libraries look at no type. */
static inline bool measure_is_countable(MPI_Count count, MPI_Datatype type)
{
	return count == 0 ||
	       (count > 0 && type != MPI_DATATYPE_NULL && type != (MPI_Datatype)0);
}

/* What is recorded of a message on the sender's side. */
struct measure_message {
	const struct measure_communicator *communicator; /* NULL: no message to record */
	uint32_t receiver;
	uint32_t tag;
	uint64_t bytes;
};

static inline struct measure_message measure_message_of(
	MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	struct measure_message message = {.communicator = measure_communicator_find(comm)};

	if (!message.communicator)
		return message;
	if (dest < 0 || (uint32_t)dest >= message.communicator->size || tag < 0 ||
		!measure_is_countable(count, type)) {
		message.communicator = NULL;
		return message;
	}
	message.receiver = (uint32_t)dest;
	message.tag = (uint32_t)tag;
	message.bytes = measure_type_bytes(count, type);
	return message;
}

static inline bool measure_send_before(enum measure_call call, MPI_Count count, MPI_Datatype type,
	int dest, int tag, MPI_Comm comm)
{
	struct measure_message message;
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return false;
	message = measure_message_of(count, type, dest, tag, comm);
	location = measure_call_enter(call);
	if (!location)
		return false;
	if (message.communicator)
		measure_write_mpi_send(location, message.receiver, message.communicator->id,
			message.tag, message.bytes);
	measure_record_end(location);
	return true;
}

static inline void measure_send_after(enum measure_call call, bool is_recorded, int result)
{
	struct measure_location *location = measure_refusal_return(is_recorded, result);

	if (location)
		measure_refusal_leave(location, call, result);
}

/* The send of a call that receives too: MPI refuses both for what is wrong with either. */
static inline bool measure_sendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Count recvcount, MPI_Datatype recvtype,
	MPI_Comm comm)
{
	if (recvcount < 0 || recvtype == MPI_DATATYPE_NULL)
		dest = MPI_PROC_NULL;
	return measure_send_before(call, count, type, dest, tag, comm);
}

/* A message that is longer than its buffer is an error, but received: the status tells of it. So
 * is one of a collective, which has taken place then. */
static inline bool measure_has_received(int result)
{
	return __builtin_expect(result == MPI_SUCCESS, 1) ||
	       measure_error_class(result) == MPI_ERR_TRUNCATE;
}

/* `status` is the caller's or, where that is MPI_STATUS_IGNORE, one of our own. */
static inline void measure_recv_after(enum measure_call call, bool is_recorded, int result,
	MPI_Comm comm, const MPI_Status *status)
{
	struct measure_location *location = measure_refusal_return(is_recorded, result);
	const struct measure_communicator *communicator;

	if (!location)
		return;
	if (measure_has_received(result) && status->MPI_SOURCE >= 0) {
		communicator = measure_communicator_find(comm);
		if (communicator)
			measure_write_mpi_recv(location, (uint32_t)status->MPI_SOURCE,
				communicator->id, (uint32_t)status->MPI_TAG,
				measure_status_bytes(status));
	}
	measure_refusal_leave(location, call, result);
}

/* Completion of a receive; none where it was from MPI_PROC_NULL. */
static inline void measure_write_receive(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status)
{
	if (status->MPI_SOURCE >= 0)
		measure_write_mpi_irecv(location, (uint32_t)status->MPI_SOURCE, request->comm,
			(uint32_t)status->MPI_TAG, measure_status_bytes(status), request->id);
}

/* Leaves a call that was to start a request. One that MPI has refused was announced before: the
 * record of a cancelled request takes that back. */
static inline void measure_start_leave(
	enum measure_call call, struct measure_start start, int result)
{
	struct measure_location *location = measure_call_return(start.is_recorded);

	if (!location)
		return;
	if (__builtin_expect(result != MPI_SUCCESS, 0) && start.communicator)
		measure_write_mpi_request_cancelled(location, start.id);
	measure_call_leave(location, call);
}

/* After a call that has started a send or a receive. */
static inline void measure_start_after(enum measure_call call, struct measure_start start,
	int result, enum measure_request_kind kind, const MPI_Request *request)
{
	struct measure_request started = {.id = start.id, .kind = (uint8_t)kind};

	if (start.communicator && result == MPI_SUCCESS) {
		started.comm = start.communicator->id;
		measure_request_add(*request, &started);
	}
	measure_start_leave(call, start, result);
}

static inline struct measure_start measure_isend_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	struct measure_start start = {0};
	struct measure_message message;
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return start;
	message = measure_message_of(count, type, dest, tag, comm);
	if (message.communicator)
		start.id = measure_request_new_id();
	location = measure_call_enter(call);
	if (!location)
		return start;
	start.is_recorded = true;
	start.communicator = message.communicator;
	if (message.communicator)
		measure_write_mpi_isend(location, message.receiver, message.communicator->id,
			message.tag, message.bytes, start.id);
	measure_record_end(location);
	return start;
}

static inline void measure_isend_after(
	enum measure_call call, struct measure_start start, int result, MPI_Request *request)
{
	measure_start_after(call, start, result, MEASURE_REQUEST_SEND, request);
}

/* What has to be waited for is announced before the PMPI call, so that its request is known to
 * the trace before any thread can complete it. has_request false: there will be nothing. */
static inline struct measure_start measure_announce(enum measure_call call, bool has_request,
	MPI_Comm comm, void (*write)(struct measure_location *location, uint64_t request))
{
	struct measure_start start = {0};
	struct measure_location *location;

	if (!measure_call_is_on(call))
		return start;
	if (has_request)
		start.communicator = measure_communicator_find(comm);
	if (start.communicator)
		start.id = measure_request_new_id();
	location = measure_call_enter(call);
	if (!location)
		return (struct measure_start){0};
	start.is_recorded = true;
	if (start.communicator)
		write(location, start.id);
	measure_record_end(location);
	return start;
}

static inline struct measure_start measure_irecv_before(
	enum measure_call call, int source, MPI_Comm comm)
{
	return measure_announce(
		call, source != MPI_PROC_NULL, comm, measure_write_mpi_irecv_request);
}

static inline void measure_irecv_after(
	enum measure_call call, struct measure_start start, int result, MPI_Request *request)
{
	measure_start_after(call, start, result, MEASURE_REQUEST_RECEIVE, request);
}

#endif
