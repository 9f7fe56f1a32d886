/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion of requests. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <otf2/OTF2_Events.h>

#include "../core/pmpi.h"
#include "../io/io.h"
#include "../rma/rma_calls.h"
#include "completion.h"
#include "p2p.h"

const int measure_true = true;

static bool wait_copy_handles(struct measure_wait *wait)
{
	const size_t bytes = (size_t)wait->count * sizeof(*wait->handles);

	wait->handles = wait->few_handles;
	if (wait->count > NR_FEW)
		wait->handles = wait->allocated[0] = malloc(bytes);
	if (wait->handles)
		memcpy(wait->handles, wait->requests, bytes);
	return wait->handles != NULL;
}

static bool wait_find_statuses(struct measure_wait *wait, int nr_statuses)
{
	/* MPI has one name for "none" of one status and one for "none" of an array. */
	if (wait->statuses != MPI_STATUS_IGNORE && wait->statuses != MPI_STATUSES_IGNORE)
		return true;
	if (nr_statuses <= NR_FEW)
		wait->statuses = wait->few_statuses;
	else
		wait->allocated[1] = malloc((size_t)nr_statuses * sizeof(*wait->statuses));
	if (wait->allocated[1])
		wait->statuses = wait->allocated[1];
	return wait->statuses == wait->few_statuses || wait->allocated[1];
}

/* What a request waits for. */
static struct measure_pending_item pending_request(const struct measure_request *request)
{
	struct measure_pending_item item = {.kind = MEASURE_PENDING_OTHER,
		.comm = request->comm,
		.peer = request->envelope.peer,
		.value = request->envelope.tag};

	if (request->is_inter || (request->kind == MEASURE_REQUEST_COLLECTIVE && !request->number))
		return item;
	if (request->kind == MEASURE_REQUEST_SEND)
		item.kind = request->is_synchronous ? MEASURE_PENDING_SSEND : MEASURE_PENDING_SEND;
	else if (request->kind == MEASURE_REQUEST_RECEIVE && !request->is_persistent)
		item.kind = MEASURE_PENDING_RECEIVE;
	else if (request->kind == MEASURE_REQUEST_COLLECTIVE)
		item = (struct measure_pending_item){.kind = MEASURE_PENDING_COLLECTIVE,
			.operation = request->operation,
			.comm = request->comm,
			.peer = request->root,
			.value = request->number};
	return item;
}

/* The first ones: sends only where there is room, as they need not wait. */
static void wait_note_pending(
	struct measure_location *location, const struct measure_wait *wait, bool is_any)
{
	struct measure_pending_item items[NR_FEW];
	uint32_t nr = 0, nr_first = 0;

	for (int i = 0; i < wait->count && nr < NR_FEW; i++) {
		struct measure_request request;

		if (wait->requests[i] == MPI_REQUEST_NULL)
			continue;
		items[nr] = (struct measure_pending_item){.kind = MEASURE_PENDING_OTHER};
		if (measure_request_peek(wait->requests[i], &request))
			items[nr] = pending_request(&request);
		if (items[nr].kind != MEASURE_PENDING_SEND) {
			const struct measure_pending_item first = items[nr];
			items[nr] = items[nr_first];
			items[nr_first++] = first;
		}
		nr++;
	}
	if (wait->count > NR_FEW && nr == NR_FEW)
		nr = (uint32_t)wait->count;
	measure_pending_note_all(location, nr, items, is_any);
}

static measure_region_t wait_enter(
	const struct measure_wait *wait, enum measure_call call, enum measure_wait_kind waits)
{
	measure_region_t region;
	struct measure_location *location = measure_call_enter(call, &region);

	if (!location)
		return region;
	if (waits != MEASURE_WAITS_FOR_NONE && wait->requests && measure_request_is_any())
		wait_note_pending(location, wait, waits == MEASURE_WAITS_FOR_ANY);
	measure_record_end(location);
	return region;
}

