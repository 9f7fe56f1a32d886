/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows and one-sided operations. Definitions are made outside of transactions: they take
 * locks. The windows of a communicator are counted also where no event is recorded, or the
 * members would not agree on the identity of later ones. */
#include "config.h"

#include <otf2/OTF2_Events.h>

#include "../comm/communicators.h"
#include "../core/data_sizes.h"
#include "../core/failed_calls.h"
#include "rma_calls.h"

/* --------------------------------------------------------------- windows --- */

struct measure_win_begun measure_win_create_before(
	enum measure_call call, MPI_Comm comm, bool has_good_memory)
{
	struct measure_win_begun begun = {
		.is_collective = has_good_memory && measure_communicator_find(comm)};
	struct measure_location *location = measure_call_enter(call, &begun.region);

	if (!location)
		return begun;
	if (begun.is_collective)
		measure_write_rma_collective_begin(location);
	measure_record_end(location);
	return begun;
}

void measure_win_create_after(struct measure_win_begun begun, int result, MPI_Comm comm,
	const MPI_Win *win, bool has_memory)
{
	const struct measure_rma_window *created = NULL;
	struct measure_location *location;

	if (result == MPI_SUCCESS)
		created = measure_window_add(
			comm, *win, has_memory, begun.region != MEASURE_UNDEFINED);
	location = measure_failure_return(begun.region, result);
	if (!location)
		return;
	if (created)
		measure_write_rma_win_create(location, created->id);
	if (created && begun.is_collective)
		measure_write_rma_collective_end(location,
			has_memory ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE
				   : OTF2_COLLECTIVE_OP_CREATE_HANDLE,
			OTF2_RMA_SYNC_LEVEL_PROCESS, created->id, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	measure_failure_leave(location, begun.region, result);
}

struct measure_win_freed measure_win_free_before(enum measure_call call, const MPI_Win *win)
{
	struct measure_win_freed freed = {.is_known = false};
	struct measure_location *location;

	if (win) {
		freed.handle = *win;
		freed.is_known = measure_window_take_out(*win, &freed.window);
	}
	location = measure_call_enter(call, &freed.region);
	if (!location)
		return freed;
	if (freed.is_known)
		measure_write_rma_collective_begin(location);
	measure_record_end(location);
	return freed;
}

static void window_write_freeing(
	struct measure_location *location, const struct measure_rma_window *window)
{
	measure_write_rma_win_destroy(location, window->id);
	measure_write_rma_collective_end(location,
		window->has_memory ? OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE
				   : OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
		OTF2_RMA_SYNC_LEVEL_PROCESS, window->id, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

void measure_win_free_after(struct measure_win_freed *freed, int result)
{
	struct measure_location *location = measure_failure_return(freed->region, result);

	if (location && freed->is_known && result == MPI_SUCCESS)
		window_write_freeing(location, &freed->window);
	if (location)
		measure_failure_leave(location, freed->region, result);
	if (freed->is_known && result == MPI_SUCCESS)
		measure_window_discard(&freed->window);
	else if (freed->is_known)
		measure_window_put_back(freed->handle, &freed->window);
}

/* A name counts also where the call itself is not recorded. */
void measure_win_set_name_after(
	measure_region_t region, int result, MPI_Win win, const char *win_name)
{
	const struct measure_rma_window *window = NULL;

	if (result == MPI_SUCCESS)
		window = measure_window_find(win);
	if (window)
		measure_window_name(window->id, win_name);
	measure_plain_after(region);
}

/* ------------------------------------------------------------ operations --- */

struct measure_transfer measure_put_transfer(MPI_Count count, MPI_Datatype type)
{
	struct measure_transfer transfer = {.kind = MEASURE_TRANSFER_NONE};

	if (!measure_is_countable(count, type))
		return transfer;
	transfer.kind = MEASURE_TRANSFER_PUT;
	transfer.sent = measure_type_bytes(count, type);
	return transfer;
}

struct measure_transfer measure_get_transfer(MPI_Count count, MPI_Datatype type)
{
	struct measure_transfer transfer = {.kind = MEASURE_TRANSFER_NONE};

	if (!measure_is_countable(count, type))
		return transfer;
	transfer.kind = MEASURE_TRANSFER_GET;
	transfer.returns_data = true;
	transfer.received = measure_type_bytes(count, type);
	return transfer;
}

struct measure_transfer measure_accumulate_transfer(MPI_Count count, MPI_Datatype type)
{
	struct measure_transfer transfer = measure_put_transfer(count, type);

	if (transfer.kind == MEASURE_TRANSFER_NONE)
		return transfer;
	transfer.kind = MEASURE_TRANSFER_ATOMIC;
	transfer.atomic = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
	return transfer;
}

static uint8_t atomic_type_of_fetch(MPI_Op op)
{
	if (op == MPI_SUM)
		return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD;
	if (op == MPI_REPLACE)
		return OTF2_RMA_ATOMIC_TYPE_SWAP;
	return OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
}

/* With MPI_NO_OP the origin has nothing to send, and count and type of it mean nothing. */
struct measure_transfer measure_fetch_transfer(MPI_Count count, MPI_Datatype type,
	MPI_Count result_count, MPI_Datatype result_type, MPI_Op op)
{
	struct measure_transfer transfer = measure_get_transfer(result_count, result_type);

	if (transfer.kind == MEASURE_TRANSFER_NONE)
		return transfer;
	transfer.kind = MEASURE_TRANSFER_ATOMIC;
	transfer.atomic = atomic_type_of_fetch(op);
	if (op == MPI_NO_OP)
		return transfer;
	if (measure_is_countable(count, type))
		transfer.sent = measure_type_bytes(count, type);
	else
		transfer.kind = MEASURE_TRANSFER_NONE;
	return transfer;
}

/* The value to compare with travels too. */
struct measure_transfer measure_swap_transfer(MPI_Datatype type)
{
	struct measure_transfer transfer = measure_get_transfer(1, type);

	if (transfer.kind == MEASURE_TRANSFER_NONE)
		return transfer;
	transfer.kind = MEASURE_TRANSFER_ATOMIC;
	transfer.atomic = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
	transfer.sent = 2 * transfer.received;
	return transfer;
}

struct measure_rma measure_rma_find(int target, MPI_Win win)
{
	struct measure_rma rma = {.window = measure_window_find(win), .target = (uint32_t)target};

	if (rma.window && (target < 0 || rma.target >= rma.window->size))
		rma.window = NULL;
	return rma;
}

static void rma_write_operation(struct measure_location *location, const struct measure_rma *rma)
{
	const struct measure_transfer *transfer = &rma->transfer;

	if (transfer->kind == MEASURE_TRANSFER_PUT)
		measure_write_rma_put(
			location, rma->window->id, rma->target, transfer->sent, rma->number);
	else if (transfer->kind == MEASURE_TRANSFER_GET)
		measure_write_rma_get(
			location, rma->window->id, rma->target, transfer->received, rma->number);
	else
		measure_write_rma_atomic(location, rma->window->id, rma->target, transfer->atomic,
			transfer->sent, transfer->received, rma->number);
}

void measure_rma_before(enum measure_call call, struct measure_rma *rma, bool is_alone)
{
	struct measure_location *location;

	if (rma->transfer.kind == MEASURE_TRANSFER_NONE)
		rma->window = NULL;
	if (rma->window)
		rma->number = is_alone || measure_mpi_is_multiple
				      ? measure_request_new_id()
				      : measure_pending_number(rma->window->pending, rma->target);
	location = measure_call_enter(call, &rma->region);
	if (!location)
		return;
	if (rma->window)
		rma_write_operation(location, rma);
	measure_record_end(location);
}

static void rma_add_pending(const struct measure_rma *rma)
{
	struct measure_pending *pending = rma->window->pending;

	if (measure_mpi_is_multiple)
		measure_pending_add_alone(
			pending, rma->target, rma->number, rma->transfer.returns_data);
	else
		measure_pending_add(pending, rma->target, rma->transfer.returns_data);
}

void measure_rma_after(const struct measure_rma *rma, int result)
{
	struct measure_location *location = measure_call_return(rma->region);

	if (!location)
		return;
	if (rma->window && result == MPI_SUCCESS)
		rma_add_pending(rma);
	else if (rma->window)
		measure_pending_cancel(rma->window->pending, location, rma->target, rma->number);
	measure_call_leave(location, rma->region);
}

void measure_rma_request_after(
	const struct measure_rma *rma, int result, MPI_Win win, const MPI_Request *request)
{
	struct measure_location *location = measure_call_return(rma->region);
	struct measure_request started = {.kind = MEASURE_REQUEST_RMA, .id = rma->number};

	if (!location)
		return;
	if (rma->window && result == MPI_SUCCESS) {
		started.rma.win = win;
		started.rma.place = measure_pending_add_alone(
			rma->window->pending, rma->target, rma->number, rma->transfer.returns_data);
		measure_request_add(*request, &started);
	} else if (rma->window) {
		measure_pending_cancel(rma->window->pending, location, rma->target, rma->number);
	}
	measure_call_leave(location, rma->region);
}

void measure_rma_write_request(
	struct measure_location *location, const struct measure_request *request)
{
	const struct measure_rma_window *window = measure_window_find(request->rma.win);

	if (window)
		measure_pending_complete_alone(
			window->pending, location, request->rma.place, request->id);
}
