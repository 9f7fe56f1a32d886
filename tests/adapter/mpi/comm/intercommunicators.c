/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 5
 *
 * Intercommunicators between groups of three and two: made in every way, messages and collectives
 * on them with roots on either side, and what is made out of them. */
#include "t_mpi.h"

#define NR_LOW 3 /* ranks of the lower group; the higher one has the rest */

static int is_low, own_size, remote_size, own_rank;

/* Everybody sends to all of the other group. */
static void messages(MPI_Comm inter)
{
	int value = t_rank, received[NR_LOW];
	MPI_Request requests[2 * NR_LOW];
	MPI_Status status;

	for (int i = 0; i < remote_size; i++) {
		MPI_Irecv(&received[i], 1, MPI_INT, i, 4, inter, &requests[i]);
		MPI_Isend(&value, 1, MPI_INT, i, 4, inter, &requests[remote_size + i]);
	}
	MPI_Waitall(2 * remote_size, requests, MPI_STATUSES_IGNORE);
	for (int i = 0; i < remote_size; i++)
		T_CHECK(received[i] == (is_low ? NR_LOW + i : i));
	if (is_low && own_rank == NR_LOW - 1) {
		MPI_Send(&value, 1, MPI_INT, 1, 5, inter);
		MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 5, inter);
	} else if (!is_low && own_rank == 1) {
		MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &status);
		T_CHECK(status.MPI_SOURCE == NR_LOW - 1);
	}
}

