/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort, and the adapter itself. */
#include "config.h"

#include <mpi.h>
#include <stdio.h>

#include "../comm/communicators.h"
#include "../comm/identity.h"
#include "next_function.h"
#include "init.h"
#include "pmpi.h"

static enum { LIBRARY_UNKNOWN, LIBRARY_OURS, LIBRARY_OTHER } library;

/* In a process that was running, MPI_Init may be over. Its communicators were not seen to be made,
 * and the other ranks cannot be asked now: they stay unknown, and calls are regions. */
static void mpi_attached(void)
{
	int has_begun = 0, has_ended = 0;

	if (library == LIBRARY_UNKNOWN)
		library = measure_library_is_ours() ? LIBRARY_OURS : LIBRARY_OTHER;
	if (library == LIBRARY_OTHER || !measure_mpi.Initialized)
		return;
	measure_mpi.Initialized(&has_begun);
	measure_mpi.Finalized(&has_ended);
	if (has_begun && !has_ended)
		measure_calls_switch_on(measure_option_text("mpi_groups"));
}

static const struct measure_adapter adapter = {
	.abi = MEASURE_ADAPTER_ABI,
	.name = "mpi",
	.detached = measure_calls_switch_off,
	.attached = mpi_attached,
};

/* Once; sessions may come and go. */
static bool adapter_is_registered(void)
{
	static bool has_registered;

	if (!has_registered)
		has_registered = measure_adapter_register(&adapter) == MEASURE_OK;
	return has_registered;
}

/* Preloaded, the adapter waits for MPI_Init. */
__attribute__((constructor)) static void mpi_load(void)
{
	if (measure_is_attached() && adapter_is_registered())
		mpi_attached();
}

measure_region_t measure_init_before(enum measure_call call)
{
	if (library == LIBRARY_UNKNOWN)
		library = measure_library_is_ours() ? LIBRARY_OURS : LIBRARY_OTHER;
	if (library == LIBRARY_OTHER)
		return MEASURE_UNDEFINED;
	if (!measure_mpi_is_on && adapter_is_registered())
		measure_calls_switch_on(measure_option_text("mpi_groups"));
	measure_ranks_join(measure_identity_of_job().low);
	return measure_plain_before(call);
}

void measure_init_after(measure_region_t region, int result)
{
	if (library == LIBRARY_OURS && result == MPI_SUCCESS && !measure_is_attached())
		measure_world_open();
	measure_plain_after(region);
}

measure_region_t measure_abort_before(enum measure_call call, int code)
{
	const measure_region_t region = measure_plain_before(call);
	char text[16];

	if (region != MEASURE_UNDEFINED) {
		snprintf(text, sizeof(text), "%d", code);
		measure_property_define("MPI_ABORT", text);
	}
	return region;
}

/* A collective of the world, for whoever asks who has come. */
static measure_region_t finalize_enter(enum measure_call call)
{
	const struct measure_communicator *world = measure_communicator_world;
	struct measure_pending_item item = {.kind = MEASURE_PENDING_COLLECTIVE,
		.operation = MEASURE_PENDING_FINALIZE,
		.peer = MEASURE_PENDING_ANY};
	measure_region_t region;
	struct measure_location *location;

	if (world) {
		item.comm = world->id;
		item.value = measure_collective_count(world->id, item.operation, item.peer);
	}
	location = measure_call_enter(call, &region);
	if (!location)
		return region;
	if (item.value > 0)
		measure_pending_note(location, item);
	measure_record_end(location);
	return region;
}

measure_region_t measure_finalize_before(enum measure_call call)
{
	const measure_region_t region = finalize_enter(call);

	if (library == LIBRARY_OURS)
		measure_world_close();
	return region;
}

void measure_finalize_after(measure_region_t region)
{
	measure_plain_after(region);
	if (!measure_sessions_are_open())
		measure_calls_switch_off();
}
