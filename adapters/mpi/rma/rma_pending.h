/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is open on a window: one-sided operations that are not complete, by target, and the
 * groups of MPI_Win_start and MPI_Win_post.
 *
 * Operations that complete together share a number: those on one target do, as flushes name
 * targets, so that an operation costs no memory and a completion is one record for all of them.
 * An operation is alone where it can complete by itself: if it has a request, and in general
 * with MPI_THREAD_MULTIPLE, where a flush completes only what was there before it was called.
 *
 * An operation is complete locally when its buffers may be used again, and remotely when the
 * target's memory is done with. One that returns data is both at once. */
#ifndef MEASURE_MPI_PENDING_H
#define MEASURE_MPI_PENDING_H

#include "adapter.h"

struct measure_pending;

/* Takes all targets of a window. */
#define MEASURE_ALL_TARGETS UINT32_MAX

/* Of a window with so many targets; NULL: no memory. */
struct measure_pending *measure_pending_new(measure_window_t window, uint32_t nr_targets);
void measure_pending_free(struct measure_pending *pending);

/* The number for an operation that is not alone. */
uint64_t measure_pending_number(struct measure_pending *pending, uint32_t target);

/* After the PMPI call that has begun it. returns_data: it is complete remotely when it is
 * locally. */
void measure_pending_add(struct measure_pending *pending, uint32_t target, bool returns_data);

/* The same for one that is alone, with its own number. Returns its place; MEASURE_UNDEFINED: no
 * memory, it will not complete. */
uint32_t measure_pending_add_alone(
	struct measure_pending *pending, uint32_t target, uint64_t number, bool returns_data);

/* An operation has failed that was recorded with its number. Writes that it is complete,
 * unless it will be with others that share its number. */
void measure_pending_cancel(struct measure_pending *pending, struct measure_location *location,
	uint32_t target, uint64_t number);

/* To be read before a PMPI call that completes operations. */
uint64_t measure_pending_horizon(const struct measure_pending *pending);

/* Writes the completion of the operations on a target, or on all, that were there at the
 * horizon. */
void measure_pending_complete(struct measure_pending *pending, struct measure_location *location,
	uint32_t target, uint64_t horizon, bool is_remote);

/* Writes the local completion of one that is alone, by its request, if that is not known
 * already. */
void measure_pending_complete_alone(struct measure_pending *pending,
	struct measure_location *location, uint32_t place, uint64_t number);

/* The groups of MPI_Win_start and of MPI_Win_post, until MPI_Win_complete and MPI_Win_wait;
 * MEASURE_UNDEFINED: none. */
struct measure_epoch_groups {
	measure_group_t access;
	measure_group_t exposure;
};
struct measure_epoch_groups *measure_pending_groups(struct measure_pending *pending);

#endif
