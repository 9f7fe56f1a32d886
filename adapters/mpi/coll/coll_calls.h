/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of collectives: one pair of functions for all blocking ones, and for those that start a
 * nonblocking or make a persistent one. Their traffic is counted at the start; it is recorded when
 * the request is complete (p2p/completion.h). */
#ifndef MEASURE_MPI_COLL_CALLS_H
#define MEASURE_MPI_COLL_CALLS_H

#include "../calls/calls.h"
#include "../comm/communicators.h"
#include "../core/requests.h"
#include "traffic.h"

/* Every member comes to it, in one order with others of the communicator. Operation and root as
 * below. */
measure_region_t measure_collective_before(
	enum measure_call call, uint8_t operation, uint32_t root, MPI_Comm comm);

/* The same of one that makes a communicator. */
measure_region_t measure_creation_before(enum measure_call call, MPI_Comm comm);

/* The same where not all members of the communicator need come. */
measure_region_t measure_partial_collective_before(enum measure_call call, MPI_Comm comm);

/* Opens the transaction after the PMPI call. `communicator` NULL: it has failed or its
 * communicator is unknown, so there is no end of a collective to record; the arguments are
 * to be looked at only where it is not NULL. */
struct measure_location *measure_collective_return(measure_region_t region, int result,
	MPI_Comm comm, const struct measure_communicator **communicator);

/* `operation`: OTF2_CollectiveOp; `root`: rank in the communicator or OTF2_COLLECTIVE_ROOT_NONE.
 * `result` is not MPI_SUCCESS where the own buffer was too short. Then this rank may have returned
 * before the others came: it is not known what it got, nor that it waited for anybody. */
void measure_collective_end(struct measure_location *location, uint8_t operation,
	const struct measure_communicator *communicator, int result, uint32_t root,
	struct measure_traffic traffic);

/* The root as the trace names it: a rank, or of an intercommunicator this one or its group. */
uint32_t measure_collective_root(int root);

/* A collective of `comm` is over that nobody leaves before all have come. */
void measure_collective_has_synchronized(MPI_Comm comm);

/* Nonblocking. Members NULL: there is no request to keep, and the arguments are not to be looked
 * at. Arguments as of measure_collective_end(). */
struct measure_start measure_icollective_before(
	enum measure_call call, uint8_t operation, uint32_t root, MPI_Comm comm);
const struct measure_communicator *measure_icollective_members(
	struct measure_start start, int result, MPI_Comm comm);
void measure_icollective_add(MPI_Request request, struct measure_start start, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic);

/* Persistent: the same. */
const struct measure_communicator *measure_persistent_members(int result, MPI_Comm comm);
void measure_persistent_add(MPI_Request request, uint8_t operation,
	const struct measure_communicator *communicator, uint32_t root,
	struct measure_traffic traffic);

#endif
