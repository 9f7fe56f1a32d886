/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For test programs of calls that not every MPI library has: without them, main() says so and
 * ends as a skipped test does. */
#ifndef T_MPI4_H
#define T_MPI4_H

#include "t_mpi.h"

static inline int t_skip(int *argc, char ***argv, const char *what)
{
	t_init(argc, argv);
	if (t_rank == 0)
		printf("this MPI library has no %s\n", what);
	MPI_Finalize();
	return 77;
}

#endif
