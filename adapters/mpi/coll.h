/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Roles of blocking collectives: one pair for all; and how many bytes this process sends and
 * receives in each collective, blocking or not. Bytes are counted so that over a communicator as
 * many are sent as received: each transfer between two ranks once, the own part included, except
 * where MPI_IN_PLACE leaves it out. In an intercommunicator all goes to the other group. */
#ifndef MEASURE_MPI_COLL_H
#define MEASURE_MPI_COLL_H

#include "calls.h"
#include "communicators.h"
#include "counts.h"
#include "requests.h"

static const struct measure_traffic measure_no_traffic;

bool measure_collective_before(enum measure_call call, MPI_Comm comm);

/* Opens the bracket after the PMPI call. `communicator` NULL: it was refused or its
 * communicator is unknown, so there is no end of a collective to record; the arguments are
 * to be looked at only where it is not NULL. */
struct measure_location *measure_collective_return(bool is_recorded, int result, MPI_Comm comm,
	const struct measure_communicator **communicator);

/* `operation`: OTF2_CollectiveOp; `root`: rank in the communicator or OTF2_COLLECTIVE_ROOT_NONE.
 * `result` is not MPI_SUCCESS where the own buffer was too short. Then this rank may have returned
 * before the others came: it is not known what it got, nor that it waited for anybody. */
void measure_collective_end(struct measure_location *location, uint8_t operation,
	const struct measure_communicator *communicator, int result, uint32_t root,
	struct measure_traffic traffic);

/* The root as the trace names it: a rank, or of an intercommunicator this one or its group. */
uint32_t measure_collective_root(int root);

/* `is_in_place`: the own buffer that this rank would send from (or, at the root of a
 * scatter, receive into) is MPI_IN_PLACE. */
struct measure_traffic measure_bcast_traffic(
	const struct measure_communicator *comm, int root, MPI_Count count, MPI_Datatype type);
struct measure_traffic measure_gather_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype);
struct measure_traffic measure_gatherv_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype);
struct measure_traffic measure_scatter_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype);
struct measure_traffic measure_scatterv_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, struct measure_counts sendcounts, MPI_Datatype sendtype,
	MPI_Count recvcount, MPI_Datatype recvtype);
struct measure_traffic measure_allgather_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype);
struct measure_traffic measure_allgatherv_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype);
struct measure_traffic measure_alltoallv_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts sendcounts, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype);
struct measure_traffic measure_alltoallw_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts sendcounts, const MPI_Datatype *sendtypes,
	struct measure_counts recvcounts, const MPI_Datatype *recvtypes);
struct measure_traffic measure_reduce_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count count, MPI_Datatype type);
struct measure_traffic measure_allreduce_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count count, MPI_Datatype type);
struct measure_traffic measure_reduce_scatter_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts recvcounts, MPI_Datatype type);
struct measure_traffic measure_reduce_scatter_block_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count recvcount, MPI_Datatype type);
struct measure_traffic measure_scan_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count count, MPI_Datatype type);
struct measure_traffic measure_exscan_traffic(
	const struct measure_communicator *comm, MPI_Count count, MPI_Datatype type);

#endif
