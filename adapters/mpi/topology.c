/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading topologies, once for each communicator, and counting the bytes that go along them. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "p2p.h"
#include "real.h"
#include "topology.h"

#define MAX_DIMENSIONS UINT8_MAX /* as many as OTF2 can say */

static int kind_of(MPI_Comm comm)
{
	int kind = MPI_UNDEFINED;

	measure_mpi.Topo_test(comm, &kind);
	return kind;
}

void measure_topology_define(MPI_Comm comm, measure_comm_t id, uint32_t rank)
{
	int sizes[MAX_DIMENSIONS], are_periodic[MAX_DIMENSIONS], coordinates[MAX_DIMENSIONS];
	int nr = 0;

	if (kind_of(comm) != MPI_CART || measure_mpi.Cartdim_get(comm, &nr) != MPI_SUCCESS ||
		nr < 1 || nr > MAX_DIMENSIONS)
		return;
	measure_mpi.Cart_get(comm, nr, sizes, are_periodic, coordinates);
	for (int i = 0; i < nr; i++)
		are_periodic[i] = are_periodic[i] != 0;
	/* None of the numbers is negative. */
	const struct measure_cart_info info = {
		.rank = rank,
		.nr_dimensions = (uint32_t)nr,
		.sizes = (const uint32_t *)sizes,
		.are_periodic = (const uint32_t *)are_periodic,
		.coordinates = (const uint32_t *)coordinates,
	};
	measure_cart_define(id, &info);
}

/* ----------------------------------------------------------------- neighbours --- */

static struct measure_neighbours *make(int nr_sources, int nr_destinations)
{
	struct measure_neighbours *made =
		malloc(sizeof(*made) + (size_t)(nr_sources + nr_destinations) * sizeof(int));

	if (!made)
		return NULL;
	made->nr_sources = (uint32_t)nr_sources;
	made->nr_destinations = (uint32_t)nr_destinations;
	return made;
}

static const int *sources_of(const struct measure_neighbours *neighbours)
{
	return neighbours->ranks;
}

static const int *destinations_of(const struct measure_neighbours *neighbours)
{
	return neighbours->ranks + neighbours->nr_sources;
}

/* In these topologies who is received from is also sent to, in the same order. */
static void copy_sources(struct measure_neighbours *neighbours)
{
	memcpy(neighbours->ranks + neighbours->nr_sources, neighbours->ranks,
		neighbours->nr_sources * sizeof(int));
}

/* Of each dimension the one below and the one above. */
static struct measure_neighbours *read_cart(MPI_Comm comm)
{
	struct measure_neighbours *neighbours;
	int nr_dimensions = 0;

	measure_mpi.Cartdim_get(comm, &nr_dimensions);
	neighbours = make(2 * nr_dimensions, 2 * nr_dimensions);
	if (!neighbours)
		return NULL;
	for (int i = 0; i < nr_dimensions; i++)
		measure_mpi.Cart_shift(
			comm, i, 1, neighbours->ranks + 2 * i, neighbours->ranks + 2 * i + 1);
	copy_sources(neighbours);
	return neighbours;
}

static struct measure_neighbours *read_graph(MPI_Comm comm, uint32_t rank)
{
	struct measure_neighbours *neighbours;
	int nr = 0;

	measure_mpi.Graph_neighbors_count(comm, (int)rank, &nr);
	neighbours = make(nr, nr);
	if (!neighbours)
		return NULL;
	measure_mpi.Graph_neighbors(comm, (int)rank, nr, neighbours->ranks);
	copy_sources(neighbours);
	return neighbours;
}

static struct measure_neighbours *read_dist_graph(MPI_Comm comm)
{
	struct measure_neighbours *neighbours;
	int nr_sources = 0, nr_destinations = 0, is_weighted = 0;
	int *weights;

