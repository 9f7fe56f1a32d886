/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bytes of collectives. Arguments that MPI ignores on a rank are not looked at there. */
#include "config.h"

#include "../topology/topology.h"
#include "traffic.h"

static bool rank_is_root(const struct measure_communicator *comm, int root)
{
	return comm->is_inter ? root == MPI_ROOT : comm->rank == (uint32_t)root;
}

/* Whether this rank gives the root its part, or gets one: in an intercommunicator those who name
 * a rank of the other group as the root. The others' arguments for it mean nothing. */
static bool has_part(const struct measure_communicator *comm, int root, bool is_in_place)
{
	return comm->is_inter ? root >= 0 : !is_in_place;
}

/* Whether the own part is left out of what passes through the root's buffer. */
static bool is_self_excluded(const struct measure_communicator *comm, bool is_in_place)
{
	return is_in_place && !comm->is_inter;
}

/* How many ranks' parts pass through a buffer. */
static uint64_t nr_parts(const struct measure_communicator *comm, bool is_in_place)
{
	return comm->size - (is_self_excluded(comm, is_in_place) ? 1 : 0);
}

/* All ranks' parts together, the own one left out where it stays in place. */
static uint64_t comm_sum_bytes(const struct measure_communicator *comm, bool is_in_place,
	struct measure_counts counts, MPI_Datatype type)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < comm->size; i++)
		if (!is_in_place || i != comm->rank)
			sum += (uint64_t)measure_count_at(counts, i);
	return sum * measure_type_bytes(1, type);
}

static uint64_t comm_sum_typed_bytes(const struct measure_communicator *comm, bool is_in_place,
	struct measure_counts counts, const MPI_Datatype *types)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < comm->size; i++)
		if (measure_count_at(counts, i) > 0 && (!is_in_place || i != comm->rank))
			bytes += measure_type_bytes(measure_count_at(counts, i), types[i]);
	return bytes;
}

struct measure_traffic measure_bcast_traffic(
	const struct measure_communicator *comm, int root, MPI_Count count, MPI_Datatype type)
{
	struct measure_traffic traffic = {0};

	if (has_part(comm, root, false))
		traffic.received = measure_type_bytes(count, type);
	if (rank_is_root(comm, root))
		traffic.sent = comm->size * measure_type_bytes(count, type);
	return traffic;
}

struct measure_traffic measure_gather_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype)
{
	struct measure_traffic traffic = {0};

	if (has_part(comm, root, is_in_place))
		traffic.sent = measure_type_bytes(sendcount, sendtype);
	if (rank_is_root(comm, root))
		traffic.received =
			nr_parts(comm, is_in_place) * measure_type_bytes(recvcount, recvtype);
	return traffic;
}

struct measure_traffic measure_gatherv_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype)
{
	struct measure_traffic traffic = {0};

	if (has_part(comm, root, is_in_place))
		traffic.sent = measure_type_bytes(sendcount, sendtype);
	if (rank_is_root(comm, root))
		traffic.received = comm_sum_bytes(
			comm, is_self_excluded(comm, is_in_place), recvcounts, recvtype);
	return traffic;
}

struct measure_traffic measure_scatter_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype)
{
	struct measure_traffic traffic = {0};

	if (rank_is_root(comm, root))
		traffic.sent =
			nr_parts(comm, is_in_place) * measure_type_bytes(sendcount, sendtype);
	if (has_part(comm, root, is_in_place))
		traffic.received = measure_type_bytes(recvcount, recvtype);
	return traffic;
}

struct measure_traffic measure_scatterv_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, struct measure_counts sendcounts, MPI_Datatype sendtype,
	MPI_Count recvcount, MPI_Datatype recvtype)
{
	struct measure_traffic traffic = {0};

	if (rank_is_root(comm, root))
		traffic.sent = comm_sum_bytes(
			comm, is_self_excluded(comm, is_in_place), sendcounts, sendtype);
	if (has_part(comm, root, is_in_place))
		traffic.received = measure_type_bytes(recvcount, recvtype);
	return traffic;
}

