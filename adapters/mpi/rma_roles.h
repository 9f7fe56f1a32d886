/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of one-sided communication; see roles.h, which includes this. */
#ifndef MEASURE_MPI_RMA_ROLES_H
#define MEASURE_MPI_RMA_ROLES_H

#include "rma.h"

/* --------------------------------------------------------------- windows --- */

#define REGION_WIN_CREATE OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_CREATE                                                                          \
	const struct measure_win_begun begun =                                                     \
		measure_win_create_before(call, comm, size >= 0 && disp_unit > 0)
#define AFTER_WIN_CREATE  measure_win_create_after(call, begun, result, comm, win, false)

#define REGION_WIN_ALLOCATE OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_ALLOCATE BEFORE_WIN_CREATE
#define AFTER_WIN_ALLOCATE  measure_win_create_after(call, begun, result, comm, win, true)

#define REGION_WIN_CREATE_DYNAMIC OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_CREATE_DYNAMIC                                                                  \
	const struct measure_win_begun begun = measure_win_create_before(call, comm, true)
#define AFTER_WIN_CREATE_DYNAMIC AFTER_WIN_CREATE

#define REGION_WIN_FREE OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FREE struct measure_win_freed freed = measure_win_free_before(call, win)
#define AFTER_WIN_FREE	measure_win_free_after(call, &freed, result)

#define REGION_WIN_SET_NAME OTF2_REGION_ROLE_WRAPPER
#define BEFORE_WIN_SET_NAME BEFORE_PLAIN
#define AFTER_WIN_SET_NAME  measure_win_set_name_after(call, is_recorded, result, win, win_name)

/* ------------------------------------------------------------ operations --- */

/* What is moved is computed only where the window is known and the target a rank in it. */
#define BEFORE_OPERATION(moved, is_alone)                                                          \
	struct measure_rma rma = measure_rma_find(call, target_rank, win);                         \
	if (rma.window)                                                                            \
		rma.transfer = moved;                                                              \
	measure_rma_before(call, &rma, is_alone)
#define AFTER_OPERATION		measure_rma_after(call, &rma, result)
#define AFTER_REQUEST_OPERATION measure_rma_request_after(call, &rma, result, win, request)

#define PUT_TRANSFER	    measure_put_transfer(origin_count, origin_datatype)
#define GET_TRANSFER	    measure_get_transfer(origin_count, origin_datatype)
#define ACCUMULATE_TRANSFER measure_accumulate_transfer(origin_count, origin_datatype)
#define GET_ACCUMULATE_TRANSFER                                                                    \
	measure_fetch_transfer(origin_count, origin_datatype, result_count, result_datatype, op)

#define REGION_PUT OTF2_REGION_ROLE_RMA
#define BEFORE_PUT BEFORE_OPERATION(PUT_TRANSFER, false)
#define AFTER_PUT  AFTER_OPERATION

#define REGION_RPUT OTF2_REGION_ROLE_RMA
#define BEFORE_RPUT BEFORE_OPERATION(PUT_TRANSFER, true)
#define AFTER_RPUT  AFTER_REQUEST_OPERATION

#define REGION_GET OTF2_REGION_ROLE_RMA
#define BEFORE_GET BEFORE_OPERATION(GET_TRANSFER, false)
#define AFTER_GET  AFTER_OPERATION

#define REGION_RGET OTF2_REGION_ROLE_RMA
#define BEFORE_RGET BEFORE_OPERATION(GET_TRANSFER, true)
#define AFTER_RGET  AFTER_REQUEST_OPERATION

#define REGION_ACCUMULATE OTF2_REGION_ROLE_RMA
#define BEFORE_ACCUMULATE BEFORE_OPERATION(ACCUMULATE_TRANSFER, false)
#define AFTER_ACCUMULATE  AFTER_OPERATION

#define REGION_RACCUMULATE OTF2_REGION_ROLE_RMA
#define BEFORE_RACCUMULATE BEFORE_OPERATION(ACCUMULATE_TRANSFER, true)
#define AFTER_RACCUMULATE  AFTER_REQUEST_OPERATION

#define REGION_GET_ACCUMULATE OTF2_REGION_ROLE_RMA
#define BEFORE_GET_ACCUMULATE BEFORE_OPERATION(GET_ACCUMULATE_TRANSFER, false)
#define AFTER_GET_ACCUMULATE  AFTER_OPERATION

#define REGION_RGET_ACCUMULATE OTF2_REGION_ROLE_RMA
#define BEFORE_RGET_ACCUMULATE BEFORE_OPERATION(GET_ACCUMULATE_TRANSFER, true)
#define AFTER_RGET_ACCUMULATE  AFTER_REQUEST_OPERATION

