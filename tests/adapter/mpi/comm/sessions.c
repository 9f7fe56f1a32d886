/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 3
 *
 * A program that never calls MPI_Init: its world is a process set, its communicators are made from
 * groups; two with one name, one with another; and one session goes on when another has ended. */
#include "t_mpi4.h"

#ifdef T_HAS_MPI4
static void ring(MPI_Comm comm)
{
	int rank, size, value, sum;

	MPI_Comm_rank(comm, &rank);
	MPI_Comm_size(comm, &size);
	value = rank;
	MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 1, (rank + size - 1) % size, 1,
		comm, MPI_STATUS_IGNORE);
	T_CHECK(value == (rank + size - 1) % size);
	MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
	T_CHECK(sum == size * (size - 1) / 2);
}

static void make(MPI_Group group, const char *name, MPI_Comm *comm)
{
	MPI_Comm_create_from_group(group, name, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, comm);
	ring(*comm);
}

static void work(MPI_Session session)
{
	MPI_Comm comms[4];
	MPI_Group world, part;

	MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
	make(world, "one", &comms[0]);
	make(world, "one", &comms[1]);
	make(world, "two", &comms[2]);
	MPI_Comm_rank(comms[0], &t_rank);
	MPI_Group_incl(world, 2, (const int[]){2, 0}, &part);
	if (t_rank != 1)
		make(part, "part", &comms[3]);
	MPI_Comm_split(comms[0], t_rank == 0, 0, &comms[1]);
	ring(comms[1]);
	for (int i = 0; i < (t_rank == 1 ? 3 : 4); i++)
		MPI_Comm_disconnect(&comms[i]);
	MPI_Group_free(&part);
	MPI_Group_free(&world);
}

int main(void)
{
	MPI_Session first, second;

	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &first);
	work(first);
	MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
	MPI_Session_finalize(&first);
	work(second);
	MPI_Session_finalize(&second);
	if (t_rank == 0)
		printf("done\n");
	return 0;
}
#else
int main(int argc, char **argv)
{
	return t_skip(&argc, &argv, "sessions");
}
#endif