	measure_mpi.Dist_graph_neighbors_count(comm, &nr_sources, &nr_destinations, &is_weighted);
	neighbours = make(nr_sources, nr_destinations);
	weights = malloc((size_t)(nr_sources + nr_destinations + 1) * sizeof(*weights));
	if (!neighbours || !weights)
		goto undo_make;
	measure_mpi.Dist_graph_neighbors(comm, nr_sources, neighbours->ranks, weights,
		nr_destinations, neighbours->ranks + nr_sources, weights + nr_sources);
	free(weights);
	return neighbours;

undo_make:
	free(weights);
	free(neighbours);
	return NULL;
}

struct measure_neighbours *measure_neighbours_get(MPI_Comm comm, uint32_t rank)
{
	switch (kind_of(comm)) {
	case MPI_CART:
		return read_cart(comm);
	case MPI_GRAPH:
		return read_graph(comm, rank);
	case MPI_DIST_GRAPH:
		return read_dist_graph(comm);
	default:
		return NULL;
	}
}

/* -------------------------------------------------------------------- traffic --- */

static uint64_t count_ranks(const int *ranks, uint32_t nr)
{
	uint64_t found = 0;

	for (uint32_t i = 0; i < nr; i++)
		found += ranks[i] != MPI_PROC_NULL;
	return found;
}

static uint64_t equal_bytes(const int *ranks, uint32_t nr, MPI_Count count, MPI_Datatype type)
{
	const uint64_t nr_ranks = count_ranks(ranks, nr);

	return nr_ranks ? nr_ranks * measure_type_bytes(count, type) : 0;
}

static uint64_t sum_bytes(
	const int *ranks, uint32_t nr, struct measure_counts counts, MPI_Datatype type)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < nr; i++)
		if (ranks[i] != MPI_PROC_NULL)
			sum += (uint64_t)measure_count_at(counts, i);
	return sum ? sum * measure_type_bytes(1, type) : 0;
}

static uint64_t sum_typed_bytes(
	const int *ranks, uint32_t nr, struct measure_counts counts, const MPI_Datatype *types)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < nr; i++)
		if (ranks[i] != MPI_PROC_NULL && measure_count_at(counts, i) > 0)
			bytes += measure_type_bytes(measure_count_at(counts, i), types[i]);
	return bytes;
}

struct measure_traffic measure_neighbor_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount, MPI_Datatype recvtype)
{
	const struct measure_neighbours *all = comm->neighbours;

	if (!all)
		return (struct measure_traffic){0};
	return (struct measure_traffic){
		.sent = equal_bytes(destinations_of(all), all->nr_destinations, sendcount, sendtype),
		.received = equal_bytes(sources_of(all), all->nr_sources, recvcount, recvtype),
	};
}

struct measure_traffic measure_neighbor_allgatherv_traffic(const struct measure_communicator *comm,
	MPI_Count sendcount, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype)
{
	const struct measure_neighbours *all = comm->neighbours;

	if (!all)
		return (struct measure_traffic){0};
	return (struct measure_traffic){
		.sent = equal_bytes(destinations_of(all), all->nr_destinations, sendcount, sendtype),
		.received = sum_bytes(sources_of(all), all->nr_sources, recvcounts, recvtype),
	};
}

struct measure_traffic measure_neighbor_alltoallv_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, MPI_Datatype sendtype, struct measure_counts recvcounts,
	MPI_Datatype recvtype)
{
	const struct measure_neighbours *all = comm->neighbours;

	if (!all)
		return (struct measure_traffic){0};
	return (struct measure_traffic){
		.sent = sum_bytes(destinations_of(all), all->nr_destinations, sendcounts, sendtype),
		.received = sum_bytes(sources_of(all), all->nr_sources, recvcounts, recvtype),
	};
}

struct measure_traffic measure_neighbor_alltoallw_traffic(const struct measure_communicator *comm,
	struct measure_counts sendcounts, const MPI_Datatype *sendtypes,
	struct measure_counts recvcounts, const MPI_Datatype *recvtypes)
{
	const struct measure_neighbours *all = comm->neighbours;

	if (!all)
		return (struct measure_traffic){0};
	return (struct measure_traffic){
		.sent = sum_typed_bytes(
			destinations_of(all), all->nr_destinations, sendcounts, sendtypes),
		.received = sum_typed_bytes(sources_of(all), all->nr_sources, recvcounts, recvtypes),
	};
}
