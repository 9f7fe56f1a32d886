/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of calls that start a nonblocking collective. Their traffic is counted at the start;
 * it is recorded when the request is complete (wait.h). */
#ifndef MEASURE_MPI_ICOLL_H
#define MEASURE_MPI_ICOLL_H

#include "calls.h"
#include "communicators.h"
#include "requests.h"

struct measure_start measure_icollective_before(enum measure_call call, MPI_Comm comm);

/* NULL: there is no request to keep, and the arguments are not to be looked at. */
const struct measure_communicator *measure_icollective_members(
	struct measure_start start, int result, MPI_Comm comm);

/* Arguments as of measure_collective_end(). */
void measure_icollective_add(MPI_Request request, uint64_t id, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic);

#endif
