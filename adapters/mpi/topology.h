/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies of communicators: their definition, the neighbours of this process in them, and
 * how many bytes it exchanges with those in neighbourhood collectives. */
#ifndef MEASURE_MPI_TOPOLOGY_H
#define MEASURE_MPI_TOPOLOGY_H

#include <mpi.h>

#include "adapter.h"
#include "counts.h"
#include "requests.h"

/* Ranks that this process receives from and sends to, in the order in which neighbourhood
 * collectives use them; MPI_PROC_NULL: beyond an edge, nothing is exchanged. */
struct measure_neighbours {
	uint32_t nr_sources;
	uint32_t nr_destinations;
	int ranks[]; /* sources, then destinations */
};

/* Defines the Cartesian topology of `comm`, if it has one, as that of communicator `id`, in
 * which this process has the given rank. */
void measure_topology_define(MPI_Comm comm, measure_comm_t id, uint32_t rank);

/* For free(). NULL: `comm` has no topology, or there is no memory. */
struct measure_neighbours *measure_neighbours_get(MPI_Comm comm, uint32_t rank);

/* Each transfer between two ranks counts once; so over a communicator as many bytes are sent as
 * received. */
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