MPI_Status *measure_wait_before(struct measure_wait *wait, enum measure_call call,
	enum measure_wait_kind waits, int count, const MPI_Request *requests, MPI_Status *statuses,
	int nr_statuses)
{
	wait->count = count;
	wait->requests = requests;
	wait->handles = NULL;
	wait->statuses = statuses;
	wait->made = NULL;
	wait->classes = NULL;
	wait->allocated[0] = wait->allocated[1] = NULL;
	wait->region = wait_enter(wait, call, waits);
	if (wait->region == MEASURE_UNDEFINED || count <= 0 || !requests ||
		!measure_request_is_any())
		return statuses;
	wait->horizon = measure_request_horizon();
	/* Where memory is short, the call stays as it is and completions are not recorded. */
	if (!wait_copy_handles(wait) || !wait_find_statuses(wait, nr_statuses))
		wait->handles = NULL;
	return wait->statuses;
}

static void request_write_idup(
	struct measure_location *location, const struct measure_request *request)
{
	measure_write_comm_create(location, request->idup.prepared->id);
	measure_write_non_blocking_collective_complete(location, OTF2_COLLECTIVE_OP_CREATE_HANDLE,
		request->comm, OTF2_COLLECTIVE_ROOT_NONE, 0, 0, request->id);
}

/* One that has failed has transferred nothing. */
static void request_write_io(struct measure_location *location,
	const struct measure_request *request, bool is_good, const MPI_Status *status)
{
	const struct measure_io_request *io = &request->io;
	int is_cancelled = 0;

	if (io->recording != measure_recording_number())
		return;
	if (request->is_cancelled && is_good)
		measure_mpi.Test_cancelled(status, &is_cancelled);
	if (is_cancelled)
		measure_write_io_operation_cancelled(location, io->handle, request->id);
	else
		measure_write_io_operation_complete(location, io->handle,
			is_good ? measure_io_bytes(status, io->bytes) : 0, request->id);
}

static void request_write_completion(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status)
{
	int is_cancelled = 0;

	if (request->is_cancelled)
		measure_mpi.Test_cancelled(status, &is_cancelled);
	if (is_cancelled)
		measure_write_cancelled(location, request);
	else if (request->kind == MEASURE_REQUEST_SEND)
		measure_write_mpi_isend_complete(location, request->id);
	else if (request->kind == MEASURE_REQUEST_RECEIVE)
		measure_write_receive(location, request, status);
	else if (request->kind == MEASURE_REQUEST_PARTITIONED)
		measure_write_mpi_irecv(location, request->envelope.peer, request->comm,
			request->envelope.tag, request->envelope.bytes, request->id);
	else if (request->kind == MEASURE_REQUEST_SENDRECV)
		measure_isendrecv_write(location, request, status);
	else if (request->kind == MEASURE_REQUEST_COLLECTIVE)
		measure_write_non_blocking_collective_complete(location, request->operation,
			request->comm, request->root, request->traffic.sent,
			request->traffic.received, request->id);
	else if (request->kind == MEASURE_REQUEST_RMA)
		measure_rma_write_request(location, request);
	else
		request_write_idup(location, request);
}

/* A failed request is recorded as a cancelled one: OTF2 knows no third end. */
static void request_write_end(struct measure_location *location,
	const struct measure_request *request, bool is_good, const MPI_Status *status)
{
	if (request->kind == MEASURE_REQUEST_IO)
		request_write_io(location, request, is_good, status);
	else if (is_good)
		request_write_completion(location, request, status);
	else if (request->kind != MEASURE_REQUEST_RMA)
		measure_write_cancelled(location, request);
}

/* The class of the error that a request has ended with. The MPI_ERROR of a status has a meaning
 * only where the call as a whole says so. */
static int wait_class_at(const struct measure_wait *wait, int place)
{
	if (wait->class != MPI_ERR_IN_STATUS)
		return wait->class;
	return wait->classes ? wait->classes[place] : wait->statuses[place].MPI_ERROR;
}