struct measure_traffic measure_allgather_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
	MPI_Datatype recvtype)
{
	const uint64_t received = measure_type_bytes(recvcount, recvtype);
	const uint64_t sent = is_in_place ? received : measure_type_bytes(sendcount, sendtype);
	const uint64_t nr = nr_parts(comm, is_in_place);

	return (struct measure_traffic){nr * sent, nr * received};
}

struct measure_traffic measure_allgatherv_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count sendcount, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype)
{
	const uint64_t own =
		is_in_place ? measure_type_bytes(measure_count_at(recvcounts, comm->rank), recvtype)
			    : measure_type_bytes(sendcount, sendtype);

	return (struct measure_traffic){
		.sent = nr_parts(comm, is_in_place) * own,
		.received = comm_sum_bytes(comm, is_in_place, recvcounts, recvtype),
	};
}

struct measure_traffic measure_alltoallv_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts sendcounts, MPI_Datatype sendtype,
	struct measure_counts recvcounts, MPI_Datatype recvtype)
{
	struct measure_traffic traffic;

	traffic.received = comm_sum_bytes(comm, is_in_place, recvcounts, recvtype);
	traffic.sent =
		is_in_place ? traffic.received : comm_sum_bytes(comm, false, sendcounts, sendtype);
	return traffic;
}

struct measure_traffic measure_alltoallw_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts sendcounts, const MPI_Datatype *sendtypes,
	struct measure_counts recvcounts, const MPI_Datatype *recvtypes)
{
	struct measure_traffic traffic;

	traffic.received = comm_sum_typed_bytes(comm, is_in_place, recvcounts, recvtypes);
	traffic.sent = is_in_place ? traffic.received
				   : comm_sum_typed_bytes(comm, false, sendcounts, sendtypes);
	return traffic;
}

struct measure_traffic measure_reduce_traffic(const struct measure_communicator *comm, int root,
	bool is_in_place, MPI_Count count, MPI_Datatype type)
{
	struct measure_traffic traffic = {0};

	if (has_part(comm, root, is_in_place))
		traffic.sent = measure_type_bytes(count, type);
	if (rank_is_root(comm, root))
		traffic.received = nr_parts(comm, is_in_place) * measure_type_bytes(count, type);
	return traffic;
}

struct measure_traffic measure_allreduce_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count count, MPI_Datatype type)
{
	const uint64_t bytes = nr_parts(comm, is_in_place) * measure_type_bytes(count, type);

	return (struct measure_traffic){bytes, bytes};
}

/* In an intercommunicator the two groups give one vector the same length, and cut it up each for
 * themselves: counts are of the own group's ranks. */
struct measure_traffic measure_reduce_scatter_traffic(const struct measure_communicator *comm,
	bool is_in_place, struct measure_counts recvcounts, MPI_Datatype type)
{
	uint64_t nr_sent = 0;

	for (uint32_t i = 0; i < comm->local_size; i++)
		if (!is_in_place || i != comm->rank)
			nr_sent += (uint64_t)measure_count_at(recvcounts, i);
	return (struct measure_traffic){
		.sent = nr_sent * measure_type_bytes(1, type),
		.received = nr_parts(comm, is_in_place) *
			    measure_type_bytes(measure_count_at(recvcounts, comm->rank), type),
	};
}

struct measure_traffic measure_reduce_scatter_block_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count recvcount, MPI_Datatype type)
{
	const uint64_t bytes = measure_type_bytes(recvcount, type);

	return (struct measure_traffic){
		.sent = (comm->local_size - (is_in_place ? 1 : 0)) * bytes,
		.received = nr_parts(comm, is_in_place) * bytes,
	};
}

