/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * Persistent collectives: each start is one more collective. Open MPI 4 has them with the prefix
 * MPIX_. */
#include "t_mpi4.h"

#if !defined(T_HAS_MPI4) && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define INIT(name) MPIX_##name##_init
#define HAVE_INIT
#elif defined(T_HAS_MPI4)
#define INIT(name) MPI_##name##_init
#define HAVE_INIT
#endif

#ifdef HAVE_INIT
#define NR 3

static void start(MPI_Request request, int nr_rounds)
{
	for (int round = 0; round < nr_rounds; round++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
}

static void rounds(MPI_Request request)
{
	start(request, 2);
}

static void rooted(void)
{
	int one = t_rank, all[NR] = {0};
	const int counts[NR] = {1, 1, 1}, places[NR] = {0, 1, 2};
	MPI_Request request;

	INIT(Bcast)(&one, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	T_CHECK(one == 1);
	INIT(Gather)
	(&one, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Gatherv)
	(&one, 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL,
		&request);
	rounds(request);
	INIT(Scatter)
	(all, 1, MPI_INT, &one, 1, MPI_INT, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	start(request, 1); /* MPICH 4.0 cannot do it again */
	INIT(Scatterv)
	(all, counts, places, MPI_INT, &one, 1, MPI_INT, 2, MPI_COMM_WORLD, MPI_INFO_NULL,
		&request);
	rounds(request);
	INIT(Reduce)
	(&one, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
}

static void to_all(void)
{
	int one[NR] = {t_rank}, all[NR] = {0};
	const int counts[NR] = {1, 1, 1}, places[NR] = {0, 1, 2};
	const int bytes[NR] = {0, sizeof(int), 2 * sizeof(int)};
	const MPI_Datatype types[NR] = {MPI_INT, MPI_INT, MPI_INT};
	MPI_Request request;

	INIT(Barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Allgather)
	(one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Allgatherv)
	(one, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Alltoall)
	(one, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Alltoallv)
	(one, counts, places, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
		&request);
	rounds(request);
	INIT(Alltoallw)
	(one, counts, bytes, types, all, counts, bytes, types, MPI_COMM_WORLD, MPI_INFO_NULL,
		&request);
	rounds(request);
}

static void reductions(void)
{
	int one[NR] = {t_rank}, all[NR] = {0};
	const int counts[NR] = {1, 1, 1};
	MPI_Request request;

	INIT(Allreduce)
	(one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Reduce_scatter)
	(one, all, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Reduce_scatter_block)
	(one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Scan)(one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
	INIT(Exscan)(one, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	rounds(request);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	rooted();
	to_all();
	reductions();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
#else
int main(int argc, char **argv)
{
	return t_skip(&argc, &argv, "persistent collectives");
}
#endif