/* A truncated message is a received one, and who got one in a collective took part in it. */
static bool request_is_truncated(const struct measure_request *request, int class)
{
	return class == MPI_ERR_TRUNCATE && (request->kind == MEASURE_REQUEST_RECEIVE ||
						    request->kind == MEASURE_REQUEST_COLLECTIVE);
}

/* Whether a request whose handle stays, so a persistent one, is complete by a call that
 * names it, or all of its requests, as complete. */
static bool wait_is_over(const struct measure_wait *wait, int place)
{
	if (wait->class == MPI_SUCCESS || wait->class == MPI_ERR_IN_STATUS)
		return wait_class_at(wait, place) != MPI_ERR_PENDING;
	return wait->count == 1;
}

/* MPI takes the handle of a request that is complete away, unless that is persistent. */
static bool wait_take_request(
	const struct measure_wait *wait, int index, int place, struct measure_request *request)
{
	if (wait->requests[index] != wait->handles[index])
		return measure_request_take(wait->handles[index], wait->horizon, request);
	return wait_is_over(wait, place) &&
	       measure_request_finish(wait->handles[index], wait->horizon, request);
}

/* A communicator is to be known before the program can use it, so also where this call is not
 * recorded; but after the transaction, as that locks and allocates. */
static void wait_put_off_idup(
	struct measure_wait *wait, const struct measure_idup *idup, bool is_good)
{
	idup->prepared->made = is_good ? idup->newcomm : MPI_COMM_NULL;
	idup->prepared->next_made = wait->made;
	wait->made = idup->prepared;
}

static void wait_publish_idups(struct measure_wait *wait)
{
	struct measure_communicator *made;

	while ((made = wait->made)) {
		wait->made = made->next_made;
		if (made->made != MPI_COMM_NULL)
			measure_communicator_publish(made, made->made);
		else
			measure_communicator_discard(made);
	}
}

/* The request at `index`, of which the status at `place` tells. */
static void wait_complete_request(
	struct measure_wait *wait, struct measure_location *location, int index, int place)
{
	struct measure_request request;
	int class = wait_class_at(wait, place);
	bool is_good = class == MPI_SUCCESS;

	if (index < 0 || index >= wait->count || !wait_take_request(wait, index, place, &request))
		return;
	if (request_is_truncated(&request, class)) {
		is_good = true;
		if (request.kind == MEASURE_REQUEST_COLLECTIVE)
			request.traffic.received = 0; /* as measure_collective_end() has it */
	}
	if (request.kind == MEASURE_REQUEST_IDUP)
		wait_put_off_idup(wait, &request.idup, is_good);
	if (location && !request.is_silent)
		request_write_end(location, &request, is_good, &wait->statuses[place]);
}

static void wait_finish(
	struct measure_wait *wait, struct measure_location *location, bool has_found)
{
	if (location)
		measure_poll_leave(location, wait->region, has_found);
	wait_publish_idups(wait);
	free(wait->classes);
	free(wait->allocated[0]);
	free(wait->allocated[1]);
}

/* MPI_Error_class() may lock: it is asked before the transaction. */
static void wait_find_classes(struct measure_wait *wait, int result, int nr_statuses)
{
	measure_mpi.Error_class(result, &wait->class);
	if (wait->class == MPI_ERR_IN_STATUS)
		wait->classes = malloc((size_t)nr_statuses * sizeof(*wait->classes));
	for (int i = 0; wait->classes && i < nr_statuses; i++)
		measure_mpi.Error_class(wait->statuses[i].MPI_ERROR, &wait->classes[i]);
}

static struct measure_location *wait_return(struct measure_wait *wait, int result, int nr_statuses)
{
	wait->class = result;
	if (__builtin_expect(result != MPI_SUCCESS, 0) && wait->handles)
		wait_find_classes(wait, result, nr_statuses);
	return measure_call_return(wait->region);
}

