/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of one-sided communication; for calls/wrappers.c. */
#ifndef MEASURE_MPI_RMA_ROLES_H
#define MEASURE_MPI_RMA_ROLES_H

#include "rma_calls.h"

/* has_good_memory: MPI will find nothing wrong with the memory that the window gets. */
#define BEFORE_WIN_CREATE(has_good_memory, has_memory)                                             \
	const struct measure_win_begun begun =                                                     \
		measure_win_create_before(call, comm, has_good_memory)
#define AFTER_WIN_CREATE(has_good_memory, has_memory)                                              \
	measure_win_create_after(begun, result, comm, win, has_memory)

#define BEFORE_WIN_FREE struct measure_win_freed freed = measure_win_free_before(call, win)
#define AFTER_WIN_FREE  measure_win_free_after(&freed, result)

#define BEFORE_WIN_SET_NAME const measure_region_t region = measure_plain_before(call)
#define AFTER_WIN_SET_NAME  measure_win_set_name_after(region, result, win, win_name)

/* What is moved is computed only where the window is known and the target a rank in it. */
#define BEFORE_RMA_OPERATION(moved)                                                                \
	struct measure_rma rma = measure_rma_find(target_rank, win);                               \
	if (rma.window)                                                                            \
		rma.transfer = moved;                                                              \
	measure_rma_before(call, &rma, false)
#define AFTER_RMA_OPERATION(moved) measure_rma_after(&rma, result)

#define BEFORE_RMA_REQUEST(moved)                                                                  \
	struct measure_rma rma = measure_rma_find(target_rank, win);                               \
	if (rma.window)                                                                            \
		rma.transfer = moved;                                                              \
	measure_rma_before(call, &rma, true)
#define AFTER_RMA_REQUEST(moved) measure_rma_request_after(&rma, result, win, request)

/* ------------------------------------------------------- synchronisation --- */

#define BEFORE_GROUP_FREE const measure_region_t region = measure_group_free_before(call, group)
#define AFTER_GROUP_FREE  measure_plain_after(region)

#define BEFORE_FENCE const struct measure_rma_sync sync = measure_fence_before(call, win)
#define AFTER_FENCE  measure_fence_after(&sync, result, assert)

#define BEFORE_LOCK(lock_type_, rank_)                                                             \
	const struct measure_rma_sync sync = measure_lock_before(call, lock_type_, rank_, win)
#define AFTER_LOCK(lock_type_, rank_) measure_lock_after(&sync, result, rank_)

#define BEFORE_UNLOCK(rank_) const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_UNLOCK(rank_)  measure_unlock_after(&sync, result, rank_)

#define BEFORE_FLUSH(rank_, is_remote)                                                             \
	const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_FLUSH(rank_, is_remote) measure_flush_after(&sync, result, rank_, is_remote)

#define BEFORE_WIN_SYNC const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_WIN_SYNC  measure_win_sync_after(&sync, result)

#define BEFORE_EPOCH_BEGIN(epoch)                                                                  \
	const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_EPOCH_BEGIN(epoch) measure_epoch_begin_after(&sync, result, group, epoch)

#define BEFORE_WIN_COMPLETE const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_WIN_COMPLETE  measure_complete_after(&sync, result)

#define BEFORE_WIN_WAIT(flag_)                                                                     \
	const struct measure_rma_sync sync = measure_rma_sync_before(call, win)
#define AFTER_WIN_WAIT(flag_) measure_win_wait_after(&sync, result, flag_)

#endif
