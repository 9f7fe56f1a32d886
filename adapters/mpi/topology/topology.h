/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topologies of communicators: their definition, and the neighbours of this process in them, both
 * once for each communicator. */
#ifndef MEASURE_MPI_TOPOLOGY_H
#define MEASURE_MPI_TOPOLOGY_H

#include <mpi.h>

#include "adapter.h"

/* Ranks that this process receives from and sends to, in the order in which neighbourhood
 * collectives use them; MPI_PROC_NULL: beyond an edge, nothing is exchanged. */
struct measure_neighbours {
	uint32_t nr_sources;
	uint32_t nr_destinations;
	int ranks[]; /* sources, then destinations */
};

static inline const int *measure_neighbour_sources(const struct measure_neighbours *neighbours)
{
	return neighbours->ranks;
}

static inline const int *measure_neighbour_destinations(const struct measure_neighbours *neighbours)
{
	return neighbours->ranks + neighbours->nr_sources;
}

/* Defines the Cartesian topology of `comm`, if it has one, as that of communicator `id`, in
 * which this process has the given rank. */
void measure_topology_define(MPI_Comm comm, measure_comm_t id, uint32_t rank);

/* For free(). NULL: `comm` has no topology, or there is no memory. */
struct measure_neighbours *measure_neighbours_get(MPI_Comm comm, uint32_t rank);

#endif
