/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 4
 *
 * Neighbourhood collectives in every form, on grids with and without edges, on a graph, and on a
 * distributed graph whose ranks have other sources than destinations, or none. */
#include "t_mpi.h"

#define MOST 8 /* neighbours */

struct degrees {
	int in;
	int out;
};

static struct degrees degrees_of(MPI_Comm comm)
{
	struct degrees degrees = {0, 0};
	int kind, nr, is_weighted;

	MPI_Topo_test(comm, &kind);
	if (kind == MPI_CART) {
		MPI_Cartdim_get(comm, &nr);
		degrees = (struct degrees){2 * nr, 2 * nr};
	} else if (kind == MPI_GRAPH) {
		MPI_Graph_neighbors_count(comm, t_rank, &nr);
		degrees = (struct degrees){nr, nr};
	} else {
		MPI_Dist_graph_neighbors_count(comm, &degrees.in, &degrees.out, &is_weighted);
	}
	return degrees;
}

static void equal_counts(MPI_Comm comm)
{
	int sent[3 * MOST] = {t_rank}, received[3 * MOST];
	MPI_Request request;

	MPI_Neighbor_allgather(sent, 3, MPI_INT, received, 3, MPI_INT, comm);
	MPI_Neighbor_alltoall(sent, 2, MPI_INT, received, 2, MPI_INT, comm);
	MPI_Ineighbor_allgather(sent, 3, MPI_INT, received, 3, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Every transfer is of two ints, given as two of MPI_INT or as one pair. */
static void own_counts(MPI_Comm comm)
{
	const struct degrees degrees = degrees_of(comm);
	int sent[2 * MOST] = {t_rank}, received[2 * MOST];
	int two[MOST], one[MOST], places[MOST];
	MPI_Datatype ints[MOST], pairs[MOST];
	MPI_Aint displacements[MOST];
	MPI_Request request;

	T_CHECK(degrees.in <= MOST && degrees.out <= MOST);
	for (int i = 0; i < MOST; i++) {
		two[i] = 2;
		one[i] = 1;
		places[i] = 2 * i;
		displacements[i] = (MPI_Aint)(2 * i * (int)sizeof(int));
		ints[i] = MPI_INT;
		pairs[i] = MPI_2INT;
	}
	MPI_Neighbor_allgatherv(sent, 2, MPI_INT, received, two, places, MPI_INT, comm);
	MPI_Neighbor_alltoallv(
		sent, two, places, MPI_INT, received, two, places, MPI_INT, comm);
	MPI_Neighbor_alltoallw(
		sent, two, displacements, ints, received, one, displacements, pairs, comm);
	MPI_Ineighbor_allgatherv(
		sent, 2, MPI_INT, received, two, places, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ineighbor_alltoallv(
		sent, two, places, MPI_INT, received, two, places, MPI_INT, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Ineighbor_alltoallw(
		sent, two, displacements, ints, received, one, displacements, pairs, comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void use(MPI_Comm *comm)
{
	MPI_Comm dup;

	equal_counts(*comm);
	own_counts(*comm);
	MPI_Comm_dup(*comm, &dup); /* has the topology, too */
	equal_counts(dup);
	MPI_Comm_free(&dup);
	MPI_Comm_free(comm);
}

static void grids(void)
{
	const int dims[] = {2, 2}, periods[] = {1, 0}, all[] = {4}, none[] = {0};
	MPI_Comm comm;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
	use(&comm);
	MPI_Cart_create(MPI_COMM_WORLD, 1, all, none, 0, &comm);
	use(&comm);
}

static void graphs(void)
{
	const int index[] = {2, 4, 5, 5}, edges[] = {1, 1, 0, 0, 2};
	const int nr_sources[] = {0, 1, 2, 1}, nr_destinations[] = {3, 1, 0, 0};
	const int sources[] = {0, 1}, destinations[] = {1, 2, 3}, weights[] = {1, 1, 1};
	MPI_Comm comm;

	MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &comm);
	use(&comm);
	/* 0 sends to 1, 2 and 3; 1 also to 2. */
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nr_sources[t_rank], sources, weights,
		nr_destinations[t_rank], t_rank == 0 ? destinations : destinations + 1, weights,
		MPI_INFO_NULL, 0, &comm);
	use(&comm);
	/* The same as one rank says it, with weights. */
	MPI_Dist_graph_create(MPI_COMM_WORLD, t_rank == 3 ? 2 : 0, (const int[]){0, 1},
		(const int[]){3, 1}, (const int[]){1, 2, 3, 2}, (const int[]){5, 6, 7, 8},
		MPI_INFO_NULL, 0, &comm);
	use(&comm);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	grids();
	graphs();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
