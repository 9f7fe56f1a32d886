/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Helpers of the MPI test programs. They print only what does not depend on timing: their
 * output has to be the same with and without the adapter. */
#ifndef T_MPI_H
#define T_MPI_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__)
/* MPICH's MPI_STATUSES_IGNORE is no array of statuses, says GCC. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#endif

static int t_rank, t_size;

static inline void t_check(int is_right, const char *what, int line)
{
	if (is_right)
		return;
	fprintf(stderr, "rank %d, line %d: %s\n", t_rank, line, what);
	MPI_Abort(MPI_COMM_WORLD, 1);
}
#define T_CHECK(condition) t_check((condition) != 0, #condition, __LINE__)

/* A file of this rank in the test's scratch directory. */
#define T_PATH_MAX 4096
static inline const char *t_path(char path[T_PATH_MAX], const char *name, int rank)
{
	const char *scratch = getenv("T_SCRATCH");

	snprintf(path, T_PATH_MAX, "%s/%s.%d", scratch ? scratch : ".", name, rank);
	return path;
}

static inline void t_init(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &t_rank);
	MPI_Comm_size(MPI_COMM_WORLD, &t_size);
}

#endif