/* The root as this rank has to name it. */
static int name_root(int root_is_low, int root)
{
	if (is_low != root_is_low)
		return root;
	return own_rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

/* Arguments that mean nothing on a rank are such that nobody can use them. */
static void rooted(MPI_Comm inter, int root_is_low, int rank)
{
	const int root = name_root(root_is_low, rank);
	const int counts[] = {2, 2, 2}, places[] = {0, 2, 4};
	int one[2 * NR_LOW] = {t_rank}, all[2 * NR_LOW];
	const MPI_Datatype type = root == MPI_PROC_NULL ? MPI_DATATYPE_NULL : MPI_INT;
	const MPI_Datatype at_root = root == MPI_ROOT ? MPI_INT : MPI_DATATYPE_NULL;
	const MPI_Datatype elsewhere = root >= 0 ? MPI_INT : MPI_DATATYPE_NULL;
	MPI_Request request;

	if (root != MPI_PROC_NULL)
		MPI_Bcast(one, 2, type, root, inter);
	else
		MPI_Bcast(NULL, 0, MPI_INT, root, inter);
	MPI_Gather(one, 2, elsewhere, all, 2, at_root, root, inter);
	MPI_Scatter(all, 2, at_root, one, 2, elsewhere, root, inter);
	if (root != MPI_PROC_NULL)
		MPI_Reduce(one, all, 2, type, MPI_SUM, root, inter);
	else
		MPI_Reduce(NULL, NULL, 2, MPI_INT, MPI_SUM, root, inter);
	MPI_Gatherv(one, 2, elsewhere, all, counts, places, at_root, root, inter);
	MPI_Scatterv(all, counts, places, at_root, one, 2, elsewhere, root, inter);
	MPI_Ibcast(one, 2, MPI_INT, root, inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Vectors for the parts of both groups have one length. */
static void everybody(MPI_Comm inter)
{
	int one[4 * NR_LOW] = {t_rank}, all[4 * NR_LOW];
	const int two[] = {2, 2, 2}, places[] = {0, 2, 4};
	const int of_low[] = {1, 2, 3}, of_high[] = {4, 2};
	const MPI_Datatype ints[] = {MPI_INT, MPI_INT, MPI_INT};
	const int byte_places[] = {0, 8, 16};
	MPI_Request request;

	MPI_Barrier(inter);
	MPI_Allgather(one, is_low ? 2 : 1, MPI_INT, all, is_low ? 1 : 2, MPI_INT, inter);
	MPI_Allgatherv(one, 2, MPI_INT, all, two, places, MPI_INT, inter);
	MPI_Alltoall(one, 2, MPI_INT, all, 2, MPI_INT, inter);
	MPI_Alltoallv(one, two, places, MPI_INT, all, two, places, MPI_INT, inter);
	MPI_Alltoallw(one, two, byte_places, ints, all, two, byte_places, ints, inter);
	MPI_Allreduce(one, all, 2, MPI_INT, MPI_SUM, inter);
	MPI_Reduce_scatter(one, all, is_low ? of_low : of_high, MPI_INT, MPI_SUM, inter);
	MPI_Reduce_scatter_block(one, all, is_low ? 2 : 3, MPI_INT, MPI_SUM, inter);
	MPI_Ibarrier(inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	MPI_Iallreduce(one, all, 2, MPI_INT, MPI_SUM, inter, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void use(MPI_Comm inter)
{
	MPI_Comm_rank(inter, &own_rank);
	MPI_Comm_size(inter, &own_size);
	MPI_Comm_remote_size(inter, &remote_size);
	messages(inter);
	MPI_Barrier(inter);
}

static void make_out_of(MPI_Comm inter)
{
	MPI_Comm dup, pair, some, merged, again;
	MPI_Group group, first;
	const int zero[] = {0};
	int rank, value = 1;

	MPI_Comm_dup(inter, &dup);
	MPI_Comm_dup(inter, &again);
	use(dup);
	use(again);
	MPI_Comm_free(&again);
	MPI_Comm_free(&dup);
	/* 0 with 3, 1 with 4; 2 stays alone and gets none. */
	MPI_Comm_split(inter, own_rank, 0, &pair);
	T_CHECK((pair == MPI_COMM_NULL) == (t_rank == 2));
	if (pair != MPI_COMM_NULL) {
		MPI_Barrier(pair);
		MPI_Comm_free(&pair);
	}
	MPI_Comm_group(inter, &group);
	MPI_Group_incl(group, 1, zero, &first);
	MPI_Comm_create(inter, first, &some);
	if (some != MPI_COMM_NULL) {
		MPI_Barrier(some);
		MPI_Comm_free(&some);
	}
	MPI_Group_free(&first);
	MPI_Group_free(&group);
	MPI_Intercomm_merge(inter, is_low, &merged); /* higher group first */
	MPI_Comm_rank(merged, &rank);
	MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % t_size, 6,
		(rank + t_size - 1) % t_size, 6, merged, MPI_STATUS_IGNORE);
	MPI_Comm_free(&merged);
}

/* The leaders are the last ones of their groups, and nobody else knows what they meet on. */
static void private_bridge(MPI_Comm half)
{
	const int is_leader = t_rank == NR_LOW - 1 || t_rank == t_size - 1;
	MPI_Comm bridge, inter, same;

	MPI_Comm_split(MPI_COMM_WORLD, is_leader ? 0 : MPI_UNDEFINED, t_rank, &bridge);
	MPI_Intercomm_create(
		half, is_low ? NR_LOW - 1 : t_size - NR_LOW - 1, bridge, is_low, 7, &inter);
	MPI_Intercomm_create(
		half, is_low ? NR_LOW - 1 : t_size - NR_LOW - 1, bridge, is_low, 7, &same);
	use(same);
	use(inter);
	MPI_Comm_free(&same);
	MPI_Comm_free(&inter);
	if (bridge != MPI_COMM_NULL)
		MPI_Comm_free(&bridge);
}

int main(int argc, char **argv)
{
	MPI_Comm half, inter;

	t_init(&argc, &argv);
	is_low = t_rank < NR_LOW;
	MPI_Comm_split(MPI_COMM_WORLD, is_low, 0, &half);
	private_bridge(half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? NR_LOW : 0, 9, &inter);
	MPI_Comm_set_name(inter, "between");
	use(inter);
	rooted(inter, 1, 1);
	rooted(inter, 0, 0);
	everybody(inter);
	make_out_of(inter);
	MPI_Comm_disconnect(&inter);
	MPI_Comm_free(&half);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
