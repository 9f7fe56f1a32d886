/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 6
 *
 * Cartesian topologies: made, divided, duplicated, reordered, smaller than their parent, and of
 * one dimension; graphs. */
#include <unistd.h>

#include "t_mpi.h"

static void cartesian(void)
{
	const int dims[] = {3, 2}, periods[] = {1, 0}, remain[] = {0, 1}, few[] = {4};
	MPI_Comm grid, row, again, later, line;
	MPI_Request request;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
	MPI_Comm_set_name(grid, "grid");
	MPI_Cart_sub(grid, remain, &row);
	MPI_Comm_dup(grid, &again);
	MPI_Comm_idup(row, &later, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Barrier(later);
	MPI_Cart_create(MPI_COMM_WORLD, 1, few, periods, 0, &line);
	T_CHECK((line == MPI_COMM_NULL) == (t_rank >= 4));
	if (line != MPI_COMM_NULL)
		MPI_Comm_free(&line);
	MPI_Comm_free(&later);
	MPI_Comm_free(&again);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
}

static void graph(void)
{
	const int index[] = {1, 2, 4, 4, 4, 4}, edges[] = {1, 0, 2, 2};
	MPI_Comm comm;

	MPI_Graph_create(MPI_COMM_WORLD, 6, index, edges, 0, &comm);
	MPI_Barrier(comm);
	MPI_Comm_free(&comm);
}

/* A graph without nodes: nobody gets a communicator, and nobody need wait for another. So does
 * nobody for a grid without dimensions, which is one process. */
static void empty_graph(void)
{
	const int none = 0;
	MPI_Comm comm;

	usleep(2000 * (useconds_t)t_rank);
	MPI_Graph_create(MPI_COMM_WORLD, 0, &none, &none, 0, &comm);
	T_CHECK(comm == MPI_COMM_NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	usleep(2000 * (useconds_t)t_rank);
	MPI_Cart_create(MPI_COMM_WORLD, 0, &none, &none, 0, &comm);
	if (comm != MPI_COMM_NULL)
		MPI_Comm_free(&comm);
	MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	cartesian();
	graph();
	empty_graph();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
