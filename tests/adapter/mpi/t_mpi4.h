/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For test programs of calls that not every MPI library has: without them, main() says so and
 * ends as a skipped test does. */
#ifndef T_MPI4_H
#define T_MPI4_H

#include "t_mpi.h"

/* Open MPI 5 has all of MPI 4.0 but functions with large counts, and says that it is 3.1. */
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define T_HAS_MPI4
#endif

static inline int t_skip(int *argc, char ***argv, const char *what)
{
	t_init(argc, argv);
	if (t_rank == 0)
		printf("this MPI library has no %s\n", what);
	MPI_Finalize();
	return 77;
}

#endif