void measure_wait_all_after(struct measure_wait *wait, int result, const int *flag)
{
	struct measure_location *location = wait_return(wait, result, wait->count);

	if (wait->handles && flag && *flag)
		for (int i = 0; i < wait->count; i++)
			wait_complete_request(wait, location, i, i);
	wait_finish(wait, location, result != MPI_SUCCESS || !flag || *flag);
}

void measure_wait_any_after(
	struct measure_wait *wait, int result, const int *index, const int *flag)
{
	struct measure_location *location = wait_return(wait, result, 1);

	if (wait->handles && index)
		wait_complete_request(wait, location, *index, 0);
	wait_finish(wait, location, result != MPI_SUCCESS || !flag || *flag);
}

void measure_wait_some_after(
	struct measure_wait *wait, int result, const int *nr_indices, const int *indices)
{
	const int nr = nr_indices && indices && *nr_indices <= wait->count ? *nr_indices : 0;
	struct measure_location *location = wait_return(wait, result, nr);

	if (wait->handles)
		for (int i = 0; i < nr; i++)
			wait_complete_request(wait, location, indices[i], i);
	wait_finish(wait, location, result != MPI_SUCCESS || !nr_indices || *nr_indices != 0);
}

void measure_get_status_after(measure_region_t region, int result, MPI_Request handle,
	const int *flag, const MPI_Status *status)
{
	struct measure_location *location = measure_call_return(region);
	struct measure_request request;

	if (!location)
		return;
	if (result == MPI_SUCCESS && *flag && measure_request_is_any() &&
		measure_request_settle(handle, &request))
		request_write_end(location, &request, true, status);
	measure_poll_leave(location, region, result != MPI_SUCCESS || *flag);
}

measure_region_t measure_cancel_before(enum measure_call call, const MPI_Request *request)
{
	const measure_region_t region = measure_plain_before(call);

	if (region != MEASURE_UNDEFINED && request)
		measure_request_mark_cancelled(*request);
	return region;
}

void measure_request_free_before(
	struct measure_wait *wait, enum measure_call call, const MPI_Request *request)
{
	int is_over = 0;

	measure_wait_before(wait, call, MEASURE_WAITS_FOR_NONE, 1, request, wait->few_statuses, 1);
	if (wait->handles && measure_request_is_open(*request))
		measure_mpi.Request_get_status(*request, &is_over, wait->few_statuses);
	wait->was_over = is_over;
}

/* Nobody will hear what became of it; of a file operation, that it was as asked for is what MPI
 * promises. A receive that has not ended by now is recorded as one that the program gave up. */
static void request_write_release(
	struct measure_location *location, const struct measure_request *request)
{
	if (request->is_silent || (request->is_persistent && !request->is_active))
		return;
	if (request->kind == MEASURE_REQUEST_IO &&
		request->io.recording == measure_recording_number())
		measure_write_io_operation_complete(
			location, request->io.handle, request->io.bytes, request->id);
	if (request->kind == MEASURE_REQUEST_RECEIVE || request->kind == MEASURE_REQUEST_SENDRECV ||
		request->kind == MEASURE_REQUEST_PARTITIONED)
		measure_write_mpi_request_cancelled(location, request->id);
	if (request->kind == MEASURE_REQUEST_SEND || request->has_send)
		measure_write_mpi_isend_complete(location, request->id + request->has_send);
}

void measure_request_free_after(struct measure_wait *wait)
{
	struct measure_location *location = measure_call_return(wait->region);
	struct measure_request request;

	if (wait->handles && wait->requests[0] != wait->handles[0] &&
		measure_request_take(wait->handles[0], wait->horizon, &request) && location) {
		if (wait->was_over)
			request_write_end(location, &request, true, wait->few_statuses);
		else
			request_write_release(location, &request);
	}
	wait_finish(wait, location, true);
}
