/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks: 2
 * Groups: all
 * Order: any
 *
 * What may be called before MPI_Init and after MPI_Finalize answers as ever. */
#include "t_mpi.h"

static void ask(const char *when)
{
	int initialized, finalized, version, subversion, length;
	char text[MPI_MAX_LIBRARY_VERSION_STRING];

	MPI_Initialized(&initialized);
	MPI_Finalized(&finalized);
	MPI_Get_version(&version, &subversion);
	MPI_Get_library_version(text, &length);
	if (t_rank == 0)
		printf("%s: %d %d %d.%d %d\n", when, initialized, finalized, version, subversion,
			length);
}

int main(int argc, char **argv)
{
	int value = 0, level;

	MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
	MPI_T_cvar_get_num(&value);
	MPI_Initialized(&value);
	T_CHECK(!value);
	t_init(&argc, &argv);
	ask("within");
	MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_T_finalize();
	MPI_Finalize();
	ask("after");
	return 0;
}
