/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many bytes this process sends and receives in each collective. Bytes are counted so that over
 * a communicator as many are sent as received: each transfer between two ranks once, the own part
 * included, except where MPI_IN_PLACE leaves it out. In an intercommunicator all goes to the other
 * group. */
#ifndef MEASURE_MPI_TRAFFIC_H
#define MEASURE_MPI_TRAFFIC_H

#include "../comm/communicators.h"
#include "../core/data_sizes.h"
#include "../core/requests.h"

static const struct measure_traffic measure_no_traffic;

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

/* Of neighbourhood collectives. */
struct measure_traffic measure_neighbor_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount, MPI_Datatype recvtype);
struct measure_traffic measure_neighbor_allgatherv_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype);
struct measure_traffic measure_neighbor_alltoallv_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype);
struct measure_traffic measure_neighbor_alltoallw_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, const MPI_Datatype *sendtypes,
	struct measure_counts recvcounts, const MPI_Datatype *recvtypes);

#endif
