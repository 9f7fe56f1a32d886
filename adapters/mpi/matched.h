/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of matched probes and of the receives of what they have found. A probe that finds a
 * message decides which receive gets it, whatever is received in between; so the trace has
 * the receive's request in the probe and its completion in MPI_Mrecv or the wait for
 * MPI_Imrecv. */
#ifndef MEASURE_MPI_MATCHED_H
#define MEASURE_MPI_MATCHED_H

#include "calls.h"
#include "requests.h"

void measure_mprobe_after(enum measure_call call, bool is_recorded, int result, const int *flag,
	MPI_Comm comm, const MPI_Message *message);

struct measure_matched {
	struct measure_request receive;
	MPI_Message handle;
	bool is_found;
	bool is_recorded;
};

/* MPI takes the message's handle away, so it is looked up before the PMPI call. A refused call
 * leaves the message for another one. */
struct measure_matched measure_mrecv_before(enum measure_call call, const MPI_Message *message);
void measure_mrecv_after(enum measure_call call, const struct measure_matched *matched, int result,
	const MPI_Message *message, const MPI_Status *status);
void measure_imrecv_after(enum measure_call call, const struct measure_matched *matched, int result,
	const MPI_Message *message, const MPI_Request *request);

#endif
