/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of one-sided communication. An operation is recorded only if MPI will find nothing
 * wrong with it: its window is known, the target a rank in it (so not MPI_PROC_NULL), and so on.
 * Wrong arguments pass through to MPI untouched, and its error handler is called once, by MPI. */
#ifndef MEASURE_MPI_RMA_CALLS_H
#define MEASURE_MPI_RMA_CALLS_H

#include <limits.h>

#include "../calls/calls.h"
#include "../core/requests.h"
#include "windows.h"

/* --------------------------------------------------------------- windows --- */

/* What the two halves of a creation hand on. */
struct measure_win_begun {
	measure_region_t region;
	bool is_collective; /* its begin was recorded */
};

/* has_good_memory: MPI will find nothing wrong with the arguments that say what memory it is. */
struct measure_win_begun measure_win_create_before(
	enum measure_call call, MPI_Comm comm, bool has_good_memory);
void measure_win_create_after(struct measure_win_begun begun, int result, MPI_Comm comm,
	const MPI_Win *win, bool has_memory);

struct measure_win_freed {
	struct measure_rma_window window;
	MPI_Win handle;
	bool is_known;
	measure_region_t region;
};
struct measure_win_freed measure_win_free_before(enum measure_call call, const MPI_Win *win);
void measure_win_free_after(struct measure_win_freed *freed, int result);

void measure_win_set_name_after(
	measure_region_t region, int result, MPI_Win win, const char *win_name);

/* ------------------------------------------------------------ operations --- */

enum measure_transfer_kind {
	MEASURE_TRANSFER_NONE, /* MPI will refuse it */
	MEASURE_TRANSFER_PUT,
	MEASURE_TRANSFER_GET,
	MEASURE_TRANSFER_ATOMIC
};

/* What an operation moves. */
struct measure_transfer {
	uint8_t kind;
	uint8_t atomic; /* OTF2_RmaAtomicType */
	bool returns_data;
	uint64_t sent;
	uint64_t received;
};

struct measure_transfer measure_put_transfer(MPI_Count count, MPI_Datatype type);
struct measure_transfer measure_get_transfer(MPI_Count count, MPI_Datatype type);
struct measure_transfer measure_accumulate_transfer(MPI_Count count, MPI_Datatype type);
struct measure_transfer measure_fetch_transfer(MPI_Count count, MPI_Datatype type,
	MPI_Count result_count, MPI_Datatype result_type, MPI_Op op);
struct measure_transfer measure_swap_transfer(MPI_Datatype type);

/* What the two halves of an operation hand on; window NULL: there is none to record. */
struct measure_rma {
	const struct measure_rma_window *window;
	uint32_t target;
	measure_region_t region;
	uint64_t number;
	struct measure_transfer transfer;
};

/* The window of an operation; its other arguments are to be looked at only where there is one. */
struct measure_rma measure_rma_find(int target, MPI_Win win);

/* is_alone: it has a request. */
void measure_rma_before(enum measure_call call, struct measure_rma *rma, bool is_alone);
void measure_rma_after(const struct measure_rma *rma, int result);
void measure_rma_request_after(
	const struct measure_rma *rma, int result, MPI_Win win, const MPI_Request *request);

/* Its request is complete. */
void measure_rma_write_request(
	struct measure_location *location, const struct measure_request *request);

/* ------------------------------------------------------- synchronisation --- */

struct measure_rma_sync {
	const struct measure_rma_window *window; /* NULL: unknown */
	uint64_t horizon;
	measure_region_t region;
};

/* Before any of them but MPI_Win_fence and MPI_Win_lock, which record something there. */
struct measure_rma_sync measure_rma_sync_before(enum measure_call call, MPI_Win win);

struct measure_rma_sync measure_fence_before(enum measure_call call, MPI_Win win);
void measure_fence_after(const struct measure_rma_sync *sync, int result, int assert);

/* Instead of the rank of a target. */
#define MEASURE_EVERY_RANK INT_MIN
struct measure_rma_sync measure_lock_before(
	enum measure_call call, int lock_type, int target, MPI_Win win);
void measure_lock_after(const struct measure_rma_sync *sync, int result, int target);
void measure_unlock_after(const struct measure_rma_sync *sync, int result, int target);
void measure_flush_after(
	const struct measure_rma_sync *sync, int result, int target, bool is_remote);

/* Before MPI_Group_free: the group's handle may be another's afterwards. */
measure_region_t measure_group_free_before(enum measure_call call, const MPI_Group *group);

enum measure_epoch { MEASURE_EPOCH_ACCESS, MEASURE_EPOCH_EXPOSURE };
void measure_epoch_begin_after(
	const struct measure_rma_sync *sync, int result, MPI_Group group, enum measure_epoch epoch);
void measure_complete_after(const struct measure_rma_sync *sync, int result);
void measure_win_wait_after(const struct measure_rma_sync *sync, int result, const int *flag);
void measure_win_sync_after(const struct measure_rma_sync *sync, int result);

#endif
