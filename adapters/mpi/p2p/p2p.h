/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of point-to-point calls. Blocking ones and those that start a nonblocking one are inline:
 * a 16-byte message takes about 100 ns, and these are on its way.
 *
 * A message is recorded only if MPI will find nothing wrong with it: its communicator is
 * known, the peer is a rank in it (so not MPI_PROC_NULL), and so on. Wrong arguments pass
 * through to MPI untouched, and its error handler is called once, by MPI. */
#ifndef MEASURE_MPI_P2P_H
#define MEASURE_MPI_P2P_H

#include "../calls/calls.h"
#include "../comm/communicators.h"
#include "../core/data_sizes.h"
#include "../core/failed_calls.h"
#include "../core/pending_items.h"
#include "../core/requests.h"

/* ------------------------------------------------------------------- blocking --- */

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

/* `kind`: how it may have to wait. */
static inline measure_region_t measure_send_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, enum measure_pending_kind kind)
{
	const struct measure_message message = measure_message_of(count, type, dest, tag, comm);
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (message.communicator)
		measure_write_mpi_send(location, message.receiver, message.communicator->id,
			message.tag, message.bytes);
	if (message.communicator && kind != MEASURE_PENDING_NOTHING) {
		const struct measure_pending_item item = measure_pending_message(
			kind, message.communicator, message.receiver, message.tag);
		measure_pending_note(location, item);
	}
	measure_record_end(location);
	return region;
}

/* Of a receive or a probe. */
static inline measure_region_t measure_recv_before(
	enum measure_call call, int source, int tag, MPI_Comm comm)
{
	struct measure_pending_item item;
	const bool is_known = measure_pending_receive(source, tag, comm, &item);
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (is_known)
		measure_pending_note(location, item);
	measure_record_end(location);
	return region;
}

static inline void measure_send_after(measure_region_t region, int result)
{
	struct measure_location *location = measure_failure_return(region, result);

	if (location)
		measure_failure_leave(location, region, result);
}

/* The send of a call that receives too: MPI refuses both for what is wrong with either. */
static inline measure_region_t measure_sendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Count recvcount, MPI_Datatype recvtype,
	int source, int recvtag, MPI_Comm comm)
{
	const bool is_good = recvcount >= 0 && recvtype != MPI_DATATYPE_NULL;
	const struct measure_message message =
		measure_message_of(count, type, is_good ? dest : MPI_PROC_NULL, tag, comm);
	struct measure_pending_item items[2];
	uint32_t nr = is_good && measure_pending_receive(source, recvtag, comm, &items[0]);
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (message.communicator) {
		measure_write_mpi_send(location, message.receiver, message.communicator->id,
			message.tag, message.bytes);
		items[nr++] = measure_pending_message(
			MEASURE_PENDING_SEND, message.communicator, message.receiver, message.tag);
	}
	if (nr > 0)
		measure_pending_note_all(location, nr, items, false);
	measure_record_end(location);
	return region;
}

/* `status` is the caller's or, where that is MPI_STATUS_IGNORE, one of our own. */
static inline void measure_recv_after(
	measure_region_t region, int result, MPI_Comm comm, const MPI_Status *status)
{
	struct measure_location *location = measure_failure_return(region, result);
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
	measure_failure_leave(location, region, result);
}

/* ---------------------------------------------------------------- nonblocking --- */

/* Completion of a receive; none where it was from MPI_PROC_NULL. */
static inline void measure_write_receive(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status)
{
	if (status->MPI_SOURCE >= 0)
		measure_write_mpi_irecv(location, (uint32_t)status->MPI_SOURCE, request->comm,
			(uint32_t)status->MPI_TAG, measure_status_bytes(status), request->id);
}

/* Leaves a call that was to start a request. One that has failed was announced before: the
 * record of a cancelled request takes that back. */
static inline void measure_start_leave(struct measure_start start, int result)
{
	struct measure_location *location = measure_call_return(start.region);

	if (!location)
		return;
	if (__builtin_expect(result != MPI_SUCCESS, 0) && start.communicator)
		measure_write_mpi_request_cancelled(location, start.id);
	measure_call_leave(location, start.region);
}

