/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading topologies. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "../core/pmpi.h"
#include "topology.h"

#define MAX_DIMENSIONS UINT8_MAX /* as many as OTF2 can say */

static int topology_kind(MPI_Comm comm)
{
	int kind = MPI_UNDEFINED;

	measure_mpi.Topo_test(comm, &kind);
	return kind;
}

void measure_topology_define(MPI_Comm comm, measure_comm_t id, uint32_t rank)
{
	int sizes[MAX_DIMENSIONS], are_periodic[MAX_DIMENSIONS], coordinates[MAX_DIMENSIONS];
	int nr = 0;

	if (topology_kind(comm) != MPI_CART || measure_mpi.Cartdim_get(comm, &nr) != MPI_SUCCESS ||
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

static struct measure_neighbours *neighbours_make(int nr_sources, int nr_destinations)
{
	struct measure_neighbours *made =
		malloc(sizeof(*made) + (size_t)(nr_sources + nr_destinations) * sizeof(int));

	if (!made)
		return NULL;
	made->nr_sources = (uint32_t)nr_sources;
	made->nr_destinations = (uint32_t)nr_destinations;
	return made;
}

/* In these topologies who is received from is also sent to, in the same order. */
static void neighbours_copy_sources(struct measure_neighbours *neighbours)
{
	memcpy(neighbours->ranks + neighbours->nr_sources, neighbours->ranks,
		neighbours->nr_sources * sizeof(int));
}

/* Of each dimension the one below and the one above. */
static struct measure_neighbours *neighbours_read_cart(MPI_Comm comm)
{
	struct measure_neighbours *neighbours;
	int nr_dimensions = 0;

	measure_mpi.Cartdim_get(comm, &nr_dimensions);
	neighbours = neighbours_make(2 * nr_dimensions, 2 * nr_dimensions);
	if (!neighbours)
		return NULL;
	for (int i = 0; i < nr_dimensions; i++)
		measure_mpi.Cart_shift(
			comm, i, 1, neighbours->ranks + 2 * i, neighbours->ranks + 2 * i + 1);
	neighbours_copy_sources(neighbours);
	return neighbours;
}

static struct measure_neighbours *neighbours_read_graph(MPI_Comm comm, uint32_t rank)
{
	struct measure_neighbours *neighbours;
	int nr = 0;

	measure_mpi.Graph_neighbors_count(comm, (int)rank, &nr);
	neighbours = neighbours_make(nr, nr);
	if (!neighbours)
		return NULL;
	measure_mpi.Graph_neighbors(comm, (int)rank, nr, neighbours->ranks);
	neighbours_copy_sources(neighbours);
	return neighbours;
}

static struct measure_neighbours *neighbours_read_dist_graph(MPI_Comm comm)
{
	struct measure_neighbours *neighbours;
	int nr_sources = 0, nr_destinations = 0, is_weighted = 0;
	int *weights;

	measure_mpi.Dist_graph_neighbors_count(comm, &nr_sources, &nr_destinations, &is_weighted);
	neighbours = neighbours_make(nr_sources, nr_destinations);
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
	switch (topology_kind(comm)) {
	case MPI_CART:
		return neighbours_read_cart(comm);
	case MPI_GRAPH:
		return neighbours_read_graph(comm, rank);
	case MPI_DIST_GRAPH:
		return neighbours_read_dist_graph(comm);
	default:
		return NULL;
	}
}
