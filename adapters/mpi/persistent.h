/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that make and start persistent requests. Each start is recorded like a
 * nonblocking send, receive or collective, always with the same request id; wait.h has the
 * completions. */
#ifndef MEASURE_MPI_PERSISTENT_H
#define MEASURE_MPI_PERSISTENT_H

#include "calls.h"
#include "communicators.h"
#include "requests.h"

void measure_send_init_after(enum measure_call call, bool is_recorded, int result, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void measure_recv_init_after(enum measure_call call, bool is_recorded, int result, int source,
	MPI_Comm comm, const MPI_Request *request);

/* A partitioned receive. Its send is to the trace a persistent one: what MPI_Pready says is not
 * recorded. */
void measure_precv_init_after(enum measure_call call, bool is_recorded, int result, MPI_Count count,
	MPI_Datatype type, int source, int tag, MPI_Comm comm, const MPI_Request *request);

/* Collectives. NULL: there is no request to keep, and the arguments are not to be looked at. */
const struct measure_communicator *measure_persistent_members(
	enum measure_call call, int result, MPI_Comm comm);

/* Arguments as of measure_collective_end(). */
void measure_persistent_add(MPI_Request request, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic);

bool measure_start_all_before(enum measure_call call, int count, const MPI_Request *requests);
void measure_start_all_after(enum measure_call call, bool is_recorded, int result, int count,
	const MPI_Request *requests);

#endif
