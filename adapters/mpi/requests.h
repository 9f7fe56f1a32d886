/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of the requests in flight: a map from MPI's handle to what its completion
 * record needs. O(1), without a limit on their number, and memory follows their number up
 * and down. Thread-safe where MPI runs with MPI_THREAD_MULTIPLE.
 *
 * A handle alone does not name a request. MPI libraries give one handle to many sends that
 * were complete at once, and with threads a handle can be given out again while the thread
 * that completed its last use has not come here yet. So adding numbers the requests, and
 * whoever completes one reads the number before its PMPI call (the horizon): its request is
 * the newest of that handle below the horizon. */
#ifndef MEASURE_MPI_REQUESTS_H
#define MEASURE_MPI_REQUESTS_H

#include <mpi.h>

#include "adapter.h"

enum measure_request_kind { MEASURE_REQUEST_SEND, MEASURE_REQUEST_RECEIVE };

struct measure_request {
	uint64_t id; /* as in the trace */
	measure_comm_t comm;
	uint8_t kind;      /* enum measure_request_kind */
	bool is_cancelled; /* MPI_Cancel was called; whether it came in time, the status says */
};

/* True: several threads may call MPI at once. Set once by MPI_Init. */
extern bool measure_mpi_is_multiple;

/* An id for the trace, unique in this process. */
uint64_t measure_request_new_id(void);

/* To be read before the PMPI call that may complete requests. */
uint64_t measure_request_horizon(void);

/* False: nothing is in flight, no handle needs to be looked at. */
bool measure_request_is_any(void);

/* After a PMPI call has started a request. Where memory is short it is not kept, and its
 * completion not recorded. */
void measure_request_add(
	MPI_Request handle, enum measure_request_kind kind, uint64_t id, measure_comm_t comm);

/* Takes a request out of the map. False: it is none of ours (persistent, nonblocking
 * collective, started by Fortran); nothing is to be recorded. */
bool measure_request_take(MPI_Request handle, uint64_t horizon, struct measure_request *request);

/* Notes that MPI_Cancel was called for a request. */
void measure_request_mark_cancelled(MPI_Request handle);

#endif
