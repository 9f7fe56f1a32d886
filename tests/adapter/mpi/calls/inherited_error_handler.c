/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 1
 * Order: any
 *
 * In MPICH, errors on communicators that were given no handler go where MPI_COMM_WORLD's go at
 * that time, not where they went when the communicator was made: also under measure. Elsewhere the
 * call would abort the program. */
#include "t_mpi.h"

static void refused(MPI_Comm comm)
{
#ifdef MPICH_VERSION
	int class;

	MPI_Error_class(MPI_Comm_split(comm, 0, 0, NULL), &class);
	printf("class %d\n", class);
#else
	(void)comm;
#endif
}

int main(int argc, char **argv)
{
	MPI_Comm comm;

	t_init(&argc, &argv);
	MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	refused(comm);
	MPI_Comm_free(&comm);
	MPI_Finalize();
	printf("done\n");
	return 0;
}
