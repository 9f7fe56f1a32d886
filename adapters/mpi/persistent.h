/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that make and start persistent requests. Each start is recorded like a
 * nonblocking send or receive, always with the same request id; wait.h has the completions. */
#ifndef MEASURE_MPI_PERSISTENT_H
#define MEASURE_MPI_PERSISTENT_H

#include "calls.h"

void measure_send_init_after(enum measure_call call, bool is_recorded, int result, MPI_Count count,
	MPI_Datatype type, int dest, int tag, MPI_Comm comm, const MPI_Request *request);
void measure_recv_init_after(enum measure_call call, bool is_recorded, int result, int source,
	MPI_Comm comm, const MPI_Request *request);

bool measure_start_all_before(enum measure_call call, int count, const MPI_Request *requests);
void measure_start_all_after(enum measure_call call, bool is_recorded, int result, int count,
	const MPI_Request *requests);

#endif
