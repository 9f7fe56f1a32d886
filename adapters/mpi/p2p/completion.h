/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of the calls that complete requests. MPI overwrites the handle of a request that is
 * gone, so the handles are copied before the call, and a changed one afterwards tells which
 * are gone. Statuses are the caller's or, where it ignores them, our own. */
#ifndef MEASURE_MPI_COMPLETION_H
#define MEASURE_MPI_COMPLETION_H

#include "../calls/calls.h"
#include "../core/requests.h"

/* The flag of calls that have none. */
extern const int measure_true;

/* That many handles and statuses need no memory but the stack's. */
#define NR_FEW 16

struct measure_wait {
	uint64_t horizon;
	int count;
	measure_region_t region;
	bool was_over; /* MPI_Request_free: the status says how the request has ended */
	const MPI_Request *requests;       /* the caller's */
	MPI_Request *handles;              /* copies; NULL: there is nothing to complete */
	MPI_Status *statuses;              /* given to the PMPI call */
	struct measure_communicator *made; /* duplicates that this call completes */
	int class;                         /* of the call's error */
	int *classes; /* of the errors in statuses, where the call's says so; NULL: no memory */
	void *allocated[2];
	MPI_Request few_handles[NR_FEW];
	MPI_Status few_statuses[NR_FEW];
};

/* What a call that completes requests waits for, if for anything. */
enum measure_wait_kind { MEASURE_WAITS_FOR_NONE, MEASURE_WAITS_FOR_ANY, MEASURE_WAITS_FOR_ALL };

/* Before a call that completes requests out of `count`. Returns the statuses to give to the
 * PMPI call: `statuses`, or room for `nr_statuses` of our own where the caller ignores them. */
MPI_Status *measure_wait_before(struct measure_wait *wait, enum measure_call call,
	enum measure_wait_kind waits, int count, const MPI_Request *requests, MPI_Status *statuses,
	int nr_statuses);

/* After a call that may have completed all of them, or the one at `index` (where `*flag` is true),
 * or those at `indices` (each with the status of the same place). Numbers that MPI left undefined
 * are harmless, and so are NULLs that it has refused. */
void measure_wait_all_after(struct measure_wait *wait, int result, const int *flag);
void measure_wait_any_after(
	struct measure_wait *wait, int result, const int *index, const int *flag);
void measure_wait_some_after(
	struct measure_wait *wait, int result, const int *nr_indices, const int *indices);

/* MPI_Request_get_status: its answer is the last chance to learn what came where the request is
 * freed then. */
void measure_get_status_after(measure_region_t region, int result, MPI_Request request,
	const int *flag, const MPI_Status *status);

/* MPI_Cancel. */
measure_region_t measure_cancel_before(enum measure_call call, const MPI_Request *request);

/* MPI_Request_free. A freed send is recorded as complete, which here means: released. */
void measure_request_free_before(
	struct measure_wait *wait, enum measure_call call, const MPI_Request *request);
void measure_request_free_after(struct measure_wait *wait);

#endif
