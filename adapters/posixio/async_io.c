/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asynchronous operations; see async_io.h. One begins and is issued in the call that starts it, and
 * is over in the call that tells so first: its block is in a table until then. */
#include "config.h"

#include "async_io.h"

#include <errno.h>
#include <otf2/OTF2_Definitions.h>
#include <otf2/OTF2_Events.h>
#include <stdatomic.h>

#include "descriptors.h"
#include "operations.h"
#include "posixio_real.h"

#define NR_SLOTS 1024 /* under way at a time; of more only the regions are recorded */
#define FIRST    (UINT64_C(1) << 62) /* number; those of others are far below */

/* Who loses a slot to another thread may still read the rest of it. */
struct aio_operation {
	_Atomic uintptr_t block; /* 0: free */
	_Atomic measure_io_handle_t handle;
	_Atomic uint64_t number;
};

static struct aio_operation operations[NR_SLOTS];
static _Atomic uint64_t nr_started;

static uint32_t operation_hash(const struct aiocb *block)
{
	return (uint32_t)((uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

/* 0: free. Acquire pairs with the release in operation_add(). */
static struct aio_operation *operation_find(const struct aiocb *block)
{
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		struct aio_operation *slot = &operations[(operation_hash(block) + i) % NR_SLOTS];
		if (atomic_load_explicit(&slot->block, memory_order_acquire) == (uintptr_t)block)
			return slot;
	}
	return NULL;
}

/* Release: who finds it finds it whole. False: there are too many. */
static bool operation_add(const struct aiocb *block, measure_io_handle_t handle, uint64_t number)
{
	for (uint32_t i = 0; i < NR_SLOTS; i++) {
		struct aio_operation *slot = &operations[(operation_hash(block) + i) % NR_SLOTS];
		uintptr_t is_free = 0;

		if (!atomic_compare_exchange_strong_explicit(
			    &slot->block, &is_free, 1, memory_order_acquire, memory_order_relaxed))
			continue;
		slot->handle = handle;
		slot->number = number;
		atomic_store_explicit(&slot->block, (uintptr_t)block, memory_order_release);
		return true;
	}
	return false;
}

/* Of several threads that ask for one operation, one gets it. */
static bool operation_take(const struct aiocb *block, measure_io_handle_t *handle, uint64_t *number)
{
	struct aio_operation *slot = operation_find(block);
	uintptr_t expected = (uintptr_t)block;

	if (!slot)
		return false;
	*handle = slot->handle;
	*number = slot->number;
	return atomic_compare_exchange_strong_explicit(
		&slot->block, &expected, 0, memory_order_acq_rel, memory_order_relaxed);
}

void measure_async_forget(void)
{
	for (uint32_t i = 0; i < NR_SLOTS; i++)
		atomic_store_explicit(&operations[i].block, 0, memory_order_release);
}

/* ---------------------------------------------------------------------- begin --- */

/* It counts as issued when it begins: others may hear that it is over before the call returns. */
static void operation_begin(struct measure_location *location, const struct aiocb *block,
	measure_io_handle_t handle, uint8_t mode)
{
	const bool has_place = mode != OTF2_IO_OPERATION_MODE_FLUSH;
	const uint64_t number =
		FIRST + atomic_fetch_add_explicit(&nr_started, 1, memory_order_relaxed);
	measure_io_handle_t forgotten;
	uint64_t forgotten_number;

	/* nobody ever asked what became of the one before */
	if (operation_take(block, &forgotten, &forgotten_number))
		measure_write_io_operation_complete(
			location, forgotten, MEASURE_BYTES_UNKNOWN, forgotten_number);
	if (handle == MEASURE_UNDEFINED || !operation_add(block, handle, number))
		return;
	if (has_place && block->aio_offset >= 0)
		measure_write_attribute_uint64(
			location, measure_offset_attribute(), (uint64_t)block->aio_offset);
	measure_write_io_operation_begin(location, handle, mode,
		OTF2_IO_OPERATION_FLAG_NON_BLOCKING, has_place ? block->aio_nbytes : 0, number);
	measure_write_io_operation_issued(location, handle, number);
}

static void operation_cancel(struct measure_location *location, const struct aiocb *block)
{
	measure_io_handle_t handle;
	uint64_t number;

	if (operation_take(block, &handle, &number))
		measure_write_io_operation_cancelled(location, handle, number);
}

static bool operation_start(
	enum measure_posixio_call call, const void *caller, const struct aiocb *block, uint8_t mode)
{
	struct measure_location *location;
	measure_io_handle_t handle;

	if (!measure_call_is_on(call, caller))
		return false;
	handle = measure_handle_of_descriptor(block->aio_fildes);
	location = measure_call_enter(call);
	if (!location)
		return false;
	operation_begin(location, block, handle, mode);
	measure_record_end(location);
	return true;
}

static void started(enum measure_posixio_call call, const struct aiocb *block, int result)
{
	struct measure_location *location = measure_record_begin();

	if (!location)
		return;
	if (result != 0)
		operation_cancel(location, block);
	measure_call_leave(location, call);
}

int measure_aio_start(enum measure_posixio_call call, const void *caller, struct aiocb *block,
	uint8_t mode, int (*real)(struct aiocb *block))
{
	const bool is_recorded = operation_start(call, caller, block, mode);
	const int result = real(block);

	if (is_recorded)
		started(call, block, result);
	return result;
}

int measure_aio_flush(enum measure_posixio_call call, const void *caller, int operation,
	struct aiocb *block, int (*real)(int operation, struct aiocb *block))
{
	const bool is_recorded = operation_start(call, caller, block, OTF2_IO_OPERATION_MODE_FLUSH);
	const int result = real(operation, block);

	if (is_recorded)
		started(call, block, result);
	return result;
}

/* ------------------------------------------------------------------------ end --- */

static uint64_t operation_bytes(ssize_t result)
{
	return result > 0 ? (uint64_t)result : 0;
}

/* What is known of an operation now. The C library gives the number of bytes as often as it is
 * asked. */
static void operation_tell(struct measure_location *location, const struct aiocb *block, int error)
{
	struct aio_operation *slot = error == EINPROGRESS ? operation_find(block) : NULL;
	measure_io_handle_t handle;
	uint64_t number;

	if (slot)
		measure_write_io_operation_test(location, slot->handle, slot->number);
	if (error == EINPROGRESS)
		return;
	if (error == ECANCELED)
		operation_cancel(location, block);
	else if (operation_take(block, &handle, &number))
		measure_write_io_operation_complete(location, handle,
			error == 0 ? operation_bytes(
					     REAL(aio_return)((struct aiocb *)(uintptr_t)block))
				   : 0,
			number);
}

int measure_aio_ask(enum measure_posixio_call call, const void *caller, const struct aiocb *block,
	int (*real)(const struct aiocb *block))
{
	const bool is_recorded = measure_plain_enter(call, caller);
	const int error = real(block);
	struct measure_location *location = is_recorded ? measure_record_begin() : NULL;

	if (!location)
		return error;
	operation_tell(location, block, error);
	measure_call_leave(location, call);
	return error;
}

ssize_t measure_aio_end(enum measure_posixio_call call, const void *caller, struct aiocb *block,
	ssize_t (*real)(struct aiocb *block))
{
	const bool is_recorded = measure_plain_enter(call, caller);
	const ssize_t result = real(block);
	struct measure_location *location = is_recorded ? measure_record_begin() : NULL;
	measure_io_handle_t handle;
	uint64_t number;

	if (!location)
		return result;
	if (operation_take(block, &handle, &number))
		measure_write_io_operation_complete(
			location, handle, operation_bytes(result), number);
	measure_call_leave(location, call);
	return result;
}

/* ----------------------------------------------------------------------- lists --- */

static bool operation_is_transfer(const struct aiocb *block)
{
	return block && (block->aio_lio_opcode == LIO_READ || block->aio_lio_opcode == LIO_WRITE);
}

static void start_list(struct measure_location *location, struct aiocb *const *blocks, int nr)
{
	for (int i = 0; i < nr; i++)
		if (operation_is_transfer(blocks[i]))
			operation_begin(location, blocks[i],
				measure_descriptor_known(blocks[i]->aio_fildes),
				blocks[i]->aio_lio_opcode == LIO_READ
					? OTF2_IO_OPERATION_MODE_READ
					: OTF2_IO_OPERATION_MODE_WRITE);
}

/* Of some the start may have failed: these tell so. */
static void end_list(
	struct measure_location *location, struct aiocb *const *blocks, int nr, bool is_waited_for)
{
	for (int i = 0; i < nr; i++) {
		int error;

		if (!operation_is_transfer(blocks[i]))
			continue;
		error = REAL(aio_error)(blocks[i]);
		if (is_waited_for || (error != 0 && error != EINPROGRESS))
			operation_tell(location, blocks[i], error);
	}
}

int measure_aio_list(enum measure_posixio_call call, const void *caller, int mode,
	struct aiocb *const *blocks, int nr, struct sigevent *event,
	int (*real)(int, struct aiocb *const *, int, struct sigevent *))
{
	struct measure_location *location = NULL;
	bool is_recorded;
	int result;

	if (measure_call_is_on(call, caller)) {
		for (int i = 0; i < nr; i++)
			if (operation_is_transfer(blocks[i]))
				measure_handle_of_descriptor(blocks[i]->aio_fildes);
		location = measure_call_enter(call);
	}
	is_recorded = location;
	if (is_recorded) {
		start_list(location, blocks, nr);
		measure_record_end(location);
	}
	result = real(mode, blocks, nr, event);
	location = is_recorded ? measure_record_begin() : NULL;
	if (location) {
		end_list(location, blocks, nr, mode == LIO_WAIT);
		measure_call_leave(location, call);
	}
	return result;
}
