/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronisation of one-sided communication. What a call completes is recorded when it
 * returns. */
#include "config.h"

#include <otf2/OTF2_Events.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#include "../core/failed_calls.h"
#include "rma_calls.h"

#define THE_LOCK 0 /* MPI has one lock per target */

/* What all begin with: nothing but MPI's own checks come between it and the PMPI call. */
static struct measure_location *sync_enter(
	enum measure_call call, MPI_Win win, struct measure_rma_sync *sync)
{
	*sync = (struct measure_rma_sync){.window = measure_window_find(win)};
	if (sync->window)
		sync->horizon = measure_pending_horizon(sync->window->pending);
	return measure_call_enter(call, &sync->region);
}

/* NULL: the call is not recorded. window: where there is something to record of it. */
static struct measure_location *sync_return(
	const struct measure_rma_sync *sync, int result, const struct measure_rma_window **window)
{
	*window = result == MPI_SUCCESS ? sync->window : NULL;
	return measure_failure_return(sync->region, result);
}

struct measure_rma_sync measure_rma_sync_before(enum measure_call call, MPI_Win win)
{
	struct measure_rma_sync sync;
	struct measure_location *location = sync_enter(call, win, &sync);

	if (location)
		measure_record_end(location);
	return sync;
}

/* ----------------------------------------------------------------- fence --- */

struct measure_rma_sync measure_fence_before(enum measure_call call, MPI_Win win)
{
	struct measure_rma_sync sync;
	struct measure_location *location = sync_enter(call, win, &sync);

	if (!location)
		return sync;
	if (sync.window)
		measure_write_rma_collective_begin(location);
	measure_record_end(location);
	return sync;
}

/* A fence that ends no epoch need not wait for anybody. */
void measure_fence_after(const struct measure_rma_sync *sync, int result, int assert)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);

	if (!location)
		return;
	if (window) {
		measure_pending_complete(
			window->pending, location, MEASURE_ALL_TARGETS, sync->horizon, true);
		measure_write_rma_collective_end(location, OTF2_COLLECTIVE_OP_BARRIER,
			assert &MPI_MODE_NOPRECEDE
				? OTF2_RMA_SYNC_LEVEL_NONE
				: OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY,
			window->id, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	}
	measure_failure_leave(location, sync->region, result);
}

/* -------------------------------------------------------- locks, flushes --- */

/* False: it is no rank of the window's (MPI_PROC_NULL). */
static bool window_find_target(const struct measure_rma_window *window, int rank, uint32_t *target)
{
	*target = rank == MEASURE_EVERY_RANK ? MEASURE_ALL_TARGETS : (uint32_t)rank;
	return rank == MEASURE_EVERY_RANK || (rank >= 0 && (uint32_t)rank < window->size);
}

/* MPI_Win_lock need not wait for the lock: the trace knows when it was asked for. */
struct measure_rma_sync measure_lock_before(
	enum measure_call call, int lock_type, int rank, MPI_Win win)
{
	struct measure_rma_sync sync;
	struct measure_location *location = sync_enter(call, win, &sync);
	uint32_t target;

	if (!location)
		return sync;
	if (sync.window && window_find_target(sync.window, rank, &target) &&
		(lock_type == MPI_LOCK_EXCLUSIVE || lock_type == MPI_LOCK_SHARED))
		measure_write_rma_request_lock(location, sync.window->id, target, THE_LOCK,
			lock_type == MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
	else
		sync.window = NULL;
	measure_record_end(location);
	return sync;
}

/* A lock that was not got is held no longer. */
void measure_lock_after(const struct measure_rma_sync *sync, int result, int rank)
{
	struct measure_location *location = measure_failure_return(sync->region, result);
	uint32_t target;

	if (!location)
		return;
	if (result != MPI_SUCCESS && sync->window &&
		window_find_target(sync->window, rank, &target))
		measure_write_rma_release_lock(location, sync->window->id, target, THE_LOCK);
	measure_failure_leave(location, sync->region, result);
}

void measure_unlock_after(const struct measure_rma_sync *sync, int result, int rank)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);
	uint32_t target;

	if (!location)
		return;
	if (window && window_find_target(window, rank, &target)) {
		measure_pending_complete(window->pending, location, target, sync->horizon, true);
		measure_write_rma_release_lock(location, window->id, target, THE_LOCK);
	}
	measure_failure_leave(location, sync->region, result);
}

void measure_flush_after(const struct measure_rma_sync *sync, int result, int rank, bool is_remote)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);
	uint32_t target;

	if (!location)
		return;
	if (window && window_find_target(window, rank, &target))
		measure_pending_complete(
			window->pending, location, target, sync->horizon, is_remote);
	measure_failure_leave(location, sync->region, result);
}

void measure_win_sync_after(const struct measure_rma_sync *sync, int result)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);

	if (!location)
		return;
	if (window)
		measure_write_rma_sync(
			location, window->id, window->rank, OTF2_RMA_SYNC_TYPE_MEMORY);
	measure_failure_leave(location, sync->region, result);
}

/* ------------------------------------------- post, start, complete, wait --- */

/* A group may have to be defined, which takes a lock and is not for inside a transaction. */
void measure_epoch_begin_after(
	const struct measure_rma_sync *sync, int result, MPI_Group group, enum measure_epoch epoch)
{
	const struct measure_rma_window *window = result == MPI_SUCCESS ? sync->window : NULL;
	measure_group_t id = MEASURE_UNDEFINED;
	struct measure_epoch_groups *groups;
	struct measure_location *location;

	if (window) {
		id = measure_process_group_find(group);
		groups = measure_pending_groups(window->pending);
		*(epoch == MEASURE_EPOCH_ACCESS ? &groups->access : &groups->exposure) = id;
	}
	location = measure_failure_return(sync->region, result);
	if (!location)
		return;
	if (id != MEASURE_UNDEFINED)
		measure_write_rma_group_sync(location, OTF2_RMA_SYNC_LEVEL_NONE, window->id, id);
	measure_failure_leave(location, sync->region, result);
}

measure_region_t measure_group_free_before(enum measure_call call, const MPI_Group *group)
{
	if (group)
		measure_process_group_forget(*group);
	return measure_plain_before(call);
}

static void epoch_write_end(struct measure_location *location,
	const struct measure_rma_window *window, measure_group_t *group)
{
	if (*group != MEASURE_UNDEFINED)
		measure_write_rma_group_sync(
			location, OTF2_RMA_SYNC_LEVEL_MEMORY, window->id, *group);
	*group = MEASURE_UNDEFINED;
}

void measure_complete_after(const struct measure_rma_sync *sync, int result)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);

	if (!location)
		return;
	if (window) {
		measure_pending_complete(
			window->pending, location, MEASURE_ALL_TARGETS, sync->horizon, true);
		epoch_write_end(location, window, &measure_pending_groups(window->pending)->access);
	}
	measure_failure_leave(location, sync->region, result);
}

void measure_win_wait_after(const struct measure_rma_sync *sync, int result, const int *flag)
{
	const struct measure_rma_window *window;
	struct measure_location *location = sync_return(sync, result, &window);

	if (!location)
		return;
	if (window && *flag)
		epoch_write_end(
			location, window, &measure_pending_groups(window->pending)->exposure);
	if (result != MPI_SUCCESS)
		measure_failure_leave(location, sync->region, result);
	else
		measure_poll_leave(location, sync->region, *flag);
}
