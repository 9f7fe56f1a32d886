/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Transfers of data between memory nodes. StarPU counts the bytes of each transfer that it begins;
 * one that goes on after the call ends when StarPU sees its channel, which lies in the request, at
 * its end. */
#include "config.h"

#include <errno.h>

#include "starpu_handles.h"

/* Transfers that go on; those that find no place have no end in the trace but the next use. */
#define NR_PENDING   256
#define REQUEST_SIZE 1024 /* at most, of StarPU's request */

static struct starpu_pending {
	_Atomic uintptr_t request; /* 0: free */
	_Atomic uint64_t transfer;
} pending[NR_PENDING];
static _Atomic uint32_t nr_pending;
static _Atomic uint64_t nr_transfers;

static void write_begin(struct measure_starpu_thread *thread, int from, int to, size_t size)
{
	const uint64_t number = measure_starpu_data_known(thread->copied);
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	thread->transfer = atomic_fetch_add_explicit(&nr_transfers, 1, memory_order_relaxed) + 1;
	measure_data_fact_write(location, MEASURE_DATA_TRANSFER, thread->transfer);
	if (number)
		measure_data_fact_write(location, MEASURE_DATA_HANDLE, number);
	measure_data_fact_write(location, MEASURE_DATA_FROM, (uint64_t)from);
	measure_data_fact_write(location, MEASURE_DATA_TO, (uint64_t)to);
	measure_data_fact_write(location, MEASURE_DATA_BYTES, size);
	measure_record_end(location);
}

static void write_end(uint64_t transfer)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	measure_data_fact_write(location, MEASURE_DATA_TRANSFERRED, transfer);
	measure_record_end(location);
}

/* False: too many at once. */
static bool pending_add(const struct _starpu_data_request *request, uint64_t transfer)
{
	for (uint32_t i = 0; i < NR_PENDING; i++) {
		uintptr_t none = 0;

		if (!atomic_compare_exchange_strong(&pending[i].request, &none, (uintptr_t)request))
			continue;
		atomic_store_explicit(&pending[i].transfer, transfer, memory_order_release);
		atomic_fetch_add(&nr_pending, 1);
		return true;
	}
	return false;
}

/* The nearest request before the channel is the one that has it; NULL: none is known. */
static struct starpu_pending *pending_find(uintptr_t channel)
{
	struct starpu_pending *found = NULL;
	uintptr_t nearest = 0;

	for (uint32_t i = 0; i < NR_PENDING; i++) {
		const uintptr_t request =
			atomic_load_explicit(&pending[i].request, memory_order_acquire);

		if (request > nearest && request <= channel && channel - request < REQUEST_SIZE) {
			nearest = request;
			found = &pending[i];
		}
	}
	return found;
}

/* The transfer of a channel that is at its end; 0: none is known. */
static uint64_t pending_take(const struct _starpu_async_channel *channel)
{
	struct starpu_pending *found;
	uint64_t transfer;

	if (atomic_load_explicit(&nr_pending, memory_order_acquire) == 0)
		return 0;
	found = pending_find((uintptr_t)channel);
	transfer = found ? atomic_exchange(&found->transfer, 0) : 0;
	if (transfer) {
		atomic_fetch_sub(&nr_pending, 1);
		atomic_store_explicit(&found->request, 0, memory_order_release);
	}
	return transfer;
}

static bool transfers_are_recorded(void)
{
	return measure_starpu_is_internal() && measure_starpu_records(MEASURE_STARPU_dsm);
}

int _starpu_driver_copy_data_1_to_1(starpu_data_handle_t handle,
	struct _starpu_data_replicate *source, struct _starpu_data_replicate *target,
	unsigned is_unread, struct _starpu_data_request *request, unsigned may_allocate,
	int prefetch)
{
	struct measure_starpu_thread *thread =
		transfers_are_recorded() ? measure_starpu_self() : NULL;
	const starpu_data_handle_t outer = thread ? thread->copied : NULL;
	const uint64_t outer_transfer = thread ? thread->transfer : 0;
	int result;

	if (thread) {
		thread->copied = handle;
		thread->transfer = 0;
	}
	result = REAL(_starpu_driver_copy_data_1_to_1)(
		handle, source, target, is_unread, request, may_allocate, prefetch);
	if (!thread)
		return result;
	if (thread->transfer &&
		!(result == -EAGAIN && request && pending_add(request, thread->transfer)))
		write_end(thread->transfer);
	/* memory may have been made free by another transfer */
	thread->copied = outer;
	thread->transfer = outer_transfer;
	return result;
}

void _starpu_bus_update_profiling_info(int from, int to, size_t size)
{
	struct measure_starpu_thread *thread =
		transfers_are_recorded() ? measure_starpu_self() : NULL;

	REAL(_starpu_bus_update_profiling_info)(from, to, size);
	if (thread && thread->copied)
		write_begin(thread, from, to, size);
}

unsigned _starpu_driver_test_request_completion(struct _starpu_async_channel *channel)
{
	const unsigned is_over = REAL(_starpu_driver_test_request_completion)(channel);
	const uint64_t transfer = is_over ? pending_take(channel) : 0;

	if (transfer)
		write_end(transfer);
	return is_over;
}

void _starpu_driver_wait_request_completion(struct _starpu_async_channel *channel)
{
	uint64_t transfer;

	REAL(_starpu_driver_wait_request_completion)(channel);
	transfer = pending_take(channel);
	if (transfer)
		write_end(transfer);
}
