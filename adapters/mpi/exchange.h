/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of MPI_Isendrecv and MPI_Isendrecv_replace: a send and a receive that are started by one
 * call and complete as one request of MPI's. In the trace they are two, each with an id of its own,
 * or OTF2 readers would take one for the other. */
#ifndef MEASURE_MPI_EXCHANGE_H
#define MEASURE_MPI_EXCHANGE_H

#include "calls.h"
#include "requests.h"

/* What the two halves of a call hand on. */
struct measure_exchange {
	struct measure_request request; /* as it will be kept */
	bool is_kept;                   /* false: nothing is sent or received that is known */
	bool is_recorded;
};

struct measure_exchange measure_isendrecv_before(enum measure_call call, MPI_Count count,
	MPI_Datatype type, int dest, int tag, int source, int recvtag, MPI_Comm comm);
void measure_isendrecv_after(enum measure_call call, struct measure_exchange *exchange, int result,
	MPI_Count recvcount, MPI_Datatype recvtype, const MPI_Request *request);

/* A request of any kind, so also of two ids, has come to nothing. */
void measure_write_cancelled(
	struct measure_location *location, const struct measure_request *request);

/* The completion of both. */
void measure_write_exchange(struct measure_location *location,
	const struct measure_request *request, const MPI_Status *status);

#endif