/* After a call that has started a send or a receive. */
static inline void measure_start_after(struct measure_start start, int result,
	enum measure_request_kind kind, int peer, int tag, bool is_synchronous,
	const MPI_Request *request)
{
	struct measure_request started = {
		.id = start.id, .kind = (uint8_t)kind, .is_synchronous = is_synchronous};

	if (start.communicator && result == MPI_SUCCESS) {
		started.comm = start.communicator->id;
		started.is_inter = start.communicator->is_inter;
		started.envelope.peer = measure_pending_peer(peer);
		started.envelope.tag = measure_pending_tag(tag);
		measure_request_add(*request, &started);
	}
	measure_start_leave(start, result);
}

static inline struct measure_start measure_isend_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
	const struct measure_message message = measure_message_of(count, type, dest, tag, comm);
	struct measure_start start = {.id = 0};
	struct measure_location *location;

	if (message.communicator)
		start.id = measure_request_new_id();
	location = measure_call_enter(call, &start.region);
	if (!location)
		return start;
	start.communicator = message.communicator;
	if (message.communicator)
		measure_write_mpi_isend(location, message.receiver, message.communicator->id,
			message.tag, message.bytes, start.id);
	measure_record_end(location);
	return start;
}

/* What has to be waited for is announced before the PMPI call, so that its request is known to
 * the trace before any thread can complete it. has_request false: there will be nothing. */
static inline struct measure_start measure_announce(enum measure_call call, bool has_request,
	MPI_Comm comm, void (*write)(struct measure_location *location, uint64_t request))
{
	const struct measure_communicator *communicator =
		has_request ? measure_communicator_find(comm) : NULL;
	struct measure_start start = {.id = 0};
	struct measure_location *location;

	if (communicator)
		start.id = measure_request_new_id();
	location = measure_call_enter(call, &start.region);
	if (!location)
		return start;
	start.communicator = communicator;
	if (communicator)
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

/* A request of any kind, so also of two ids, has come to nothing. */
static inline void measure_write_cancelled(
	struct measure_location *location, const struct measure_request *request)
{
	measure_write_mpi_request_cancelled(location, request->id);
	if (request->has_send)
		measure_write_mpi_request_cancelled(location, request->id + 1);
}

/* -------------------------------------------------------------- MPI_Isendrecv --- */

/* MPI_Isendrecv and MPI_Isendrecv_replace: a send and a receive that are started by one
 * call and complete as one request of MPI's. In the trace they are two, each with an id of its own,
 * or OTF2 readers would take one for the other. */
struct measure_isendrecv {
	struct measure_request request; /* as it will be kept */
	bool is_kept;                   /* false: nothing is sent or received that is known */
	measure_region_t region;
};

struct measure_isendrecv measure_isendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, int source, int recvtag, MPI_Comm comm);
void measure_isendrecv_after(struct measure_isendrecv *isendrecv, int result, MPI_Count recvcount,
	MPI_Datatype recvtype, const MPI_Request *request);

/* The completion of both. */
void measure_isendrecv_write(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status);

/* ------------------------------------------------------------- matched probes --- */

/* A probe that finds a message decides which receive gets it, whatever is received in between; so
 * the trace has the receive's request in the probe and its completion in MPI_Mrecv or the wait for
 * MPI_Imrecv. */
void measure_mprobe_after(measure_region_t region, int result, const int *flag, MPI_Comm comm,
	const MPI_Message *message);

struct measure_matched_receive {
	struct measure_request receive;
	MPI_Message handle;
	bool is_found;
	measure_region_t region;
};

/* MPI takes the message's handle away, so it is looked up before the PMPI call. A failed call
 * leaves the message for another one. */
struct measure_matched_receive measure_mrecv_before(
	enum measure_call call, const MPI_Message *message);
void measure_mrecv_after(const struct measure_matched_receive *matched, int result,
	const MPI_Message *message, const MPI_Status *status);
void measure_imrecv_after(const struct measure_matched_receive *matched, int result,
	const MPI_Message *message, const MPI_Request *request);

/* ----------------------------------------------------------------- persistent --- */

/* Each start is recorded like a nonblocking send, receive or collective, always with the same
 * request id. */
void measure_send_init_after(measure_region_t region, int result, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void measure_recv_init_after(
	measure_region_t region, int result, int source, MPI_Comm comm, const MPI_Request *request);

/* A partitioned receive. Its send is to the trace a persistent one: what MPI_Pready says is not
 * recorded. */
void measure_precv_init_after(measure_region_t region, int result, MPI_Count count,
	MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);

measure_region_t measure_start_all_before(
	enum measure_call call, int count, const MPI_Request *requests);
void measure_start_all_after(
	measure_region_t region, int result, int count, const MPI_Request *requests);

#endif
