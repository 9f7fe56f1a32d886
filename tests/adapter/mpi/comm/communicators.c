/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 4
 *
 * Communicators: made in every way, nested, by some members only, with equal members, used (also
 * while they are freed) and freed; an intercommunicator and what it is merged into. */
#include "t_mpi.h"

static void use(MPI_Comm comm)
{
	int rank, size, value = 1;

	if (comm == MPI_COMM_NULL)
		return;
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 5, (rank + size - 1) % size, 5,
		comm, MPI_STATUS_IGNORE);
	MPI_Barrier(comm);
}

static void release(MPI_Comm *comm)
{
	if (*comm != MPI_COMM_NULL)
		MPI_Comm_free(comm);
}

static void collective_ways(void)
{
	MPI_Comm dup, again, half, quarter, reversed, shared, some;
	MPI_Group world, odd;
	const int odd_ranks[] = {1, 3};

	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_dup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &again);
	MPI_Comm_split(dup, t_rank / 2, 0, &half);
	MPI_Comm_split(half, t_rank, 0, &quarter);
	MPI_Comm_split(MPI_COMM_WORLD, t_rank == 0 ? MPI_UNDEFINED : 0, -t_rank, &reversed);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, odd_ranks, &odd);
	MPI_Comm_create(MPI_COMM_WORLD, odd, &some);
	use(dup);
	use(again);
	use(half);
	use(quarter);
	use(reversed);
	use(shared);
	use(some);
	release(&half); /* before what it was made into */
	release(&quarter);
	release(&dup);
	release(&again);
	release(&reversed);
	release(&shared);
	release(&some);
	MPI_Group_free(&odd);
	MPI_Group_free(&world);
}

/* Pairs make communicators that the other pair knows nothing of, in another order. */
static void some_members_only(void)
{
	const int low_ranks[] = {0, 1}, high_ranks[] = {2, 3};
	MPI_Group world, pair;
	MPI_Comm first, second, dup;

	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_incl(world, 2, t_rank < 2 ? low_ranks : high_ranks, &pair);
	if (t_rank < 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 7, &first);
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 8, &second);
	} else {
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 8, &second);
		MPI_Comm_create_group(MPI_COMM_WORLD, pair, 8, &first);
	}
	use(first);
	use(second);
	release(&first);
	release(&second);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	use(dup);
	MPI_Comm_disconnect(&dup);
	MPI_Group_free(&pair);
	MPI_Group_free(&world);
}

static void topology(void)
{
	const int dims[] = {2, 2}, periods[] = {1, 0}, remain[] = {0, 1};
	MPI_Comm cart, row;

	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
	MPI_Cart_sub(cart, remain, &row);
	use(cart);
	use(row);
	release(&row);
	release(&cart);
}

static void between_groups(void)
{
	MPI_Comm half, inter, merged;
	int value = t_rank;

	MPI_Comm_split(MPI_COMM_WORLD, t_rank / 2, 0, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, t_rank < 2 ? 2 : 0, 9, &inter);
	MPI_Sendrecv_replace(
		&value, 1, MPI_INT, t_rank % 2, 1, t_rank % 2, 1, inter, MPI_STATUS_IGNORE);
	T_CHECK(value == (t_rank + 2) % 4);
	MPI_Barrier(inter);
	MPI_Intercomm_merge(inter, t_rank >= 2, &merged); /* else MPI chooses who is first */
	use(merged);
	release(&merged);
	release(&inter);
	release(&half);
}

/* An attribute that uses its communicator for the last time while that is freed. */
static int on_delete(MPI_Comm comm, int key, void *value, void *state)
{
	(void)key;
	(void)value;
	(void)state;
	use(comm);
	return MPI_SUCCESS;
}

static void used_while_freed(void)
{
	MPI_Comm dup;
	int key;

	MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_set_attr(dup, key, &key);
	MPI_Comm_free(&dup);
	MPI_Comm_free_keyval(&key);
}

int main(int argc, char **argv)
{
	t_init(&argc, &argv);
	collective_ways();
	some_members_only();
	topology();
	between_groups();
	used_while_freed();
	MPI_Finalize();
	printf("done\n");
	return 0;
}
