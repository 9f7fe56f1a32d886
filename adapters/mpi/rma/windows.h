/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The windows of this process that are known by their MPI handle. Finding one takes no lock.
 * Windows over communicators that are not known are not known either. */
#ifndef MEASURE_MPI_WINDOWS_H
#define MEASURE_MPI_WINDOWS_H

#include <mpi.h>

#include "../core/handles.h"
#include "adapter.h"
#include "rma_pending.h"

struct measure_rma_window {
	struct measure_handle handle;
	measure_window_t id;
	uint32_t rank; /* of this process in the window's communicator */
	uint32_t size;
	bool has_memory; /* that was allocated with the window and goes with it */
	struct measure_pending *pending;
};

/* NULL: unknown. Any handle value is safe. */
const struct measure_rma_window *measure_window_find(MPI_Win win);

/* Defines a window that MPI has made over the members of `comm`. has_events: its creation is
 * recorded. NULL: not known from now on. */
const struct measure_rma_window *measure_window_add(
	MPI_Comm comm, MPI_Win win, bool has_memory, bool has_events);

/* To be called before MPI frees it: afterwards the handle may be another's. False: unknown.
 * What was taken out is put back where MPI refuses to free it, or discarded. */
bool measure_window_take_out(MPI_Win win, struct measure_rma_window *window);
void measure_window_put_back(MPI_Win win, const struct measure_rma_window *window);
void measure_window_discard(struct measure_rma_window *window);

/* Groups of processes as the trace knows them: each defined once, however many MPI handles it
 * has. MEASURE_UNDEFINED: has members of another world, or no memory. */
measure_group_t measure_process_group_find(MPI_Group group);

/* Before MPI frees it: afterwards the handle may be another's. */
void measure_process_group_forget(MPI_Group group);

#endif
