/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Init, MPI_Init_thread and MPI_Finalize in C and Fortran, and the adapter itself. The
 * Fortran bindings of Open MPI call PMPI functions, which no C wrapper sees, so their
 * symbols are interposed too; they hand MPI no command line, as the library's own do.
 * MPI_Pcontrol is here as the one call that takes any number of arguments. */
#include "config.h"

#include <mpi.h>

#include "calls.h"
#include "world.h"

#define EXPORT __attribute__((visibility("default")))

static const struct measure_adapter adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "mpi",
};

enum { LIBRARY_UNKNOWN, LIBRARY_OURS, LIBRARY_OTHER } static library;

static void choose_calls(void)
{
	const char *groups = measure_option_text("mpi_groups");

	measure_call_choose(groups ? groups : "auto");
}

/* What comes before PMPI_Init. True: the call is recorded. */
static bool before_init(enum measure_call call)
{
	if (library == LIBRARY_UNKNOWN)
		library = measure_library_is_ours() ? LIBRARY_OURS : LIBRARY_OTHER;
	if (library == LIBRARY_OTHER)
		return false;
	if (!measure_mpi_is_on && measure_adapter_register(&adapter) == MEASURE_OK) {
		choose_calls();
		measure_mpi_is_on = true;
	}
	return measure_plain_before(call);
}

static void after_init(enum measure_call call, bool is_recorded, int result)
{
	if (library == LIBRARY_OURS && result == MPI_SUCCESS)
		measure_world_open();
	measure_plain_after(call, is_recorded);
}

static int init(int *argc, char ***argv)
{
	const bool is_recorded = before_init(CALL_Init);
	const int result = PMPI_Init(argc, argv);

	after_init(CALL_Init, is_recorded, result);
	return result;
}

static int init_thread(int *argc, char ***argv, int required, int *provided)
{
	const bool is_recorded = before_init(CALL_Init_thread);
	const int result = PMPI_Init_thread(argc, argv, required, provided);

	after_init(CALL_Init_thread, is_recorded, result);
	return result;
}

/* MPI_Finalize is the last MPI call that is recorded. */
static int finalize(void)
{
	const bool is_recorded = measure_plain_before(CALL_Finalize);
	int result;

	if (library == LIBRARY_OURS)
		measure_world_close();
	result = PMPI_Finalize();
	measure_plain_after(CALL_Finalize, is_recorded);
	measure_mpi_is_on = false;
	return result;
}

EXPORT int MPI_Init(int *argc, char ***argv)
{
	return init(argc, argv);
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	return init_thread(argc, argv, required, provided);
}

EXPORT int MPI_Finalize(void)
{
	return finalize();
}

/* What follows the level is for profilers; no MPI library reads it. */
EXPORT int MPI_Pcontrol(const int level, ...)
{
	const bool is_recorded = measure_plain_before(CALL_Pcontrol);
	const int result = PMPI_Pcontrol(level);

	measure_plain_after(CALL_Pcontrol, is_recorded);
	return result;
}

/* Fortran. `error` is NULL where mpi_f08 leaves it out. */
static void set_error(MPI_Fint *error, int result)
{
	if (error)
		*error = result;
}

static void fortran_init(MPI_Fint *error)
{
	int argc = 0;
	char **argv = NULL;

	set_error(error, init(&argc, &argv));
}

static void fortran_init_thread(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
	int argc = 0;
	char **argv = NULL;
	int level = MPI_THREAD_SINGLE;
	const int result = init_thread(&argc, &argv, *required, &level);

	*provided = level;
	set_error(error, result);
}

static void fortran_finalize(MPI_Fint *error)
{
	set_error(error, finalize());
}

/* All names that Open MPI exports: the manglings of Fortran compilers and of its modules. */
#define INIT(name)                                                                                 \
	EXPORT void name(MPI_Fint *error);                                                         \
	EXPORT void name(MPI_Fint *error)                                                          \
	{                                                                                          \
		fortran_init(error);                                                               \
	}
#define INIT_THREAD(name)                                                                          \
	EXPORT void name(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);           \
	EXPORT void name(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)            \
	{                                                                                          \
		fortran_init_thread(required, provided, error);                                    \
	}
#define FINALIZE(name)                                                                             \
	EXPORT void name(MPI_Fint *error);                                                         \
	EXPORT void name(MPI_Fint *error)                                                          \
	{                                                                                          \
		fortran_finalize(error);                                                           \
	}
INIT(mpi_init)
INIT(mpi_init_)
INIT(mpi_init__)
INIT(MPI_INIT)
INIT(MPI_Init_f)
INIT(MPI_Init_f08)
INIT(mpi_init_f08_)
INIT_THREAD(mpi_init_thread)
INIT_THREAD(mpi_init_thread_)
INIT_THREAD(mpi_init_thread__)
INIT_THREAD(MPI_INIT_THREAD)
INIT_THREAD(MPI_Init_thread_f)
INIT_THREAD(MPI_Init_thread_f08)
INIT_THREAD(mpi_init_thread_f08_)
FINALIZE(mpi_finalize)
FINALIZE(mpi_finalize_)
FINALIZE(mpi_finalize__)
FINALIZE(MPI_FINALIZE)
FINALIZE(MPI_Finalize_f)
FINALIZE(MPI_Finalize_f08)
FINALIZE(mpi_finalize_f08_)