#define REGION_FETCH_AND_OP OTF2_REGION_ROLE_RMA
#define BEFORE_FETCH_AND_OP BEFORE_OPERATION(measure_fetch_transfer(1, type, 1, type, op), false)
#define AFTER_FETCH_AND_OP  AFTER_OPERATION

#define REGION_COMPARE_AND_SWAP OTF2_REGION_ROLE_RMA
#define BEFORE_COMPARE_AND_SWAP BEFORE_OPERATION(measure_swap_transfer(type), false)
#define AFTER_COMPARE_AND_SWAP	AFTER_OPERATION

/* ------------------------------------------------------- synchronisation --- */

#define REGION_GROUP_FREE OTF2_REGION_ROLE_WRAPPER
#define BEFORE_GROUP_FREE const bool is_recorded = measure_group_free_before(call, group)
#define AFTER_GROUP_FREE  AFTER_PLAIN

#define BEFORE_ANY_SYNC const struct measure_rma_sync sync = measure_rma_sync_before(call, win)

#define REGION_WIN_FENCE OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FENCE const struct measure_rma_sync sync = measure_fence_before(call, win)
#define AFTER_WIN_FENCE	 measure_fence_after(call, &sync, result, assert)

#define REGION_WIN_LOCK OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_LOCK                                                                            \
	const struct measure_rma_sync sync = measure_lock_before(call, lock_type, rank, win)
#define AFTER_WIN_LOCK measure_lock_after(call, &sync, result, rank)

#define REGION_WIN_LOCK_ALL OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_LOCK_ALL                                                                        \
	const struct measure_rma_sync sync =                                                       \
		measure_lock_before(call, MPI_LOCK_SHARED, MEASURE_EVERY_RANK, win)
#define AFTER_WIN_LOCK_ALL measure_lock_after(call, &sync, result, MEASURE_EVERY_RANK)

#define REGION_WIN_UNLOCK OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_UNLOCK BEFORE_ANY_SYNC
#define AFTER_WIN_UNLOCK  measure_unlock_after(call, &sync, result, rank)

#define REGION_WIN_UNLOCK_ALL OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_UNLOCK_ALL BEFORE_ANY_SYNC
#define AFTER_WIN_UNLOCK_ALL  measure_unlock_after(call, &sync, result, MEASURE_EVERY_RANK)

#define REGION_WIN_FLUSH OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FLUSH BEFORE_ANY_SYNC
#define AFTER_WIN_FLUSH	 measure_flush_after(call, &sync, result, rank, true)

#define REGION_WIN_FLUSH_ALL OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FLUSH_ALL BEFORE_ANY_SYNC
#define AFTER_WIN_FLUSH_ALL  measure_flush_after(call, &sync, result, MEASURE_EVERY_RANK, true)

#define REGION_WIN_FLUSH_LOCAL OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FLUSH_LOCAL BEFORE_ANY_SYNC
#define AFTER_WIN_FLUSH_LOCAL  measure_flush_after(call, &sync, result, rank, false)

#define REGION_WIN_FLUSH_LOCAL_ALL OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_FLUSH_LOCAL_ALL BEFORE_ANY_SYNC
#define AFTER_WIN_FLUSH_LOCAL_ALL                                                                  \
	measure_flush_after(call, &sync, result, MEASURE_EVERY_RANK, false)

#define REGION_WIN_SYNC OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_SYNC BEFORE_ANY_SYNC
#define AFTER_WIN_SYNC	measure_win_sync_after(call, &sync, result)

#define REGION_WIN_START OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_START BEFORE_ANY_SYNC
#define AFTER_WIN_START	 measure_start_epoch_after(call, &sync, result, group)

#define REGION_WIN_POST OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_POST BEFORE_ANY_SYNC
#define AFTER_WIN_POST	measure_post_after(call, &sync, result, group)

#define REGION_WIN_COMPLETE OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_COMPLETE BEFORE_ANY_SYNC
#define AFTER_WIN_COMPLETE  measure_complete_after(call, &sync, result)

#define REGION_WIN_WAIT OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_WAIT BEFORE_ANY_SYNC
#define AFTER_WIN_WAIT	measure_win_wait_after(call, &sync, result, &(const int){true})

#define REGION_WIN_TEST OTF2_REGION_ROLE_RMA
#define BEFORE_WIN_TEST BEFORE_ANY_SYNC
#define AFTER_WIN_TEST	measure_win_wait_after(call, &sync, result, flag)

#endif
