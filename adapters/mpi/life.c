/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Init, MPI_Init_thread and MPI_Finalize, and the adapter itself. MPI_Pcontrol is here as
 * the one call that takes any number of arguments. */
#include "config.h"

#include <mpi.h>
#include <stdio.h>

#include "calls.h"
#include "fortran.h"
#include "library.h"
#include "life.h"
#include "real.h"
#include "sessions.h"
#include "world.h"

#define EXPORT __attribute__((visibility("default")))

static const struct measure_adapter adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "mpi",
};

static enum { LIBRARY_UNKNOWN, LIBRARY_OURS, LIBRARY_OTHER } library;

static void choose_calls(void)
{
	const char *groups = measure_option_text("mpi_groups");

	measure_call_choose(groups ? groups : "auto");
}

/* Once; sessions may come and go. */
static bool is_registered(void)
{
	static bool has_registered;

	if (!has_registered)
		has_registered = measure_adapter_register(&adapter) == MEASURE_OK;
	return has_registered;
}

bool measure_life_before(enum measure_call call)
{
	if (library == LIBRARY_UNKNOWN)
		library = measure_library_is_ours() ? LIBRARY_OURS : LIBRARY_OTHER;
	if (library == LIBRARY_OTHER)
		return false;
	if (!measure_mpi_is_on && is_registered()) {
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
	const bool is_recorded = measure_life_before(CALL_Init);
	const int result = measure_mpi.Init(argc, argv);

	after_init(CALL_Init, is_recorded, result);
	return result;
}

static int init_thread(int *argc, char ***argv, int required, int *provided)
{
	const bool is_recorded = measure_life_before(CALL_Init_thread);
	const int result = measure_mpi.Init_thread(argc, argv, required, provided);

	after_init(CALL_Init_thread, is_recorded, result);
	return result;
}

bool measure_abort_before(enum measure_call call, int code)
{
	const bool is_recorded = measure_plain_before(call);
	char text[16];

	if (is_recorded) {
		snprintf(text, sizeof(text), "%d", code);
		measure_property_define("MPI_ABORT", text);
	}
	return is_recorded;
}

/* MPI_Finalize is the last MPI call that is recorded, unless there are sessions. */
static int finalize(void)
{
	const bool is_recorded = measure_plain_before(CALL_Finalize);
	int result;

	if (library == LIBRARY_OURS)
		measure_world_close();
	result = measure_mpi.Finalize();
	measure_plain_after(CALL_Finalize, is_recorded);
	measure_mpi_is_on = measure_mpi_is_on && measure_sessions_are_open();
	return result;
}

EXPORT int MPI_Init(int *argc, char ***argv)
{
	return init(argc, argv);
}

EXPORT int PMPI_Init(int *argc, char ***argv)
{
	if (!measure_fortran_calls(CALL_Init, __builtin_return_address(0)))
		return measure_mpi.Init(argc, argv);
	return init(argc, argv);
}

EXPORT int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	return init_thread(argc, argv, required, provided);
}

EXPORT int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
	if (!measure_fortran_calls(CALL_Init_thread, __builtin_return_address(0)))
		return measure_mpi.Init_thread(argc, argv, required, provided);
	return init_thread(argc, argv, required, provided);
}

EXPORT int MPI_Finalize(void)
{
	return finalize();
}

EXPORT int PMPI_Finalize(void)
{
	if (!measure_fortran_calls(CALL_Finalize, __builtin_return_address(0)))
		return measure_mpi.Finalize();
	return finalize();
}

/* What follows the level is for profilers; no MPI library reads it. */
EXPORT int MPI_Pcontrol(const int level, ...)
{
	const bool is_recorded = measure_plain_before(CALL_Pcontrol);
	const int result = measure_mpi.Pcontrol(level);

	measure_plain_after(CALL_Pcontrol, is_recorded);
	return result;
}