/* Rank r gives its part to itself and all above it, and gets those of all below. */
struct measure_traffic measure_scan_traffic(const struct measure_communicator *comm,
	bool is_in_place, MPI_Count count, MPI_Datatype type)
{
	const uint64_t bytes = measure_type_bytes(count, type);
	const uint64_t own = is_in_place ? 0 : bytes;

	return (struct measure_traffic){
		.sent = own + (comm->size - comm->rank - 1) * bytes,
		.received = own + comm->rank * bytes,
	};
}

struct measure_traffic measure_exscan_traffic(
	const struct measure_communicator *comm, MPI_Count count, MPI_Datatype type)
{
	return measure_scan_traffic(comm, true, count, type);
}

/* ------------------------------------------------------- neighbourhood collectives --- */

/* Those on one side; of a communicator without a topology none. */
struct neighbour_side {
	const int *ranks;
	uint32_t nr;
};

static struct neighbour_side sources_of(const struct measure_communicator *comm)
{
	const struct measure_neighbours *all = comm->neighbours;

	return all ? (struct neighbour_side){measure_neighbour_sources(all), all->nr_sources}
		   : (struct neighbour_side){0};
}

static struct neighbour_side destinations_of(const struct measure_communicator *comm)
{
	const struct measure_neighbours *all = comm->neighbours;

	return all ? (struct neighbour_side){measure_neighbour_destinations(all),
			     all->nr_destinations}
		   : (struct neighbour_side){0};
}

static uint64_t neighbours_count(struct neighbour_side side)
{
	uint64_t found = 0;

	for (uint32_t i = 0; i < side.nr; i++)
		found += side.ranks[i] != MPI_PROC_NULL;
	return found;
}

static uint64_t neighbours_equal_bytes(
	struct neighbour_side side, MPI_Count count, MPI_Datatype type)
{
	const uint64_t nr_ranks = neighbours_count(side);

	return nr_ranks ? nr_ranks * measure_type_bytes(count, type) : 0;
}

static uint64_t neighbours_sum_bytes(
	struct neighbour_side side, struct measure_counts counts, MPI_Datatype type)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < side.nr; i++)
		if (side.ranks[i] != MPI_PROC_NULL)
			sum += (uint64_t)measure_count_at(counts, i);
	return sum ? sum * measure_type_bytes(1, type) : 0;
}

static uint64_t neighbours_sum_typed_bytes(
	struct neighbour_side side, struct measure_counts counts, const MPI_Datatype *types)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < side.nr; i++)
		if (side.ranks[i] != MPI_PROC_NULL && measure_count_at(counts, i) > 0)
			bytes += measure_type_bytes(measure_count_at(counts, i), types[i]);
	return bytes;
}

struct measure_traffic measure_neighbor_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount, MPI_Datatype recvtype)
{
	return (struct measure_traffic){
		.sent = neighbours_equal_bytes(destinations_of(comm), sendcount, sendtype),
		.received = neighbours_equal_bytes(sources_of(comm), recvcount, recvtype),
	};
}

struct measure_traffic measure_neighbor_allgatherv_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype)
{
	return (struct measure_traffic){
		.sent = neighbours_equal_bytes(destinations_of(comm), sendcount, sendtype),
		.received = neighbours_sum_bytes(sources_of(comm), recvcounts, recvtype),
	};
}

struct measure_traffic measure_neighbor_alltoallv_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype)
{
	return (struct measure_traffic){
		.sent = neighbours_sum_bytes(destinations_of(comm), sendcounts, sendtype),
		.received = neighbours_sum_bytes(sources_of(comm), recvcounts, recvtype),
	};
}

struct measure_traffic measure_neighbor_alltoallw_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, const MPI_Datatype *sendtypes,
	struct measure_counts recvcounts, const MPI_Datatype *recvtypes)
{
	return (struct measure_traffic){
		.sent = neighbours_sum_typed_bytes(destinations_of(comm), sendcounts, sendtypes),
		.received = neighbours_sum_typed_bytes(sources_of(comm), recvcounts, recvtypes),
	};
}
